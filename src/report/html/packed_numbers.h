// A column of integers as text a script can read: each number as a variable-length sequence of
// bytes (seven bits per byte, lowest first, the sign in the lowest bit), all of them as base64.
// Small numbers take one byte and a third; columns that ascend or repeat are stored as differences,
// so that their numbers are small. The reader is src/report/html/data.js.
#pragma once

#include <cstdint>
#include <string>

namespace berth::report {

class PackedNumbers {
 public:
  void add(std::int64_t number);
  // The difference to the number before it.
  void add_next(std::int64_t number) {
    add(number - last_);
    last_ = number;
  }
  std::string base64() const;

 private:
  std::string bytes_;
  std::int64_t last_ = 0;
};

}  // namespace berth::report
