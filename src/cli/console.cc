#include "cli/console.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/error.h"
#include "base/outside_error.h"
#include "base/terminal.h"
#include "base/utf8.h"

namespace berth::cli {
namespace {

constexpr std::size_t kMostWarnings = 10;

void print(std::FILE* stream, std::string_view text) {
  // A failure shows in ferror(), which flush_stdout() asks about.
  (void)!std::fwrite(text.data(), 1, text.size(), stream);
}

// A sentence may contain the name of a file, which can be anything.
std::string one_line(std::string_view sentence) {
  std::string line(sentence);
  std::replace(line.begin(), line.end(), '\n', ' ');
  return without_controls(line);
}

}  // namespace

void Console::declare_json(Arguments& arguments) {
  arguments.flag("--json", json_, "Print one JSON object instead of text.");
}

void Console::declare(Arguments& arguments) {
  declare_json(arguments);
  arguments.flag("-q,--quiet", quiet_, "Print only warnings and errors.");
}

void Console::yield_stdout() {
  if (json_) {
    throw InputError(
        "--json and an output file both write to standard output; write the file elsewhere");
  }
  stdout_taken_ = true;
}

bool Console::live() const { return !json_ && !quiet_ && !stdout_taken_ && can_redraw(); }

void Console::flush() const { std::fflush(stdout_taken_ ? stderr : stdout); }

void Console::answer(std::string_view text) const {
  if (!json_ && !quiet_) print(stdout_taken_ ? stderr : stdout, text);
}

void Console::object(std::string_view text) const { print(stdout, text); }

void Console::warn(std::string_view sentence) const {
  if (!warned_.emplace(sentence).second) return;
  print(stderr, fmt::format("berth: warning: {}\n", one_line(sentence)));
}

void Console::warn_all(const std::vector<std::string>& sentences) const {
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    if (i == kMostWarnings) {
      warn(fmt::format("and {} more like these", sentences.size() - kMostWarnings));
      return;
    }
    warn(sentences[i]);
  }
}

report::Ink Console::ink() const { return report::Ink(use_color() && !stdout_taken_); }

void print_error(std::string_view sentence) {
  std::fflush(stdout);
  print(stderr, fmt::format("berth: error: {}\n", one_line(sentence)));
}

void flush_stdout() {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return;
  // What failed earlier has left no number.
  throw OutsideError(fmt::format("standard output cannot be written: {}",
                                 std::strerror(errno != 0 ? errno : ENOSPC)));
}

}  // namespace berth::cli
