#include "place/partition/two_sides.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace berth::place {
namespace {

constexpr std::int32_t kNoVertex = -1;
constexpr std::size_t kLeastPatience = 100;

Side other(Side side) { return side == Side::left ? Side::right : Side::left; }

}  // namespace

TwoSides::TwoSides(const SideGraph& graph, double left_share, double imbalance)
    : graph_(graph), locked_(graph.work.size(), 0) {
  const double total = std::accumulate(graph.work.begin(), graph.work.end(), 0.0);
  target_ = left_share * total;
  slack_ = imbalance * std::min(target_, total - target_);
}

double TwoSides::beyond(double left_work) const {
  return std::max(0.0, std::abs(left_work - target_) - slack_);
}

double TwoSides::left_work_after(std::int32_t vertex) const {
  const double work = graph_.work[vertex];
  return sides_[vertex] == Side::left ? left_work_ - work : left_work_ + work;
}

// Within bounds, moves must stay there; beyond them, every move that comes nearer is allowed.
bool TwoSides::keeps_balance(std::int32_t vertex) const {
  const double after = beyond(left_work_after(vertex));
  return after == 0 || after < beyond(left_work_);
}

// Everything on the right but what is bound to the left.
void TwoSides::clear() {
  sides_.assign(graph_.work.size(), Side::right);
  left_work_ = 0;
  cut_ = 0;
  gains_.assign(graph_.work.size(), 0);
  for (std::size_t vertex = 0; vertex < sides_.size(); ++vertex) {
    for (std::int32_t at = graph_.begins[vertex]; at < graph_.begins[vertex + 1]; ++at) {
      gains_[vertex] -= graph_.bytes[at];
    }
  }
  for (std::size_t vertex = 0; vertex < sides_.size(); ++vertex) {
    if (graph_.bound[vertex] == Side::left) flip(static_cast<std::int32_t>(vertex));
  }
}

void TwoSides::flip(std::int32_t vertex) {
  left_work_ = left_work_after(vertex);
  cut_ -= gains_[vertex];
  gains_[vertex] = -gains_[vertex];
  sides_[vertex] = other(sides_[vertex]);
  for (std::int32_t at = graph_.begins[vertex]; at < graph_.begins[vertex + 1]; ++at) {
    const std::int32_t neighbour = graph_.neighbours[at];
    const bool together = sides_[neighbour] == sides_[vertex];
    // The edge moved from one of the two sums of the neighbour's gain to the other, so it counts
    // twice.
    gains_[neighbour] += (together ? -2 : 2) * std::int64_t{graph_.bytes[at]};
  }
}

void TwoSides::begin_series() {
  moved_.clear();
  best_length_ = 0;
  best_ = quality();
  std::ranges::fill(locked_, std::uint8_t{0});
  for (Heap& heap : heaps_) heap.clear();
}

void TwoSides::flip_and_note(std::int32_t vertex) {
  flip(vertex);
  locked_[vertex] = 1;
  moved_.push_back(vertex);
  if (quality() < best_) {
    best_ = quality();
    best_length_ = moved_.size();
  }
}

void TwoSides::return_to_best() {
  for (; moved_.size() > best_length_; moved_.pop_back()) flip(moved_.back());
}

void TwoSides::take_prefix() {
  clear();
  begin_series();
  for (std::size_t vertex = 0; vertex < sides_.size(); ++vertex) {
    if (graph_.bound[vertex] == Side::none) flip_and_note(static_cast<std::int32_t>(vertex));
  }
  return_to_best();
}

void TwoSides::grow_from(std::size_t seed) {
  clear();
  begin_series();
  std::size_t next_unseen = 0;
  std::int32_t vertex = static_cast<std::int32_t>(seed);
  Heap& frontier = heaps_[static_cast<std::size_t>(Side::right)];
  while (left_work_ < target_ + slack_) {
    if (graph_.bound[vertex] == Side::none) {
      flip_and_note(vertex);
    } else {
      locked_[vertex] = 1;
    }
    for (std::int32_t at = graph_.begins[vertex]; at < graph_.begins[vertex + 1]; ++at) {
      push(graph_.neighbours[at]);
    }
    vertex = top_of(frontier);
    // A component is used up: go on with the first vertex not yet reached.
    while (vertex == kNoVertex && next_unseen < sides_.size()) {
      if (locked_[next_unseen] == 0) vertex = static_cast<std::int32_t>(next_unseen);
      ++next_unseen;
    }
    if (vertex == kNoVertex) break;
  }
  return_to_best();
}

void TwoSides::push(std::int32_t vertex) {
  if (locked_[vertex] != 0 || graph_.bound[vertex] != Side::none) return;
  Heap& heap = heaps_[static_cast<std::size_t>(sides_[vertex])];
  heap.push_back({gains_[vertex], vertex});
  std::push_heap(heap.begin(), heap.end());
}

// The vertex on top, after dropping outdated entries. Entries are not updated when a gain changes:
// a new one is pushed, and the old one is recognized by its gain.
std::int32_t TwoSides::top_of(Heap& heap) {
  while (!heap.empty()) {
    const Candidate top = heap.front();
    if (locked_[top.vertex] == 0 && gains_[top.vertex] == top.gain) return top.vertex;
    std::pop_heap(heap.begin(), heap.end());
    heap.pop_back();
  }
  return kNoVertex;
}

// The best vertex to move that keeps the balance. One that does not is locked for this pass.
std::int32_t TwoSides::next_to_move() {
  for (;;) {
    const std::int32_t left = top_of(heaps_[0]);
    const std::int32_t right = top_of(heaps_[1]);
    if (left == kNoVertex && right == kNoVertex) return kNoVertex;
    std::int32_t vertex = left;
    if (left == kNoVertex || (right != kNoVertex && gains_[right] > gains_[left])) vertex = right;
    // Of equal gains the one from the heavier side.
    if (left != kNoVertex && right != kNoVertex && gains_[left] == gains_[right]) {
      vertex = left_work_ > target_ ? left : right;
    }
    if (keeps_balance(vertex)) return vertex;
    locked_[vertex] = 1;
  }
}

void TwoSides::fill_heaps() {
  // A vertex without neighbours on the other side cannot gain, but it can restore the balance.
  const bool only_boundary = beyond(left_work_) == 0;
  for (std::size_t index = 0; index < sides_.size(); ++index) {
    bool wanted = !only_boundary;
    for (std::int32_t at = graph_.begins[index]; !wanted && at < graph_.begins[index + 1]; ++at) {
      wanted = sides_[graph_.neighbours[at]] != sides_[index];
    }
    if (wanted) push(static_cast<std::int32_t>(index));
  }
}

bool TwoSides::improve() {
  begin_series();
  fill_heaps();
  const std::size_t patience = std::max(kLeastPatience, sides_.size() / 50);
  for (;;) {
    const std::int32_t vertex = next_to_move();
    if (vertex == kNoVertex) break;
    flip_and_note(vertex);
    if (moved_.size() - best_length_ > patience) break;
    for (std::int32_t at = graph_.begins[vertex]; at < graph_.begins[vertex + 1]; ++at) {
      push(graph_.neighbours[at]);
    }
  }
  return_to_best();
  return best_length_ > 0;
}

}  // namespace berth::place
