#include "cost/groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "base/error.h"
#include "cost/glob.h"

namespace berth {
namespace {

// Joins ops that must share a device.
class UnionFind {
 public:
  explicit UnionFind(std::size_t size) : parent_(size) {
    std::iota(parent_.begin(), parent_.end(), 0u);
  }
  std::uint32_t find(std::uint32_t item) {
    while (parent_[item] != item) item = parent_[item] = parent_[parent_[item]];
    return item;
  }
  // The lower number stays the root, so groups come out numbered by their lowest op.
  void join(std::uint32_t left, std::uint32_t right) {
    left = find(left);
    right = find(right);
    parent_[std::max(left, right)] = std::min(left, right);
  }

 private:
  std::vector<std::uint32_t> parent_;
};

using Bits = std::vector<std::uint8_t>;  // one per device

Bits devices_matching(const Cluster& cluster, const std::vector<std::string>& labels) {
  Bits bits(cluster.device_count(), 0);
  for (std::size_t d = 0; d < bits.size(); ++d) {
    for (const std::string& label : labels) {
      bits[d] |= cluster.device(DeviceId(d)).answers_to(label);
    }
  }
  return bits;
}

Bits intersection(Bits left, const Bits& right) {
  for (std::size_t d = 0; d < left.size(); ++d) left[d] &= right[d];
  return left;
}

bool none(const Bits& bits) { return std::find(bits.begin(), bits.end(), 1) == bits.end(); }

// Ops share few distinct sets of devices, so sets are numbered.
class DeviceSets {
 public:
  std::uint32_t number(const Bits& bits) {
    const auto [at, added] = numbers_.try_emplace(bits, static_cast<std::uint32_t>(sets_.size()));
    if (added) sets_.push_back(bits);
    return at->second;
  }
  const Bits& operator[](std::uint32_t number) const { return sets_[number]; }
  std::size_t size() const { return sets_.size(); }

 private:
  std::map<Bits, std::uint32_t> numbers_;
  std::vector<Bits> sets_;
};

class Compiler {
 public:
  Compiler(const Graph& graph, const Cluster& cluster, const Constraints& constraints)
      : graph_(graph), cluster_(cluster), constraints_(constraints), together_(graph.op_count()) {}

  Groups compile() {
    // Devices are narrowed per op before groups intersect the sets of their ops. So a contradiction
    // within one op is reported as such, and not as one between colocated ops.
    join_labels();
    join_constraints();
    allow_devices();
    narrow_by_pins();
    number_groups();
    fill_device_sets();
    return std::move(groups_);
  }

 private:
  void join_labels() {
    std::vector<std::uint32_t> first(graph_.colocation_labels().size(), Graph::kNone);
    for (std::uint32_t i = 0; i < graph_.op_count(); ++i) {
      const std::uint32_t label = graph_.colocation_label(OpId(i));
      if (label == Graph::kNone) continue;
      if (first[label] == Graph::kNone) first[label] = i;
      together_.join(first[label], i);
    }
  }

  void join_constraints() {
    for (const auto& patterns : constraints_.colocated) {
      std::uint32_t first = Graph::kNone;
      for (const std::string& pattern : patterns) {
        for (const OpId op : ops_matching(pattern)) {
          const auto i = static_cast<std::uint32_t>(op.index());
          if (first == Graph::kNone) first = i;
          together_.join(first, i);
        }
      }
    }
  }

  // What each op may use by its own list, less the forbidden devices.
  void allow_devices() {
    Bits usable(cluster_.device_count(), 1);
    for (const std::string& label : constraints_.forbidden_devices) {
      check_label(label);
      const Bits forbidden = devices_matching(cluster_, {label});
      for (std::size_t d = 0; d < usable.size(); ++d) usable[d] &= !forbidden[d];
    }
    std::vector<std::uint32_t> listed_sets;
    for (const auto& labels : graph_.device_sets()) {
      listed_sets.push_back(sets_.number(intersection(devices_matching(cluster_, labels), usable)));
    }
    op_sets_.assign(graph_.op_count(), sets_.number(usable));
    for (std::size_t i = 0; i < graph_.op_count(); ++i) {
      // Sets are compared by number below: ops with equal lists share one.
      const std::uint32_t set = graph_.device_set(OpId(i));
      if (set != Graph::kNone) op_sets_[i] = listed_sets[set];
      if (none(sets_[op_sets_[i]])) fail_no_device(OpId(i));
    }
  }

  void narrow_by_pins() {
    for (const Constraints::Pin& pin : constraints_.pins) {
      for (const std::string& label : pin.devices) check_label(label);
      const Bits pinned = devices_matching(cluster_, pin.devices);
      // Ops that had the same set before have the same one after.
      std::map<std::uint32_t, std::uint32_t> narrowed;
      for (const OpId op : ops_matching(pin.pattern)) {
        std::uint32_t& set = op_sets_[op.index()];
        const auto known = narrowed.find(set);
        if (known != narrowed.end()) {
          set = known->second;
          continue;
        }
        const Bits bits = intersection(sets_[set], pinned);
        if (none(bits)) {
          throw InputError(
              fmt::format("{}: op {} is pinned to {}, but it may not run there; its \"devices\", "
                          "other pins and \"forbid\" leave no device",
                          constraints_.source, quoted(graph_.op_name(op)), join_names(pin.devices)),
              {.code = ErrorCode::conflict,
               .subject = std::string(graph_.op_name(op)),
               .place = constraints_.source});
        }
        set = narrowed[set] = sets_.number(bits);
      }
    }
  }

  void number_groups() {
    const std::size_t ops = graph_.op_count();
    groups_.of_op.assign(ops, GroupId());
    groups_.members.begins.assign(1, 0);
    for (std::uint32_t i = 0; i < ops; ++i) {
      const std::uint32_t root = together_.find(i);
      if (root == i) {
        groups_.of_op[i] = GroupId(group_sets_.size());
        group_sets_.push_back(op_sets_[i]);
        groups_.members.begins.push_back(0);
      } else {
        // The root is the lowest op of its group, so its group has a number already.
        groups_.of_op[i] = groups_.of_op[root];
        narrow_group(OpId(root), OpId(i));
      }
      ++groups_.members.begins[groups_.of_op[i].index() + 1];
    }
    auto& begins = groups_.members.begins;
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    groups_.members.items.resize(ops);
    std::vector<std::uint32_t> next(begins.begin(), begins.end() - 1);
    for (std::uint32_t i = 0; i < ops; ++i) {
      groups_.members.items[next[groups_.of_op[i].index()]++] = OpId(i);
    }
  }

  void narrow_group(OpId root, OpId op) {
    std::uint32_t& set = group_sets_[groups_.of_op[op.index()].index()];
    // By far the most common case, and numbers are equal exactly when sets are.
    if (set == op_sets_[op.index()]) return;
    const Bits bits = intersection(sets_[set], sets_[op_sets_[op.index()]]);
    if (none(bits)) {
      const std::uint32_t label = graph_.colocation_label(op);
      const std::string reason =
          label == Graph::kNone
              ? std::string()
              : fmt::format(" (colocate {})", quoted(graph_.colocation_labels()[label]));
      throw InputError(fmt::format("ops {} and {} of model {} must share one device{}, but the "
                                   "devices they may use have "
                                   "none "
                                   "in common",
                                   quoted(graph_.op_name(root)), quoted(graph_.op_name(op)),
                                   quoted(graph_.name()), reason),
                       {.code = ErrorCode::conflict, .subject = std::string(graph_.op_name(op))});
    }
    set = sets_.number(bits);
  }

  // Keeps only the sets that groups use, the others are dropped.
  void fill_device_sets() {
    std::vector<std::uint32_t> kept_set(sets_.size(), Graph::kNone);
    for (const std::uint32_t set : group_sets_) {
      if (kept_set[set] == Graph::kNone) {
        kept_set[set] = static_cast<std::uint32_t>(groups_.set_devices.size());
        auto& devices = groups_.set_devices.emplace_back();
        for (std::size_t d = 0; d < sets_[set].size(); ++d) {
          if (sets_[set][d]) devices.emplace_back(d);
        }
        groups_.set_bits.insert(groups_.set_bits.end(), sets_[set].begin(), sets_[set].end());
      }
      groups_.device_sets.push_back(kept_set[set]);
    }
  }

  void check_label(const std::string& label) const {
    if (!none(devices_matching(cluster_, {label}))) return;
    const auto labels = device_labels(cluster_);
    throw InputError(
        fmt::format("{}: {} is neither the name, the model nor the kind of a device of cluster {}; "
                    "it has {}{}",
                    constraints_.source, quoted(label), quoted(cluster_.name()), join_names(labels),
                    did_you_mean(label, labels)),
        {.code = ErrorCode::unknown_name, .subject = label, .place = constraints_.source});
  }

  std::vector<OpId> ops_matching(const std::string& pattern) const {
    // An exact name comes first: names may contain * and ? themselves.
    if (const auto exact = graph_.find_op(pattern)) return {*exact};
    const Glob glob(pattern);
    std::vector<OpId> ops;
    for (std::size_t i = 0; i < graph_.op_count(); ++i) {
      if (glob.matches(graph_.op_name(OpId(i)))) ops.emplace_back(i);
    }
    if (ops.empty()) {
      throw InputError(
          fmt::format("{}: no op of model {} matches {}; use a name or a glob (* ? [ab])",
                      constraints_.source, quoted(graph_.name()), quoted(pattern)),
          {.code = ErrorCode::unknown_name, .subject = pattern, .place = constraints_.source});
    }
    return ops;
  }

  [[noreturn]] void fail_no_device(OpId op) const {
    const std::uint32_t set = graph_.device_set(op);
    throw InputError(fmt::format("op {} of model {} may run only on {}, and cluster {} has no such "
                                 "device left; it has {}",
                                 quoted(graph_.op_name(op)), quoted(graph_.name()),
                                 set == Graph::kNone ? std::string("devices that are not forbidden")
                                                     : join_names(graph_.device_sets()[set]),
                                 quoted(cluster_.name()), join_names(device_labels(cluster_))),
                     {.code = ErrorCode::conflict, .subject = std::string(graph_.op_name(op))});
  }

  const Graph& graph_;
  const Cluster& cluster_;
  const Constraints& constraints_;
  UnionFind together_;
  DeviceSets sets_;
  std::vector<std::uint32_t> op_sets_, group_sets_;
  Groups groups_;
};

}  // namespace

std::vector<std::string> device_labels(const Cluster& cluster) {
  std::vector<std::string> labels;
  for (const Device& device : cluster.devices()) {
    for (const std::string& label : {device.name, device.model, device.kind}) {
      if (!label.empty() && std::find(labels.begin(), labels.end(), label) == labels.end()) {
        labels.push_back(label);
      }
    }
  }
  return labels;
}

Groups compile_groups(const Graph& graph, const Cluster& cluster, const Constraints& constraints) {
  return Compiler(graph, cluster, constraints).compile();
}

}  // namespace berth
