// The recurrence of path_bound.h as a table: the earliest end of every op on every kind of device.
// Where plans have no priorities, an op also waits for the companions of the ops that it waits for
// on its device (queue_order.h). Only companions with a lower index count.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "bounds/cost_floors.h"
#include "bounds/device_kinds.h"
#include "bounds/queue_order.h"

namespace berth::bounds {

class PathTable {
 public:
  // Empty where the table would be too large or take too long, and where some op cannot run because
  // no route leads to any device it may use. The references must outlive the table.
  static std::optional<PathTable> build(const CostFloors& floors, const Footprints& footprints,
                                        const DeviceKinds& kinds_by_use, const QueueOrder& queues);
  // Recomputes the table with later starts. `raise` is called once per op with its starts by kind,
  // when the rows of all ops before it in the topological order are final.
  using RaiseStarts = std::function<void(const PathTable&, OpId, std::span<double>)>;
  PathTable raised(const RaiseStarts& raise) const;

  // Kinds by use, refined by routes.
  const DeviceKinds& kinds() const { return routed_.kinds; }
  const RoutedKinds& routed() const { return routed_; }
  const Problem& problem() const { return floors_->problem(); }
  const QueueOrder& queues() const { return *queues_; }
  bool one_slot(std::size_t kind) const { return one_slot_[kind] != 0; }
  bool possible(GroupId group, std::size_t kind) const { return possible_(group, kind); }
  double cost(OpId op, std::size_t kind) const { return floors_->seconds(op, cost_classes_[kind]); }
  // Infinite where the op cannot be.
  double end(OpId op, std::size_t kind) const { return ends_[op.index() * width_ + kind]; }
  // The subtraction rounds; the factor leaves room for that, so that the start is never too late.
  double start(OpId op, std::size_t kind) const {
    const double seconds = end(op, kind);
    return seconds == std::numeric_limits<double>::infinity()
               ? seconds
               : std::max(0.0, seconds * (1 - 0x1.0p-50) - cost(op, kind));
  }
  const std::vector<double>& earliest_ends() const { return earliest_ends_; }

  // The ops that `last` waits for at its earliest, first to last, itself included.
  std::vector<OpId> path_to(OpId last) const;
  // The same without companions: every op reads from the one before or comes after it.
  std::vector<OpId> plain_path_to(OpId last) const;

 private:
  struct Step {
    OpId op;
    std::size_t kind = 0;
  };

  PathTable(const CostFloors& floors, const Footprints& footprints, RoutedKinds routed,
            const QueueOrder& queues);

  bool together(OpId left, OpId right) const {
    return floors_->problem().group(left) == floors_->problem().group(right);
  }
  // Until when `later` waits for `earlier` and its companions, both on one device of the kind.
  double ended_here(OpId earlier, OpId later, std::size_t kind) const;
  // When the tensor can be on a device of the kind for the op to read.
  double arrival(TensorId tensor, OpId consumer, std::size_t kind) const {
    const OpId producer = graph_->producer(tensor);
    const double here = ended_here(producer, consumer, kind);
    return together(producer, consumer) ? here
                                        : std::min(here, received_[tensor.index() * width_ + kind]);
  }
  double ended(OpId earlier, OpId later, std::size_t kind) const {
    return together(earlier, later) ? ended_here(earlier, later, kind)
                                    : earliest_ends_[earlier.index()];
  }

  void relax(OpId op, const RaiseStarts* raise);
  void send(OpId op, TensorId tensor);
  std::size_t earliest_kind(OpId op) const;
  std::size_t sender_kind(TensorId tensor, std::size_t kind) const;
  OpId last_here(OpId earlier, OpId later, std::size_t kind) const;
  Step before(Step step, bool with_companions) const;
  std::vector<OpId> follow(OpId last, bool with_companions) const;

  const CostFloors* floors_;
  const Graph* graph_;
  const QueueOrder* queues_;
  RoutedKinds routed_;
  Possible possible_;
  std::size_t width_;                      // number of kinds
  std::vector<std::size_t> cost_classes_;  // by kind
  std::vector<std::uint8_t> one_slot_;     // by kind
  std::vector<double> ends_;               // op x kind
  std::vector<double> earliest_ends_;      // by op: least over kinds
  std::vector<double> received_;           // tensor x kind: earliest from another device
};

}  // namespace berth::bounds
