// One line on the terminal that says how far a long task is. It goes to stderr, only if that is a
// terminal, so it never gets into a file or a pipe; it first shows after a second, so quick tasks
// stay silent; it is redrawn at most ten times a second and wiped away at the end.
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
  // Wipes the line away, for a message that is to be printed now; the next update shows it again.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  bool enabled_;
  bool shown_ = false;
  Clock::time_point next_;
};

}  // namespace berth
