// The recurrence of path_bound.h as a table: the earliest end of every op on every kind of device.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "sim/cost_floors.h"
#include "sim/device_kinds.h"

namespace berth {

class PathTable {
 public:
  // Nothing where the table would be too large or the pass too long, and where some op cannot run
  // because no route leads to any device it may use. The references must outlive the table.
  static std::optional<PathTable> build(const CostFloors& floors, const Footprints& footprints,
                                        const DeviceKinds& kinds_by_use);

  // By use and by routes.
  const DeviceKinds& kinds() const { return routed_.kinds; }
  bool possible(GroupId group, std::size_t kind) const { return possible_(group, kind); }
  double cost(OpId op, std::size_t kind) const { return floors_->seconds(op, cost_classes_[kind]); }
  // Infinite where the op cannot be.
  double end(OpId op, std::size_t kind) const { return ends_[op.index() * width_ + kind]; }
  const std::vector<double>& earliest_ends() const { return earliest_ends_; }

  // The ops that `last` waits for at its earliest, first to last, itself included.
  std::vector<OpId> chain_to(OpId last) const;

 private:
  struct Step {
    OpId op;
    std::size_t kind = 0;
  };

  PathTable(const CostFloors& floors, const Footprints& footprints, RoutedKinds routed);

  bool together(OpId left, OpId right) const {
    return floors_->problem().group(left) == floors_->problem().group(right);
  }
  // When the tensor can be on a device of the kind for the op to read.
  double arrival(TensorId tensor, OpId consumer, std::size_t kind) const {
    const OpId producer = graph_->producer(tensor);
    return together(producer, consumer) ? end(producer, kind)
                                        : arrivals_[tensor.index() * width_ + kind];
  }
  double ended(OpId earlier, OpId later, std::size_t kind) const {
    return together(earlier, later) ? end(earlier, kind) : earliest_ends_[earlier.index()];
  }

  void relax(OpId op);
  void send(OpId op, TensorId tensor);
  std::size_t earliest_kind(OpId op) const;
  std::size_t sender_kind(TensorId tensor, std::size_t kind) const;
  Step before(Step step) const;

  const CostFloors* floors_;
  const Graph* graph_;
  RoutedKinds routed_;
  Possible possible_;
  std::size_t width_;                      // number of kinds
  std::vector<std::size_t> cost_classes_;  // by kind
  std::vector<double> ends_;               // op x kind
  std::vector<double> earliest_ends_;      // by op: least over kinds
  std::vector<double> arrivals_;           // tensor x kind, for consumers of other groups
};

}  // namespace berth
