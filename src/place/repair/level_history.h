// How many bytes a device holds over the course of a step that is being planned.
//
// A placer that takes the ops in some order knows the present level, but two things change the
// past. A tensor sent to a device arrives when its producer ends, long before the reader that needs
// it is placed. And a tensor's last use is only known when its last reader is placed. So the
// history keeps the level of every past position, and bytes can be added or removed from a past
// position on.
//
// Up to 1024 positions are kept one by one; more are kept in 1024 buckets that hold the highest
// level of their positions. Additions then count for the whole bucket they begin in, and removals
// from the next bucket on, so a coarse history errs on the high side. An operation takes time
// linear in the buckets it spans.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace berth::place {

class LevelHistory {
 public:
  explicit LevelHistory(std::size_t position_count);

  // Positions never go back; the level of a new one is that of the end of the last.
  void advance(std::size_t position);
  void add(std::int64_t bytes, std::size_t since);
  void remove(std::int64_t bytes, std::size_t since);
  // Bytes held at the current position only.
  void pass(std::int64_t bytes);

  std::int64_t level() const { return level_; }
  std::int64_t peak() const;
  // Highest level of positions first .. last, both included.
  std::int64_t peak_between(std::size_t first, std::size_t last) const;

 private:
  static constexpr std::size_t kMostBuckets = 1024;

  std::size_t positions_per_bucket_;
  std::int64_t level_ = 0;
  std::vector<std::int64_t> buckets_ = {0};
  mutable std::int64_t peak_ = 0;
  mutable bool peak_known_ = true;
};

}  // namespace berth::place
