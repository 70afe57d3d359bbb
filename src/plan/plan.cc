#include "plan/plan.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "base/error.h"
#include "plan/fusion_rules.h"

namespace berth {
namespace {

std::uint64_t mix(std::uint64_t hash, std::uint64_t word) {
  // Fibonacci hashing: 2^64 divided by the golden ratio. The shift brings the well-mixed high bits
  // down to where the next product can spread them.
  hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
  return hash ^ (hash >> 32);
}

class Checker {
 public:
  Checker(const Problem& problem, const Plan& plan, std::size_t most)
      : problem_(problem), graph_(problem.graph()), plan_(plan), most_(most) {}

  std::vector<std::string> check() {
    // A plan that does not cover the ops would be read out of range by the other checks.
    if (!check_form()) return std::move(sentences_);
    check_allowed();
    check_colocation();
    check_routes();
    add_fusion_violations(problem_, plan_, most_, sentences_);
    return std::move(sentences_);
  }

 private:
  bool check_form();
  void check_allowed();
  void check_colocation();
  void check_routes();
  void check_route(TensorId tensor, OpId consumer);

  bool full() const { return sentences_.size() >= most_; }
  void add(std::string sentence) {
    if (!full()) sentences_.push_back(std::move(sentence));
  }
  std::string name(OpId op) const { return quoted(graph_.op_name(op)); }
  std::string name(DeviceId device) const { return quoted(problem_.cluster().device(device).name); }
  DeviceId device(OpId op) const { return plan_.placement[op.index()]; }

  const Problem& problem_;
  const Graph& graph_;
  const Plan& plan_;
  std::size_t most_;
  std::vector<std::string> sentences_;
};

bool Checker::check_form() {
  const std::size_t ops = problem_.op_count();
  if (plan_.placement.size() != ops) {
    add(fmt::format("the plan places {} ops, but the graph has {}", plan_.placement.size(), ops));
    return false;
  }
  for (std::size_t i = 0; i < ops; ++i) {
    if (plan_.placement[i].index() < problem_.device_count()) continue;
    add(fmt::format("op {} is placed on no device of the cluster", name(OpId(i))));
    return false;
  }
  if (plan_.priority.empty()) return true;
  if (plan_.priority.size() != ops) {
    add(fmt::format("the plan gives {} priorities, but the graph has {} ops", plan_.priority.size(),
                    ops));
    return false;
  }
  for (std::size_t i = 0; i < ops; ++i) {
    if (std::isfinite(plan_.priority[i])) continue;
    add(fmt::format("the priority of op {} is {}; it must be finite", name(OpId(i)),
                    plan_.priority[i]));
    return false;
  }
  return true;
}

void Checker::check_allowed() {
  for (std::size_t i = 0; i < problem_.op_count() && !full(); ++i) {
    const OpId op(i);
    if (problem_.allowed(op, device(op))) continue;
    std::vector<std::string> allowed;
    for (const DeviceId other : problem_.allowed_devices(op)) allowed.push_back(name(other));
    add(fmt::format("op {} is on {}, where it may not run; it may run on {}", name(op),
                    name(device(op)), join_names(allowed, 8)));
  }
}

void Checker::check_colocation() {
  for (std::size_t i = 0; i < problem_.op_count() && !full(); ++i) {
    const OpId op(i);
    const OpId first = problem_.members(problem_.group(op)).front();
    if (device(op) == device(first)) continue;
    add(
        fmt::format("op {} is on {}, but it is colocated with {}, which is on {}; they must share "
                    "one device",
                    name(op), name(device(op)), name(first), name(device(first))));
  }
}

void Checker::check_routes() {
  for (std::size_t i = 0; i < graph_.tensor_count() && !full(); ++i) {
    for (const OpId consumer : graph_.consumers(TensorId(i))) check_route(TensorId(i), consumer);
  }
}

void Checker::check_route(TensorId tensor, OpId consumer) {
  const DeviceId from = device(graph_.producer(tensor));
  const DeviceId to = device(consumer);
  if (from == to || problem_.cluster().route(from, to).exists()) return;
  add(fmt::format("op {} on {} reads {} from {}, but no route leads from {} to {}", name(consumer),
                  name(to), quoted(graph_.tensor_name(tensor)), name(from), name(from), name(to)));
}

}  // namespace

std::uint64_t hash_of(const Plan& plan) {
  // Sizes are mixed in too, so that two lists cannot be divided differently and hash alike.
  std::uint64_t hash = mix(0, plan.placement.size());
  // Device ids have 16 bits: four go into one word.
  std::size_t i = 0;
  const auto device = [&](std::size_t at) {
    return static_cast<std::uint64_t>(plan.placement[at].index());
  };
  for (; i + 4 <= plan.placement.size(); i += 4) {
    hash = mix(hash, device(i) | device(i + 1) << 16 | device(i + 2) << 32 | device(i + 3) << 48);
  }
  for (; i < plan.placement.size(); ++i) hash = mix(hash, device(i));
  hash = mix(hash, plan.priority.size());
  // Equal plans must have equal hashes, and -0.0 equals 0.0. Adding 0.0 turns -0.0 into 0.0.
  for (const double priority : plan.priority) {
    hash = mix(hash, std::bit_cast<std::uint64_t>(priority + 0.0));
  }
  for (const auto& group : plan.fused) {
    hash = mix(hash, group.size());
    for (const OpId op : group) hash = mix(hash, op.index());
  }
  return hash;
}

std::vector<std::string> violations(const Problem& problem, const Plan& plan, std::size_t most) {
  return Checker(problem, plan, most).check();
}

void require_valid(const Problem& problem, const Plan& plan, const std::string& source) {
  const std::vector<std::string> found = violations(problem, plan, 1);
  if (found.empty()) return;
  throw InputError(fmt::format("{}: {}", source, found.front()),
                   {.code = ErrorCode::invalid_plan, .place = source});
}

}  // namespace berth
