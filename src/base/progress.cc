#include "base/progress.h"

#include <unistd.h>

#include <string>

#include "base/terminal.h"

namespace berth {
namespace {

constexpr std::chrono::milliseconds kSilence{1000};
constexpr std::chrono::milliseconds kInterval{100};
constexpr std::string_view kClearLine = "\r\x1b[K";

void write_to_stderr(std::string_view text) {
  // A line that cannot be shown is no reason to stop the task.
  (void)!::write(STDERR_FILENO, text.data(), text.size());
}

// Control characters would move the cursor off the line; they have no width, so nothing else would
// stop them.
std::string one_line(std::string_view text) {
  std::string line(text);
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return line;
}

}  // namespace

Progress::Progress(bool enabled)
    : enabled_(enabled && stderr_is_terminal()), next_(Clock::now() + kSilence) {}

Progress::~Progress() { clear(); }

void Progress::update(std::string_view text) {
  if (!enabled_) return;
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + kInterval;
  const std::string line = one_line(text);
  // The last column stays free: some terminals go to the next line when it is filled.
  std::string out(kClearLine);
  out += cut_to_width(line, stderr_width() - 1);
  write_to_stderr(out);
  shown_ = true;
}

void Progress::clear() {
  if (shown_) write_to_stderr(kClearLine);
  shown_ = false;
}

}  // namespace berth
