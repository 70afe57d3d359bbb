// What all partitioning placers share: build the input of the partitioner, match parts with
// devices, put groups where they are allowed, evaluate, and repair what does not fit.
//
//   1. The devices to spread over: accelerators, or all with devices=all (group_devices.h).
//   2. The partitioner divides the groups (partition_input.h) into one part per device.
//   3. Parts are matched with devices of the same share so that most work is where it is allowed;
//      any other group goes to the allowed device with the most bytes of its neighbours. Groups
//      that may use none of the devices go to their fastest allowed one, likewise.
//   4. The result is simulated. If it does not fit, groups are moved until it does
//      (memory_repair.h), and the remark says so. With repair=off it is left as it is, which is
//      how published tables come to say OOM.
#pragma once

#include <functional>
#include <optional>

#include "place/partition/partition_input.h"
#include "place/placer.h"

namespace berth::place {

// Divides at least 2 vertices into at least 2 parts. nullopt when it failed; then the recursive
// bisection of `mincut` is used instead.
using Partitioner = std::function<std::optional<Parts>(const PartitionInput&)>;

// The options of every partitioning placer: imbalance, devices, repair.
std::vector<OptionSpec> partition_options(const std::string& default_imbalance);

Placed place_by_partition(const Problem& problem, const Request& request, const Options& options,
                          const Partitioner& partitioner);

}  // namespace berth::place
