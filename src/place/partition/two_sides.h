// A graph whose vertices are on two sides, with what bisection needs to move them: gains, weights
// and cut kept up to date, the best state of a series of moves, and Fiduccia-Mattheyses passes. The
// method is described in bisection.h.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

namespace berth::place {

enum class Side : std::uint8_t { left, right, none };

struct SideGraph {
  std::vector<std::int32_t> work;               // by vertex, positive
  std::vector<Side> bound;                      // the side a vertex must stay on, or none
  std::vector<std::int32_t> begins;             // of the vertices' rows in the next two
  std::vector<std::int32_t> neighbours, bytes;  // every edge both ways
};

// Less is better: first how far the weights are beyond the bounds, then the cut.
struct Quality {
  double beyond = 0;
  std::int64_t cut = 0;
  auto operator<=>(const Quality&) const = default;
};

class TwoSides {
 public:
  // The left side should weigh left_share of all, give or take imbalance of the smaller side. The
  // graph must outlive this.
  TwoSides(const SideGraph& graph, double left_share, double imbalance);

  // New starts. Left becomes the best prefix of the vertices by number;
  void take_prefix();
  // or a region grown around a vertex.
  void grow_from(std::size_t seed);

  // One FM pass; true when it helped.
  bool improve();

  Quality quality() const { return {beyond(left_work_), cut_}; }
  const std::vector<Side>& sides() const { return sides_; }

 private:
  struct Candidate {
    std::int64_t gain;
    std::int32_t vertex;
    // Largest gain on top; ties: lowest vertex.
    bool operator<(const Candidate& other) const {
      return gain != other.gain ? gain < other.gain : vertex > other.vertex;
    }
  };
  using Heap = std::vector<Candidate>;

  double beyond(double left_work) const;
  double left_work_after(std::int32_t vertex) const;
  bool keeps_balance(std::int32_t vertex) const;
  void clear();
  void flip(std::int32_t vertex);
  void flip_and_note(std::int32_t vertex);
  void return_to_best();
  void begin_series();
  void push(std::int32_t vertex);
  std::int32_t top_of(Heap& heap);
  std::int32_t next_to_move();
  void fill_heaps();

  const SideGraph& graph_;
  double target_;  // of the left side's work
  double slack_;
  std::vector<Side> sides_;
  std::vector<std::int64_t> gains_;
  double left_work_ = 0;
  std::int64_t cut_ = 0;

  // The series of moves under way.
  std::vector<std::int32_t> moved_;
  std::size_t best_length_ = 0;
  Quality best_;
  std::vector<std::uint8_t> locked_;
  Heap heaps_[2];  // by the side the vertices are on
};

}  // namespace berth::place
