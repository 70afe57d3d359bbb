#include "place/list/idle_gaps.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace berth::place {

IdleGaps::IdleGaps() : random_(1) { root_ = make(0, std::numeric_limits<double>::infinity()); }

void IdleGaps::update(std::uint32_t node) {
  Node& entry = nodes_[node];
  entry.longest = std::max({entry.end - entry.begin, longest(entry.left), longest(entry.right)});
}

std::uint32_t IdleGaps::make(double begin, double end) {
  std::uint32_t node = unused_;
  if (node == kNone) {
    node = static_cast<std::uint32_t>(nodes_.size());
    nodes_.emplace_back();
  } else {
    unused_ = nodes_[node].left;
  }
  // Random weights keep the tree flat whatever the order of insertion (treap, Seidel and Aragon
  // 1996); schedules insert almost in order of time, the worst case of a plain tree.
  nodes_[node] = {begin, end, end - begin, random_.next()};
  return node;
}

std::uint32_t IdleGaps::merge(std::uint32_t left, std::uint32_t right) {
  if (left == kNone) return right;
  if (right == kNone) return left;
  if (nodes_[left].weight > nodes_[right].weight) {
    nodes_[left].right = merge(nodes_[left].right, right);
    update(left);
    return left;
  }
  nodes_[right].left = merge(left, nodes_[right].left);
  update(right);
  return right;
}

void IdleGaps::split(std::uint32_t node, double seconds, std::uint32_t& left,
                     std::uint32_t& right) {
  if (node == kNone) {
    left = right = kNone;
    return;
  }
  if (nodes_[node].begin < seconds) {
    std::uint32_t rest = kNone;
    split(nodes_[node].right, seconds, rest, right);
    nodes_[node].right = rest;
    left = node;
  } else {
    std::uint32_t rest = kNone;
    split(nodes_[node].left, seconds, left, rest);
    nodes_[node].left = rest;
    right = node;
  }
  update(node);
}

std::uint32_t IdleGaps::first_fitting(std::uint32_t node, double from, double length) const {
  // The longest gap of a subtree rules it out as a whole, so the search goes down few paths.
  if (longest(node) < length) return kNone;
  const Node& entry = nodes_[node];
  if (entry.begin >= from) {
    const std::uint32_t earlier = first_fitting(entry.left, from, length);
    if (earlier != kNone) return earlier;
    if (entry.end - entry.begin >= length) return node;
  }
  return first_fitting(entry.right, from, length);
}

std::uint32_t IdleGaps::last_before(double seconds) const {
  std::uint32_t found = kNone;
  for (std::uint32_t node = root_; node != kNone;) {
    if (nodes_[node].begin <= seconds) {
      found = node;
      node = nodes_[node].right;
    } else {
      node = nodes_[node].left;
    }
  }
  return found;
}

double IdleGaps::earliest(double ready_seconds, double length_seconds) const {
  // An op without length occupies nothing, so it needs no gap.
  if (length_seconds <= 0) return ready_seconds;
  const std::uint32_t around = last_before(ready_seconds);
  if (around != kNone && nodes_[around].end - ready_seconds >= length_seconds) {
    return ready_seconds;
  }
  const std::uint32_t next = first_fitting(root_, ready_seconds, length_seconds);
  // The last gap never ends.
  assert(next != kNone);
  return nodes_[next].begin;
}

void IdleGaps::take(double start_seconds, double end_seconds) {
  if (end_seconds <= start_seconds) return;
  const std::uint32_t gap = last_before(start_seconds);
  assert(gap != kNone);
  const double begin = nodes_[gap].begin;
  const double end = nodes_[gap].end;
  remove(gap);
  if (begin < start_seconds) add(begin, start_seconds);
  // The end may exceed the gap's by a rounding error.
  if (end_seconds < end) add(end_seconds, end);
}

void IdleGaps::add(double begin, double end) {
  std::uint32_t left = kNone;
  std::uint32_t right = kNone;
  split(root_, begin, left, right);
  root_ = merge(merge(left, make(begin, end)), right);
}

void IdleGaps::remove(std::uint32_t gap) {
  const double begin = nodes_[gap].begin;
  std::uint32_t left = kNone;
  std::uint32_t right = kNone;
  std::uint32_t only = kNone;
  split(root_, begin, left, right);
  // Gaps do not overlap, so the begin names one gap; splitting just before and just after it cuts
  // that one out.
  split(right, std::nextafter(begin, std::numeric_limits<double>::infinity()), only, right);
  assert(only == gap);
  root_ = merge(left, right);
  nodes_[gap].left = unused_;
  unused_ = gap;
}

}  // namespace berth::place
