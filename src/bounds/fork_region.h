// The ops that a join m waits for last, and how long they delay it if they share its device or not:
// the arithmetic of fork_join.h.
//
// Let d be the device of m, of kind `join_kind`. An op of the region is in one of kinds + 1 states:
// on d (state 0), or on some other device of kind k (state 1 + k). An edge costs what the two
// states require: nothing on the same device (except for companions that go first, see
// queue_order.h), else the transfer. Two ops that are both not on d but on devices of one kind may
// share a device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "bounds/one_machine.h"
#include "bounds/path_table.h"

namespace berth::bounds {

class ForkRegion {
 public:
  explicit ForkRegion(const PathTable& shape);

  void start(OpId join);
  // Ops must be added in falling topological order, each with a successor that has been added.
  void add(OpId op);
  bool holds(OpId op) const { return place_of_[op.index()] != kAbsent; }
  std::size_t size() const { return members_.size(); }
  // Edges from the op to the join and to ops of the region.
  std::size_t fan_out(OpId op) const;

  // The earliest start of the join on a device of the kind, given the earliest ends before it, from
  // the last op added as the fork; or `known_seconds` where that cannot be shown to be later.
  double start_of_join(const PathTable& table, std::size_t join_kind, double known_seconds);

 private:
  static constexpr std::uint32_t kAbsent = 0xffffffffu;
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  struct Edge {
    std::uint32_t from_place = kAbsent;  // once that op has been added
    std::uint32_t to_place = kAbsent;    // kAbsent: the join
    OpId from, to;
    std::uint32_t next = kAbsent;  // of the edges from the same op
    bool together = false;
  };
  struct Member {
    OpId op;
    std::uint32_t edges_begin, edges_end;  // into it
  };
  // Work on d, and a lower bound on the start of the join if it is done elsewhere.
  struct Element {
    double away = 0;
    Job job;
  };

  void add_edges_into(OpId op, std::uint32_t place);
  void add_edge(OpId from, OpId to, std::uint32_t place, const TensorId* tensor);
  double queue_wait(OpId from, OpId to, std::size_t kind) const;
  double possible_cost(OpId op, std::size_t state, std::size_t join_kind) const;
  double cost(std::size_t place, std::size_t state, std::size_t join_kind) const {
    return costs_[(place * kinds_ + join_kind) * states_ + state];
  }
  double edge_seconds(std::size_t edge, std::size_t from, std::size_t to,
                      std::size_t join_kind) const;
  void reckon_remaining(std::size_t place, std::size_t join_kind);
  void reckon_leads(const PathTable& table, std::size_t join_kind, std::size_t fork_state);
  void collect_elements(std::size_t join_kind);
  void collect_companions(std::size_t join_kind);
  double least_wait(double known_seconds);
  double jackson_of_first(std::size_t count);
  double& remaining(std::size_t place, std::size_t state, std::size_t join_kind) {
    return remaining_[(place * kinds_ + join_kind) * states_ + state];
  }

  const PathTable& shape_;
  const Graph& graph_;
  const Problem& problem_;
  std::size_t kinds_;
  std::size_t states_;
  OpId join_;
  std::vector<std::uint32_t> place_of_;    // by op: place among the members
  std::vector<std::uint32_t> first_edge_;  // by op: of the edges from it
  std::vector<OpId> touched_;              // ops with an edge from them
  std::vector<Member> members_;
  std::vector<Edge> edges_;
  std::vector<double> waits_;      // edge x kind: on one device
  std::vector<double> crossings_;  // edge x kind x kind: between devices
  std::vector<double> remaining_;  // member x kind of the join x state: from its end to the join
  std::vector<double> costs_;      // member x kind of the join x state; infinite: not there
  std::vector<double> leads_;      // member x state: its start
  std::vector<double> aways_;      // by member
  std::vector<Element> elements_;
  std::vector<OpId> counted_;  // companions among the elements
  std::vector<Job> jobs_;
};

}  // namespace berth::bounds
