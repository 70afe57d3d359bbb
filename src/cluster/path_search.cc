#include "cluster/path_search.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>

namespace berth {
namespace {

// The largest double x >= 0 for which x + addend rounds to at most `total`; negative when there is
// none. Non-negative doubles are ordered like their bits, so this is a binary search over bits.
// Stepping up from total - addend one double at a time could take 2^60 steps.
double largest_prefix(double total, double addend) {
  if (!(addend <= total)) return -1;
  std::uint64_t low = 0;
  std::uint64_t high = std::bit_cast<std::uint64_t>(total);
  while (low < high) {
    const std::uint64_t middle = low + (high - low + 1) / 2;
    if (std::bit_cast<double>(middle) + addend <= total)
      low = middle;
    else
      high = middle - 1;
  }
  return std::bit_cast<double>(low);
}

}  // namespace

Arcs::Arcs(const Cluster& cluster) : begin_(cluster.vertex_count() + 1, 0) {
  for (const Link& link : cluster.links()) {
    ++begin_[link.from + 1];
    ++begin_[link.to + 1];
  }
  for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
  arcs_.resize(begin_.back());
  std::vector<std::size_t> free(begin_.begin(), begin_.end() - 1);
  for (std::uint32_t i = 0; i < cluster.links().size(); ++i) {
    const Link& link = cluster.links()[i];
    const std::uint32_t way_back = link.duplex ? 1 : 0;
    arcs_[free[link.from]++] = {link.to, 2 * i, link.bandwidth, link.latency_seconds};
    arcs_[free[link.to]++] = {link.from, 2 * i + way_back, link.bandwidth, link.latency_seconds};
  }
}

PathSearch::PathSearch(const Arcs& arcs, std::size_t device_count, std::size_t vertex_count)
    : arcs_(arcs),
      device_count_(device_count),
      hops_(vertex_count),
      latency_(vertex_count),
      bottleneck_(vertex_count),
      before_(vertex_count),
      channel_(vertex_count),
      rank_(vertex_count),
      limit_(vertex_count, -1) {}

void PathSearch::run(std::uint32_t source, double minimum_bandwidth) {
  source_ = source;
  minimum_bandwidth_ = minimum_bandwidth;
  smallest_gap_ = std::numeric_limits<double>::infinity();
  std::fill(hops_.begin(), hops_.end(), kUnreached);
  hops_[source] = 0;
  latency_[source] = 0;
  bottleneck_[source] = std::numeric_limits<double>::infinity();
  rank_[source] = 0;
  level_.assign(1, source);

  double longest = 0;
  std::uint32_t hops = 0;
  while (!level_.empty()) {
    ++hops;
    next_level_.clear();
    for (const std::uint32_t vertex : level_) expand(vertex, hops);
    level_.clear();
    for (const std::uint32_t vertex : next_level_) {
      longest = std::max(longest, latency_[vertex]);
      if (is_switch(vertex)) level_.push_back(vertex);  // devices do not forward
    }
    // By list of links: the list of the vertex before, which its rank stands for, then the last
    // link.
    std::sort(level_.begin(), level_.end(), [this](std::uint32_t a, std::uint32_t b) {
      const std::uint32_t rank_a = rank_[before_[a]];
      const std::uint32_t rank_b = rank_[before_[b]];
      return rank_a != rank_b ? rank_a < rank_b : channel_[a] < channel_[b];
    });
    for (std::uint32_t i = 0; i < level_.size(); ++i) rank_[level_[i]] = i;
  }

  // A sum of n terms has a relative error of at most n x 2^-53. So two prefixes can round to the
  // same total only if they differ by at most twice that. Twice as much again is allowed for
  // safety: a false alarm costs time, a missed tie a wrong route.
  had_near_tie_ = smallest_gap_ <= 4 * hops * 0x1.0p-53 * longest;
}

void PathSearch::expand(std::uint32_t vertex, std::uint32_t level) {
  for (const Arc& arc : arcs_.of(vertex)) {
    if (arc.bandwidth < minimum_bandwidth_) continue;
    const std::uint32_t next = arc.vertex;
    const double latency = latency_[vertex] + arc.latency_seconds;
    if (hops_[next] == kUnreached) {
      hops_[next] = level;
      next_level_.push_back(next);
    } else {
      // At equal latency the one found first has the smaller list.
      if (hops_[next] != level || latency == latency_[next]) continue;
      if (is_switch(next))
        smallest_gap_ = std::min(smallest_gap_, std::abs(latency - latency_[next]));
      if (latency > latency_[next]) continue;
    }
    latency_[next] = latency;
    bottleneck_[next] = std::min(bottleneck_[vertex], arc.bandwidth);
    before_[next] = vertex;
    channel_[next] = arc.channel;
  }
}

double PathSearch::bottleneck(std::uint32_t target) {
  if (!had_near_tie_) return bottleneck_[target];
  double narrowest = std::numeric_limits<double>::infinity();
  walk_exactly(target, [&](const Arc& arc) { narrowest = std::min(narrowest, arc.bandwidth); });
  return narrowest;
}

void PathSearch::append_channels(std::uint32_t target, std::vector<std::uint32_t>& channels) {
  if (had_near_tie_) {
    walk_exactly(target, [&](const Arc& arc) { channels.push_back(arc.channel); });
    return;
  }
  const std::size_t begin = channels.size();
  channels.resize(begin + hops_[target]);
  std::size_t at = channels.size();
  for (std::uint32_t vertex = target; vertex != source_; vertex = before_[vertex])
    channels[--at] = channel_[vertex];
}

void PathSearch::limit_prefixes(std::uint32_t target) {
  limit_[target] = latency_[target];
  limited_.assign(1, target);
  // limited_ grows level by level, so the limit of a vertex is final before it is passed on.
  for (std::size_t i = 0; i < limited_.size(); ++i) {
    const std::uint32_t vertex = limited_[i];
    for (const Arc& arc : arcs_.of(vertex)) {
      const std::uint32_t before = arc.vertex;
      if (!is_switch(before) || arc.bandwidth < minimum_bandwidth_) continue;
      if (hops_[before] == kUnreached || hops_[before] + 1 != hops_[vertex]) continue;
      const double limit = largest_prefix(limit_[vertex], arc.latency_seconds);
      if (limit < latency_[before]) continue;
      if (limit_[before] < 0) limited_.push_back(before);
      limit_[before] = std::max(limit_[before], limit);
    }
  }
}

template <class Visit>
void PathSearch::walk_exactly(std::uint32_t target, Visit visit) {
  limit_prefixes(target);
  double latency = 0;
  for (std::uint32_t vertex = source_; vertex != target;) {
    [[maybe_unused]] const std::uint32_t here = vertex;
    for (const Arc& arc : arcs_.of(vertex)) {
      const std::uint32_t next = arc.vertex;
      if (arc.bandwidth < minimum_bandwidth_ || hops_[next] != hops_[vertex] + 1) continue;
      if (limit_[next] < 0 || latency + arc.latency_seconds > limit_[next]) continue;
      visit(arc);
      latency += arc.latency_seconds;
      vertex = next;
      break;
    }
    assert(vertex != here && "a limit is only set where some prefix keeps to it");
  }
  for (const std::uint32_t vertex : limited_) limit_[vertex] = -1;
}

}  // namespace berth
