#include "plan/fusion_rules.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "plan/contraction.h"

namespace berth {
namespace {

class FusionChecker {
 public:
  FusionChecker(const Problem& problem, const Plan& plan, std::size_t most,
                std::vector<std::string>& sentences)
      : problem_(problem), plan_(plan), most_(most), sentences_(sentences) {}

  void check() {
    if (!check_form()) return;  // the other checks need well-formed groups
    Contraction contraction(problem_.graph(), plan_.fused);
    std::vector<std::uint8_t> visited(problem_.op_count(), 0);
    for (std::size_t g = 0; g < plan_.fused.size() && !full(); ++g) {
      if (plan_.fused[g].size() < 2) continue;
      check_device(plan_.fused[g]);
      check_heavy(plan_.fused[g]);
      check_connected(contraction, plan_.fused[g], visited);
    }
    check_cycles(contraction);
  }

 private:
  bool check_form();
  void check_device(const std::vector<OpId>& group);
  void check_heavy(const std::vector<OpId>& group);
  void check_connected(const Contraction& contraction, const std::vector<OpId>& group,
                       std::vector<std::uint8_t>& visited);
  void check_cycles(Contraction& contraction);
  // Says what is wrong with a cycle of units; returns the group at fault.
  std::uint32_t report_cycle(const Contraction& contraction, const std::vector<OpId>& cycle);
  void report_not_convex(std::uint32_t group, OpId outside);

  bool full() const { return sentences_.size() >= most_; }
  void add(std::string sentence) {
    if (!full()) sentences_.push_back(std::move(sentence));
  }
  std::string name(OpId op) const { return quoted(problem_.graph().op_name(op)); }
  std::string names(const std::vector<OpId>& group) const {
    constexpr std::size_t kMost = 4;
    std::vector<std::string> list;
    for (const OpId op : group) list.push_back(name(op));
    return join_names(list, kMost);
  }

  const Problem& problem_;
  const Plan& plan_;
  std::size_t most_;
  std::vector<std::string>& sentences_;
};

bool FusionChecker::check_form() {
  const std::size_t before = sentences_.size();
  // What the other checks rely on: groups are disjoint, their members are ops of the graph, in
  // ascending order.
  std::vector<std::uint8_t> taken(problem_.op_count(), 0);
  for (std::size_t g = 0; g < plan_.fused.size() && !full(); ++g) {
    const auto& group = plan_.fused[g];
    if (group.empty()) add(fmt::format("fused group {} is empty; it needs at least one op", g));
    OpId last;
    for (const OpId op : group) {
      if (op.index() >= problem_.op_count()) {
        add(fmt::format("fused group {} holds op number {}, but the graph has {} ops", g,
                        op.index(), problem_.op_count()));
        return false;
      }
      if (taken[op.index()]) {
        add(fmt::format("op {} is fused twice; it can be in one group, once", name(op)));
      } else if (last.valid() && op < last) {
        add(fmt::format("the fused group of {} does not list its ops by ascending index",
                        names(group)));
      }
      taken[op.index()] = 1;
      last = op;
    }
  }
  return sentences_.size() == before;
}

void FusionChecker::check_device(const std::vector<OpId>& group) {
  const auto device = [&](OpId op) { return plan_.placement[op.index()]; };
  for (const OpId op : group) {
    if (device(op) == device(group.front())) continue;
    add(fmt::format(
        "op {} is on {} but fused with {}, which is on {}; a fused group runs on one "
        "device",
        name(op), quoted(problem_.cluster().device(device(op)).name), name(group.front()),
        quoted(problem_.cluster().device(device(group.front())).name)));
    return;
  }
}

void FusionChecker::check_heavy(const std::vector<OpId>& group) {
  OpId first;
  for (const OpId op : group) {
    if (!is_heavy(problem_.op_class(op))) continue;
    if (!first.valid()) {
      first = op;
      continue;
    }
    add(
        fmt::format("the fused group of {} holds two heavy ops, {} ({}) and {} ({}); it may hold "
                    "one convolution, matrix product or recurrent cell",
                    names(group), name(first), op_class_name(problem_.op_class(first)), name(op),
                    op_class_name(problem_.op_class(op))));
    return;
  }
}

void FusionChecker::check_connected(const Contraction& contraction, const std::vector<OpId>& group,
                                    std::vector<std::uint8_t>& visited) {
  const Graph& graph = problem_.graph();
  // `visited` is shared by all groups and never cleared: groups are disjoint, and the walk does not
  // leave its group. So all groups together cost O(ops + edges).
  std::vector<OpId> stack = {group.front()};
  visited[group.front().index()] = 1;
  std::size_t reached = 0;
  const auto visit = [&](OpId op) {
    if (contraction.group(op) != contraction.group(group.front()) || visited[op.index()]) return;
    visited[op.index()] = 1;
    stack.push_back(op);
  };
  while (!stack.empty()) {
    const OpId op = stack.back();
    stack.pop_back();
    ++reached;
    for (const TensorId tensor : graph.inputs(op)) visit(graph.producer(tensor));
    for (std::size_t k = 0; k < graph.output_count(op); ++k) {
      for (const OpId consumer : graph.consumers(graph.output(op, k))) visit(consumer);
    }
  }
  if (reached == group.size()) return;
  const auto apart =
      std::find_if(group.begin(), group.end(), [&](OpId op) { return !visited[op.index()]; });
  add(
      fmt::format("the fused group of {} is not connected: no tensors of its own lead from {} to "
                  "{}",
                  names(group), name(group.front()), name(*apart)));
}

void FusionChecker::check_cycles(Contraction& contraction) {
  while (!full()) {
    const std::vector<OpId> cycle = contraction.find_cycle();
    if (cycle.empty()) return;
    // Without the group at fault the next cycle is another one, so every sentence is about another
    // group, and the loop ends.
    contraction.dissolve(report_cycle(contraction, cycle));
  }
}

std::uint32_t FusionChecker::report_cycle(const Contraction& contraction,
                                          const std::vector<OpId>& cycle) {
  std::vector<std::size_t> at;  // positions of groups in the cycle
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    if (contraction.group(cycle[i]) != Contraction::kNoGroup) at.push_back(i);
  }
  const auto group_at = [&](std::size_t i) { return contraction.group(cycle[at[i]]); };
  if (at.size() == 1) {
    // The only group of the cycle: the next vertex is an op outside, by which the path leaves it.
    report_not_convex(group_at(0), cycle[(at[0] + 1) % cycle.size()]);
    return group_at(0);
  }
  // With several groups in the cycle, one of them may be at fault by itself. That is the better
  // sentence, but each look takes a pass over the graph.
  constexpr std::size_t kLooks = 8;
  for (std::size_t i = 0; i < std::min(at.size(), kLooks); ++i) {
    if (const auto outside = contraction.find_way_back(group_at(i))) {
      report_not_convex(group_at(i), *outside);
      return group_at(i);
    }
  }
  std::vector<std::string> groups;
  for (std::size_t i = 0; i < at.size(); ++i) {
    groups.push_back(fmt::format("[{}]", names(plan_.fused[group_at(i)])));
  }
  add(fmt::format("the fused groups {} wait for each other in a cycle; one of them must be split",
                  join_names(groups, 3)));
  return group_at(0);
}

void FusionChecker::report_not_convex(std::uint32_t group, OpId outside) {
  add(
      fmt::format("the fused group of {} is not convex: a path leaves it to {}, which is not in "
                  "it, and comes back",
                  names(plan_.fused[group]), name(outside)));
}

}  // namespace

void add_fusion_violations(const Problem& problem, const Plan& plan, std::size_t most,
                           std::vector<std::string>& sentences) {
  if (plan.fused.empty() || sentences.size() >= most) return;
  FusionChecker(problem, plan, most, sentences).check();
}

}  // namespace berth
