// What all partitioning placers do around their partitioner: build its input, match parts to
// devices, put groups where they are allowed, evaluator, and repair what does not fit.
//
//   1. The devices to spread over: accelerators, or all with devices=all (group_devices.h).
//   2. The partitioner divides the groups (partition_input.h) into one part per device.
//   3. Parts are matched with devices of the same share so that most work is where it is allowed;
//      a group that still is not goes to the allowed device that most of its bytes lead to. Groups
//      that may use none of the devices go to their fastest allowed one, likewise.
//   4. The simulator judges the result as it is; if it does not fit, groups are moved until it does
//      (memory_repair.h), which the remark tells. With repair=off it is left as it is, which is how
//      published tables come to say OOM.
#pragma once

#include <functional>
#include <optional>

#include "place/partition/partition_input.h"
#include "place/placer.h"

namespace berth::place {

// Divides the vertices, at least 2 of them and at least 2 parts; nullopt when it failed, and the
// recursive bisection of `mincut` stands in.
using Partitioner = std::function<std::optional<Parts>(const PartitionInput&)>;

// The options of every partitioning placer: imbalance, devices, repair.
std::vector<OptionSpec> partition_options(const std::string& default_imbalance);

Placed place_by_partition(const Problem& problem, const Request& request, const Options& options,
                          const Partitioner& partitioner);

}  // namespace berth::place
