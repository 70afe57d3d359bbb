#include "bounds/device_kinds.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace berth::bounds {
namespace {

// Numbers keys by first appearance, so that kinds ascend by their lowest device.
template <class Key>
DeviceKinds kinds_by_key(const std::vector<Key>& keys) {
  DeviceKinds kinds;
  std::map<Key, std::uint32_t> numbers;
  for (std::size_t d = 0; d < keys.size(); ++d) {
    const auto [at, added] =
        numbers.try_emplace(keys[d], static_cast<std::uint32_t>(kinds.representatives.size()));
    if (added) {
      kinds.representatives.emplace_back(d);
      kinds.counts.push_back(0);
    }
    kinds.kind_of.push_back(at->second);
    ++kinds.counts[at->second];
  }
  return kinds;
}

// By device, the rules that allow it, ascending.
std::vector<std::vector<std::uint32_t>> sets_by_device(const Problem& problem) {
  std::vector<std::vector<std::uint32_t>> sets(problem.device_count());
  std::vector<std::uint8_t> seen(problem.device_set_count(), 0);
  for (std::size_t g = 0; g < problem.group_count(); ++g) {
    const std::size_t device_set = problem.device_set(GroupId(g));
    if (std::exchange(seen[device_set], 1)) continue;
    for (const DeviceId device : problem.allowed_devices(GroupId(g))) {
      sets[device.index()].push_back(static_cast<std::uint32_t>(device_set));
    }
  }
  return sets;
}

// Keeps, of the arcs from one kind, those that are best for some size. Sorted by kind, latency,
// then falling bandwidth, an arc is beaten unless its bandwidth exceeds that of all before it.
std::vector<Arc> best_arcs(std::vector<Arc> arcs) {
  std::sort(arcs.begin(), arcs.end(), [](const Arc& left, const Arc& right) {
    return std::tuple(left.from_kind, left.latency_seconds, -left.bandwidth) <
           std::tuple(right.from_kind, right.latency_seconds, -right.bandwidth);
  });
  std::vector<Arc> kept;
  for (const Arc& arc : arcs) {
    const bool beaten = !kept.empty() && kept.back().from_kind == arc.from_kind &&
                        kept.back().bandwidth >= arc.bandwidth;
    if (!beaten) kept.push_back(arc);
  }
  return kept;
}

using RouteSort = std::pair<double, double>;  // latency, bandwidth

// Number of the sort of route from `from` to `to` at from x devices + to; kNone where there is
// none.
std::vector<std::uint32_t> sorts_of_route(const Cluster& cluster) {
  const std::size_t devices = cluster.device_count();
  std::map<RouteSort, std::uint32_t> numbers;
  std::vector<std::uint32_t> sorts(devices * devices, Graph::kNone);
  for (std::size_t from = 0; from < devices; ++from) {
    for (std::size_t to = 0; to < devices; ++to) {
      const Route route = cluster.route(DeviceId(from), DeviceId(to));
      if (from == to || !route.exists()) continue;
      const auto [at, added] = numbers.try_emplace({route.latency_seconds, route.bandwidth},
                                                   static_cast<std::uint32_t>(numbers.size()));
      sorts[from * devices + to] = at->second;
    }
  }
  return sorts;
}

}  // namespace

DeviceKinds kinds_by_use(const Problem& problem, const Footprints& footprints) {
  const auto sets = sets_by_device(problem);
  // Beyond this, more memory changes nothing, so devices that differ only there are of one kind.
  // Fewer kinds make every table below smaller.
  const std::int64_t ample_bytes =
      add_bytes(footprints.total_resident_bytes, footprints.most_needed_bytes);
  using Key = std::tuple<std::size_t, std::int64_t, std::int64_t, std::vector<std::uint32_t>>;
  std::vector<Key> keys;
  for (std::size_t d = 0; d < problem.device_count(); ++d) {
    const DeviceId device(d);
    keys.emplace_back(problem.device_class(device), problem.cluster().device(device).slots,
                      std::min(problem.usable_bytes(device), ample_bytes), sets[d]);
  }
  return kinds_by_key(keys);
}

RoutedKinds split_by_routes(const Cluster& cluster, DeviceKinds kinds) {
  const std::size_t devices = cluster.device_count();
  const std::vector<std::uint32_t> sorts = sorts_of_route(cluster);
  using Key = std::pair<std::uint32_t, std::vector<std::pair<std::uint32_t, std::uint32_t>>>;
  // Refined until nothing splits any more. Each round but the last adds a kind, so it ends. Devices
  // of one kind are then reached from the same kinds by the same sorts of route, so any one of them
  // can represent the kind.
  for (std::size_t before = 0; before != kinds.size();) {
    before = kinds.size();
    std::vector<Key> keys(devices);
    for (std::size_t to = 0; to < devices; ++to) {
      keys[to].first = kinds.kind_of[to];
      auto& reached_from = keys[to].second;
      for (std::size_t from = 0; from < devices; ++from) {
        const std::uint32_t sort = sorts[from * devices + to];
        if (sort != Graph::kNone) reached_from.emplace_back(kinds.kind_of[from], sort);
      }
      std::sort(reached_from.begin(), reached_from.end());
      // How many devices of a kind reach it does not count: a bound takes the best of them. Keeping
      // the numbers would split kinds for nothing.
      reached_from.erase(std::unique(reached_from.begin(), reached_from.end()), reached_from.end());
    }
    kinds = kinds_by_key(keys);
  }

  RoutedKinds routed;
  routed.arrivals.begins.push_back(0);
  for (const DeviceId to : kinds.representatives) {
    std::vector<Arc> arcs;
    for (std::size_t from = 0; from < devices; ++from) {
      if (sorts[from * devices + to.index()] == Graph::kNone) continue;
      const Route route = cluster.route(DeviceId(from), to);
      arcs.push_back({kinds.kind_of[from], route.latency_seconds, route.bandwidth});
    }
    arcs = best_arcs(std::move(arcs));
    routed.arrivals.items.insert(routed.arrivals.items.end(), arcs.begin(), arcs.end());
    routed.arrivals.begins.push_back(static_cast<std::uint32_t>(routed.arrivals.items.size()));
  }
  routed.kinds = std::move(kinds);
  return routed;
}

Possible::Possible(const Problem& problem, const Footprints& footprints, const DeviceKinds& kinds)
    : problem_(&problem), footprints_(&footprints), kinds_(kinds.size()) {
  allowed_.assign(problem.device_set_count() * kinds_, 0);
  const auto sets = sets_by_device(problem);
  for (std::size_t k = 0; k < kinds_; ++k) {
    for (const std::uint32_t rule : sets[kinds.representatives[k].index()]) {
      allowed_[rule * kinds_ + k] = 1;
    }
  }
  for (const DeviceId device : kinds.representatives) {
    usable_bytes_.push_back(problem.usable_bytes(device));
  }
}

}  // namespace berth::bounds
