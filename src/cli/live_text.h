// Text on the terminal that is replaced as it grows: a table whose rows come one by one. On
// anything but a terminal it shows nothing, and only the answer at the end is printed.
//
// A progress line (base/progress.h) may come and go below it; other output in between may not.
#pragma once

#include <string_view>

#include "cli/console.h"

namespace berth::cli {

class LiveText {
 public:
  explicit LiveText(const Console& console) : console_(console) {}
  ~LiveText() { clear(); }
  LiveText(const LiveText&) = delete;
  LiveText& operator=(const LiveText&) = delete;

  // Replaces what was shown before. Of text that is taller than the terminal, the end is shown.
  void show(std::string_view text);
  void clear();

 private:
  const Console& console_;
  int lines_ = 0;  // of the terminal, that the text takes
};

}  // namespace berth::cli
