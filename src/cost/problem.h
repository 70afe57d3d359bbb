// A graph on a cluster with its costs and constraints, compiled once into dense arrays and then
// only read. It can be shared among threads, and is all that placers and the simulator look at.
//
// Devices on which every op costs the same form a cost class (the four GPUs of a host are one), so
// the table of seconds is ops x classes instead of ops x devices. Ops that must share a device by
// `colocate`, directly or through constraints, form one group; any other op is a group of its own.
// Groups are numbered by their lowest op. Placers decide per group.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/ids.h"
#include "cluster/cluster.h"
#include "cost/constraints.h"
#include "cost/cost_model.h"
#include "cost/groups.h"
#include "graph/graph.h"

namespace berth {

class Problem {
 public:
  static constexpr double kImpossible = std::numeric_limits<double>::infinity();

  // Throws InputError when an op has no allowed device, colocated ops have none in common, a
  // constraint matches nothing, or an op's cost on an allowed device cannot be told.
  Problem(Graph graph, Cluster cluster, const Constraints& constraints = {});
  Problem(std::shared_ptr<const Graph> graph, std::shared_ptr<const Cluster> cluster,
          const Constraints& constraints = {});

  const Graph& graph() const { return *graph_; }
  const Cluster& cluster() const { return *cluster_; }
  std::size_t op_count() const { return graph_->op_count(); }
  std::size_t device_count() const { return cluster_->device_count(); }

  // Costs.
  OpClass op_class(OpId op) const { return type_classes_[graph_->type_index(op)]; }
  std::size_t class_count() const { return class_representatives_.size(); }
  std::size_t device_class(DeviceId device) const { return device_classes_[device.index()]; }
  DeviceId class_representative(std::size_t cost_class) const {
    return class_representatives_[cost_class];
  }
  // kImpossible where no device of the class is allowed for the op.
  double class_seconds(OpId op, std::size_t cost_class) const {
    return seconds_[op.index() * class_count() + cost_class];
  }
  double seconds(OpId op, DeviceId device) const {
    return class_seconds(op, device_classes_[device.index()]);
  }
  // Least over the op's allowed devices.
  double fastest_seconds(OpId op) const;
  // True when the op's time on the device was given (`seconds`), not modelled.
  bool has_given_seconds(OpId op, DeviceId device) const;
  // Cost of ops fused into one, by the rules of fusion (docs/execution.md). Members ascending.
  double fused_seconds(std::span<const OpId> members, DeviceId device) const;

  // Groups.
  std::size_t group_count() const { return groups_.device_sets.size(); }
  GroupId group(OpId op) const { return groups_.of_op[op.index()]; }
  std::span<const OpId> members(GroupId group) const { return groups_.members.row(group.index()); }
  // Where all ops of the group may run, ascending; never empty.
  std::span<const DeviceId> allowed_devices(GroupId group) const {
    return groups_.set_devices[groups_.device_sets[group.index()]];
  }
  std::span<const DeviceId> allowed_devices(OpId op) const { return allowed_devices(group(op)); }
  bool allowed(OpId op, DeviceId device) const {
    return groups_.set_bits[device_set(group(op)) * device_count() + device.index()] != 0;
  }
  // Groups that share a list of allowed devices share its number: 0 .. device_set_count() - 1.
  std::size_t device_set(GroupId group) const { return groups_.device_sets[group.index()]; }
  std::size_t device_set_count() const { return groups_.set_devices.size(); }

  // Bytes a plan may use on the device: memory less what is reserved.
  std::int64_t usable_bytes(DeviceId device) const { return usable_bytes_[device.index()]; }

 private:
  void classify_devices();
  void compile_costs();
  void check_total_seconds() const;

  std::shared_ptr<const Graph> graph_;
  std::shared_ptr<const Cluster> cluster_;

  std::vector<OpClass> type_classes_;  // by the graph's type index
  std::vector<std::uint32_t> device_classes_;
  std::vector<DeviceId> class_representatives_;
  std::vector<double> seconds_;

  Groups groups_;
  std::vector<std::int64_t> usable_bytes_;
};

}  // namespace berth
