#include "base/progress.h"

#include <unistd.h>

#include <string>

#include "base/terminal.h"
#include "base/utf8.h"

namespace berth {
namespace {

constexpr std::chrono::milliseconds kSilence{1000};
constexpr std::chrono::milliseconds kInterval{100};
constexpr std::string_view kClearLine = "\r\x1b[K";

void write_to_stderr(std::string_view text) {
  // A line that cannot be shown is no reason to stop the task.
  (void)!::write(STDERR_FILENO, text.data(), text.size());
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
  // Control characters would move the cursor off the line; they have no width, so nothing else
  // would stop them.
  const std::string line = without_controls(text, ' ');
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
