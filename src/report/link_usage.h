// How busy every channel of the cluster was during a step. A transfer occupies all the channels of
// its route from start to end, so a channel is busy while any transfer over it runs. A link with
// one channel each way has two rows, a shared link one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cost/problem.h"
#include "sim/timeline.h"

namespace berth::report {

struct ChannelUsage {
  std::uint32_t channel = 0;  // as in Route::channels
  double busy_seconds = 0;
  std::int64_t transfers = 0;
  std::int64_t bytes = 0;
};

// Channels that carried something, in order of number.
std::vector<ChannelUsage> channel_usage(const Problem& problem, const Timeline& timeline);
// The busiest; null when nothing travelled.
const ChannelUsage* busiest_channel(const std::vector<ChannelUsage>& usage);

// "gpu:0 -> pcie", or "gpu:0 <-> pcie" for a link both ways share.
std::string channel_name(const Cluster& cluster, std::uint32_t channel);

}  // namespace berth::report
