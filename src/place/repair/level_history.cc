#include "place/repair/level_history.h"

#include <algorithm>

namespace berth::place {

LevelHistory::LevelHistory(std::size_t position_count)
    : positions_per_bucket_(
          std::max<std::size_t>(1, (position_count + kMostBuckets - 1) / kMostBuckets)) {}

void LevelHistory::advance(std::size_t position) {
  const std::size_t bucket = position / positions_per_bucket_;
  if (bucket >= buckets_.size()) buckets_.resize(bucket + 1, level_);
}

void LevelHistory::add(std::int64_t bytes, std::size_t since) {
  level_ += bytes;
  // Rounded to the safe side: bytes are added from the begin of their bucket on, and removed below
  // only from the first whole bucket after their last use. An estimate may be too high, never too
  // low.
  const std::size_t first = std::min(since / positions_per_bucket_, buckets_.size() - 1);
  std::int64_t highest = 0;
  for (std::size_t bucket = first; bucket < buckets_.size(); ++bucket) {
    buckets_[bucket] += bytes;
    highest = std::max(highest, buckets_[bucket]);
  }
  if (peak_known_) peak_ = std::max(peak_, highest);
}

void LevelHistory::remove(std::int64_t bytes, std::size_t since) {
  level_ -= bytes;
  const std::size_t first = (since + positions_per_bucket_ - 1) / positions_per_bucket_;
  if (first >= buckets_.size()) return;
  for (std::size_t bucket = first; bucket < buckets_.size(); ++bucket) buckets_[bucket] -= bytes;
  // The peak may have been in one of these buckets. It is looked for again only when somebody asks.
  peak_known_ = false;
}

void LevelHistory::pass(std::int64_t bytes) {
  buckets_.back() = std::max(buckets_.back(), level_ + bytes);
  if (peak_known_) peak_ = std::max(peak_, buckets_.back());
}

std::int64_t LevelHistory::peak() const {
  if (!peak_known_) {
    peak_ = *std::max_element(buckets_.begin(), buckets_.end());
    peak_known_ = true;
  }
  return peak_;
}

std::int64_t LevelHistory::peak_between(std::size_t first, std::size_t last) const {
  const std::size_t from = std::min(first / positions_per_bucket_, buckets_.size() - 1);
  const std::size_t to = std::min(last / positions_per_bucket_, buckets_.size() - 1);
  std::int64_t highest = buckets_[from];
  for (std::size_t bucket = from; bucket <= to; ++bucket) {
    highest = std::max(highest, buckets_[bucket]);
  }
  return highest;
}

}  // namespace berth::place
