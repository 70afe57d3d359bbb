#include "bounds/path_table.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace berth::bounds {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr std::size_t kMostDevices = 256;  // the routes of all pairs are looked at
constexpr double kMostSteps = 4e8;         // additions of the pass: about a second
constexpr double kMostEntries = 5e7;       // of the tables: 400 MB

bool affordable(const Graph& graph, const RoutedKinds& routed) {
  const auto tensors = static_cast<double>(graph.tensor_count());
  const auto width = static_cast<double>(routed.kinds.size());
  const double steps = tensors * (width + static_cast<double>(routed.arrivals.items.size())) +
                       static_cast<double>(graph.edge_count() + graph.op_count()) * width;
  const double entries = (tensors + static_cast<double>(graph.op_count())) * width;
  return steps <= kMostSteps && entries <= kMostEntries;
}

}  // namespace

std::optional<PathTable> PathTable::build(const CostFloors& floors, const Footprints& footprints,
                                          const DeviceKinds& kinds_by_use,
                                          const QueueOrder& queues) {
  const Problem& problem = floors.problem();
  if (problem.device_count() > kMostDevices) return std::nullopt;
  RoutedKinds routed = split_by_routes(problem.cluster(), kinds_by_use);
  if (!affordable(problem.graph(), routed)) return std::nullopt;
  PathTable table(floors, footprints, std::move(routed), queues);
  for (const OpId op : problem.graph().topological_order()) table.relax(op, nullptr);
  const auto& ends = table.earliest_ends_;
  // An op that no placement lets run: no plan is routable, and an infinite bound would say less
  // than one without transfers.
  if (std::find(ends.begin(), ends.end(), kNever) != ends.end()) return std::nullopt;
  return table;
}

PathTable::PathTable(const CostFloors& floors, const Footprints& footprints, RoutedKinds routed,
                     const QueueOrder& queues)
    : floors_(&floors),
      graph_(&floors.problem().graph()),
      queues_(&queues),
      routed_(std::move(routed)),
      possible_(floors.problem(), footprints, routed_.kinds),
      width_(routed_.kinds.size()) {
  for (const DeviceId device : routed_.kinds.representatives) {
    cost_classes_.push_back(floors.problem().device_class(device));
    one_slot_.push_back(floors.problem().cluster().device(device).slots == 1);
  }
  ends_.resize(graph_->op_count() * width_);
  earliest_ends_.resize(graph_->op_count());
  received_.resize(graph_->tensor_count() * width_);
}

PathTable PathTable::raised(const RaiseStarts& raise) const {
  PathTable table = *this;
  for (const OpId op : graph_->topological_order()) table.relax(op, &raise);
  return table;
}

void PathTable::relax(OpId op, const RaiseStarts* raise) {
  const GroupId group = floors_->problem().group(op);
  double* row = ends_.data() + op.index() * width_;
  std::fill(row, row + width_, 0.0);
  for (const TensorId tensor : graph_->inputs(op)) {
    // Also for kinds that the op cannot use; these entries are overwritten below.
    for (std::size_t k = 0; k < width_; ++k) row[k] = std::max(row[k], arrival(tensor, op, k));
  }
  for (const OpId earlier : graph_->after(op)) {
    for (std::size_t k = 0; k < width_; ++k) row[k] = std::max(row[k], ended(earlier, op, k));
  }
  for (const OpId first : queues_->companions(op)) {
    // Companions are ascending. Only one with a lower index goes before the op when both are ready
    // at one instant.
    if (first > op) break;
    for (std::size_t k = 0; k < width_; ++k) {
      if (one_slot_[k]) row[k] = std::max(row[k], end(first, k));
    }
  }
  // Before the cost is added, while the row holds starts; and op by op in topological order, so
  // that what is raised here already counts for all that follows.
  if (raise != nullptr) (*raise)(*this, op, {row, width_});
  for (std::size_t k = 0; k < width_; ++k) {
    row[k] = possible_(group, k) ? row[k] + cost(op, k) : kNever;
  }
  earliest_ends_[op.index()] = *std::min_element(row, row + width_);
  for (std::size_t i = 0; i < graph_->output_count(op); ++i) send(op, graph_->output(op, i));
}

void PathTable::send(OpId op, TensorId tensor) {
  if (graph_->consumers(tensor).empty()) return;
  const std::int64_t bytes = graph_->bytes(tensor);
  for (std::size_t k = 0; k < width_; ++k) {
    double earliest = kNever;
    // Once per tensor, not once per consumer: when it arrives on a kind does not depend on who
    // reads it there.
    for (const Arc& arc : routed_.arrivals.row(k)) {
      earliest = std::min(earliest, arc.arrival_seconds(end(op, arc.from_kind), bytes));
    }
    received_[tensor.index() * width_ + k] = earliest;
  }
}

double PathTable::ended_here(OpId earlier, OpId later, std::size_t kind) const {
  double seconds = end(earlier, kind);
  if (!one_slot_[kind]) return seconds;
  for (const OpId companion : queues_->companions(earlier)) {
    if (companion >= later) break;
    seconds = std::max(seconds, end(companion, kind));
  }
  return seconds;
}

// The one of these ops that ends last.
OpId PathTable::last_here(OpId earlier, OpId later, std::size_t kind) const {
  if (!one_slot_[kind]) return earlier;
  OpId last = earlier;
  for (const OpId companion : queues_->companions(earlier)) {
    if (companion >= later) break;
    if (end(companion, kind) > end(last, kind)) last = companion;
  }
  return last;
}

std::size_t PathTable::earliest_kind(OpId op) const {
  const double* row = ends_.data() + op.index() * width_;
  return static_cast<std::size_t>(std::min_element(row, row + width_) - row);
}

// The kind of another device from which the tensor arrives first.
std::size_t PathTable::sender_kind(TensorId tensor, std::size_t kind) const {
  const OpId producer = graph_->producer(tensor);
  for (const Arc& arc : routed_.arrivals.row(kind)) {
    const double seconds = arc.arrival_seconds(end(producer, arc.from_kind), graph_->bytes(tensor));
    // The very sum that send() made, so that comparing for equality finds it.
    if (seconds == received_[tensor.index() * width_ + kind]) return arc.from_kind;
  }
  return kind;
}

// What the op waits for longest on that kind of device; no op when it waits for nothing.
PathTable::Step PathTable::before(Step step, bool with_companions) const {
  Step latest;
  double latest_seconds = -1;
  const auto last = [&](OpId earlier) {
    return with_companions ? last_here(earlier, step.op, step.kind) : earlier;
  };
  for (const TensorId tensor : graph_->inputs(step.op)) {
    const double seconds = arrival(tensor, step.op, step.kind);
    if (seconds <= latest_seconds) continue;
    latest_seconds = seconds;
    const OpId producer = graph_->producer(tensor);
    const bool here = seconds == ended_here(producer, step.op, step.kind);
    latest =
        here ? Step{last(producer), step.kind} : Step{producer, sender_kind(tensor, step.kind)};
  }
  for (const OpId earlier : graph_->after(step.op)) {
    const double seconds = ended(earlier, step.op, step.kind);
    if (seconds <= latest_seconds) continue;
    latest_seconds = seconds;
    latest = together(earlier, step.op) ? Step{last(earlier), step.kind}
                                        : Step{earlier, earliest_kind(earlier)};
  }
  for (const OpId first : queues_->companions(step.op)) {
    if (!with_companions || first > step.op || !one_slot_[step.kind]) break;
    if (end(first, step.kind) <= latest_seconds) continue;
    latest_seconds = end(first, step.kind);
    latest = {first, step.kind};
  }
  return latest;
}

std::vector<OpId> PathTable::follow(OpId last, bool with_companions) const {
  std::vector<OpId> path;
  for (Step step{last, earliest_kind(last)}; step.op.valid();
       step = before(step, with_companions)) {
    path.push_back(step.op);
  }
  std::reverse(path.begin(), path.end());
  return path;
}

std::vector<OpId> PathTable::path_to(OpId last) const { return follow(last, true); }

std::vector<OpId> PathTable::plain_path_to(OpId last) const { return follow(last, false); }

}  // namespace berth::bounds
