#include "report/link_usage.h"

#include <fmt/format.h>

#include "report/text.h"

namespace berth::report {

std::vector<ChannelUsage> channel_usage(const Problem& problem, const Timeline& timeline) {
  const Cluster& cluster = problem.cluster();
  std::vector<ChannelUsage> usage(cluster.channel_count());
  for (const Timeline::Transfer& transfer : timeline.transfers) {
    const double seconds = transfer.end_seconds - transfer.start_seconds;
    for (const std::uint32_t channel : cluster.route(transfer.from, transfer.to).channels) {
      usage[channel].busy_seconds += seconds;
      usage[channel].transfers += 1;
      usage[channel].bytes += problem.graph().bytes(transfer.tensor);
    }
  }
  std::vector<ChannelUsage> used;
  for (std::uint32_t channel = 0; channel < usage.size(); ++channel) {
    if (usage[channel].transfers == 0) continue;
    used.push_back(usage[channel]);
    used.back().channel = channel;
  }
  return used;
}

const ChannelUsage* busiest_channel(const std::vector<ChannelUsage>& usage) {
  const ChannelUsage* busiest = nullptr;
  for (const ChannelUsage& candidate : usage) {
    if (!busiest || candidate.busy_seconds > busiest->busy_seconds) busiest = &candidate;
  }
  return busiest;
}

std::string channel_name(const Cluster& cluster, std::uint32_t channel) {
  const Link& link = cluster.links()[channel / 2];
  const bool back = channel % 2 == 1;
  return fmt::format("{} {} {}", plain_name(cluster.vertex_name(back ? link.to : link.from), 24),
                     link.duplex ? "->" : "<->",
                     plain_name(cluster.vertex_name(back ? link.from : link.to), 24));
}

}  // namespace berth::report
