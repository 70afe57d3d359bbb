// One line on the terminal that shows the progress of a long task. It is written to stderr, only if
// that is a terminal, so it never gets into a file or a pipe. It first appears after a second, so
// that quick tasks stay silent, is redrawn at most ten times per second and erased at the end.
//
// For one thread at a time.
#pragma once

#include <chrono>
#include <string_view>

namespace berth {

class Progress {
 public:
  explicit Progress(bool enabled);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Shows the text, cut to the width of the terminal, if it is time to. Cheap when it is not.
  void update(std::string_view text);
  // Erases the line for a message that is printed now; the next update shows it again.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  bool enabled_;
  bool shown_ = false;
  Clock::time_point next_;
};

}  // namespace berth
