#include "place/sequence/segment_plan.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "place/groups/device_sample.h"
#include "place/sequence/layer_profile.h"

namespace berth::place {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr std::size_t kMostCandidates = 512;
constexpr double kFewestCandidates = 8;
constexpr std::size_t kMostStates = 4096;

// Mean time of a transfer between devices of two kinds.
struct KindRoute {
  double latency_seconds = 0;
  double seconds_per_byte = 0;
  bool exists = false;
};

KindRoute mean_route_between(const Cluster& cluster, const DeviceKind& from, const DeviceKind& to) {
  KindRoute mean;
  double pairs = 0;
  const std::vector<DeviceId> targets = device_sample(to.devices);
  for (const DeviceId source : device_sample(from.devices)) {
    for (const DeviceId target : targets) {
      const Route route = cluster.route(source, target);
      if (source == target || !route.exists()) continue;
      mean.latency_seconds += route.latency_seconds;
      mean.seconds_per_byte += 1 / route.bandwidth;
      pairs += 1;
    }
  }
  if (pairs == 0) return {};
  return {mean.latency_seconds / pairs, mean.seconds_per_byte / pairs, true};
}

// By kind: how many of its devices the table distinguishes. Where the table would be too large,
// later kinds count as having fewer devices, but at least one.
std::vector<std::size_t> counted_devices(const std::vector<DeviceKind>& kinds) {
  std::vector<std::size_t> counts;
  std::size_t states = 1;
  for (const DeviceKind& kind : kinds) {
    const std::size_t room = std::max<std::size_t>(2, kMostStates / states) - 1;
    counts.push_back(std::min(kind.devices.size(), room));
    states = std::min(states * (counts.back() + 1), kMostStates);
  }
  return counts;
}

// Each kind at least doubles the number of states, so many kinds take too much memory and time.
// Then the two most similar in speed are merged, with the cost of the slower and the memory of the
// smaller, until the table is small enough.
std::vector<DeviceKind> few_kinds(std::vector<DeviceKind> kinds, const LayerProfile& profile,
                                  double most_steps) {
  const auto total = [&](const DeviceKind& kind) {
    return profile.seconds(kind.cost_class, 0, profile.layer_count());
  };
  const auto too_many = [&] {
    double states = 1;
    for (const std::size_t count : counted_devices(kinds)) states *= static_cast<double>(count + 1);
    const double steps = states * static_cast<double>(kinds.size() * kinds.size()) *
                         kFewestCandidates * kFewestCandidates / 2;
    return states > 2.0 * kMostStates || steps > most_steps;
  };
  if (!too_many()) return kinds;
  std::stable_sort(
      kinds.begin(), kinds.end(),
      [&](const DeviceKind& left, const DeviceKind& right) { return total(left) < total(right); });
  while (kinds.size() > 1 && too_many()) {
    const auto apart = [&](std::size_t at) { return total(kinds[at + 1]) / total(kinds[at]); };
    std::size_t closest = 0;
    for (std::size_t at = 1; at + 1 < kinds.size(); ++at) {
      if (apart(at) < apart(closest)) closest = at;
    }
    DeviceKind& faster = kinds[closest];
    const DeviceKind& slower = kinds[closest + 1];
    faster.cost_class = slower.cost_class;
    faster.limit_bytes = std::min(faster.limit_bytes, slower.limit_bytes);
    faster.devices.insert(faster.devices.end(), slower.devices.begin(), slower.devices.end());
    kinds.erase(kinds.begin() + static_cast<std::ptrdiff_t>(closest) + 1);
  }
  return kinds;
}

class SegmentPlanner {
 public:
  SegmentPlanner(const Problem& problem, const LayerProfile& profile, SegmentObjective objective,
                 std::span<const std::int64_t> limits, double most_steps)
      : profile_(profile),
        objective_(objective),
        most_steps_(most_steps),
        kinds_(few_kinds(find_device_kinds(problem, limits), profile, most_steps)) {
    for (const DeviceKind& from : kinds_) {
      for (const DeviceKind& to : kinds_) {
        routes_.push_back(mean_route_between(problem.cluster(), from, to));
      }
    }
    count_states();
    choose_cuts();
    measure_segments();
  }

  std::vector<LayerDevices> run() {
    values_.assign(states_ * kinds_.size() * cuts_.size(), kNever);
    origins_.assign(values_.size(), {});
    // Adding a segment increases a count and with it the number of the state, so one pass in order
    // of states suffices.
    for (std::size_t state = 0; state < states_; ++state) {
      for (std::size_t kind = 0; kind < kinds_.size(); ++kind) extend(state, kind);
    }
    return collect();
  }

 private:
  struct Origin {
    std::uint16_t cut = 0;
    std::uint16_t kind = 0xffff;  // of the segment before; none for the first
  };

  // States number the tuples of devices used of each kind in mixed radix.
  void count_states() {
    counts_ = counted_devices(kinds_);
    states_ = 1;
    for (const std::size_t count : counts_) {
      strides_.push_back(states_);
      states_ *= count + 1;
    }
  }

  std::size_t used(std::size_t state, std::size_t kind) const {
    return state / strides_[kind] % (counts_[kind] + 1);
  }

  void choose_cuts() {
    const std::size_t layers = profile_.layer_count();
    const double kinds = static_cast<double>(kinds_.size());
    const double affordable =
        std::sqrt(2 * most_steps_ / (static_cast<double>(states_) * kinds * kinds));
    const std::size_t most = std::min(
        kMostCandidates, static_cast<std::size_t>(std::max(kFewestCandidates, affordable)));
    cuts_.push_back(0);
    if (layers <= most) {
      for (std::size_t layer = 1; layer < layers; ++layer) cuts_.push_back(layer);
    } else {
      choose_cheap_cuts(most);
    }
    cuts_.push_back(layers);
  }

  void choose_cheap_cuts(std::size_t stretches) {
    const std::size_t layers = profile_.layer_count();
    const std::size_t cost_class = kinds_.front().cost_class;
    const double total = profile_.seconds(cost_class, 0, layers);
    const auto across = [&](std::size_t layer) {
      return profile_.crossing(layer).forward_bytes + profile_.crossing(layer).backward_bytes;
    };
    std::size_t layer = 1;
    for (std::size_t stretch = 0; stretch < stretches && layer < layers; ++stretch) {
      const double until =
          total * static_cast<double>(stretch + 1) / static_cast<double>(stretches);
      const std::size_t rest = stretches - stretch;
      // Without work to go by, stretches are equally long.
      const std::size_t longest = (layers - layer + rest - 1) / rest;
      std::size_t cheapest = layer;
      for (std::size_t length = 0; layer < layers; ++layer, ++length) {
        const bool past =
            total > 0 ? profile_.seconds(cost_class, 0, layer) > until : length >= longest;
        if (past && length > 0) break;
        if (across(layer) < across(cheapest)) cheapest = layer;
      }
      cuts_.push_back(cheapest);
    }
  }

  void measure_segments() {
    for (std::size_t cut = 0; cut + 1 < cuts_.size(); ++cut) {
      double largest = 0;
      for (std::size_t layer = cuts_[cut]; layer < cuts_[cut + 1]; ++layer) {
        largest = std::max(largest, profile_.largest_op_bytes(layer));
      }
      largest_.push_back(largest);
    }
    const std::size_t kinds = kinds_.size();
    crossing_seconds_.assign(cuts_.size() * kinds * kinds, 0);
    for (std::size_t cut = 1; cut + 1 < cuts_.size(); ++cut) {
      for (std::size_t from = 0; from < kinds; ++from) {
        for (std::size_t to = 0; to < kinds; ++to) {
          crossing_seconds_[(cut * kinds + from) * kinds + to] = crossing_seconds(cut, from, to);
        }
      }
    }
  }

  double crossing_seconds(std::size_t cut, std::size_t from, std::size_t to) const {
    const Crossing& crossing = profile_.crossing(cuts_[cut]);
    const auto seconds = [](const KindRoute& route, double tensors, double bytes) {
      // Nothing crosses. The bytes, a sum of differences, may be off by rounding; the count is not.
      if (tensors < 0.5) return 0.0;
      return route.exists ? tensors * route.latency_seconds + bytes * route.seconds_per_byte
                          : kNever;
    };
    const KindRoute& there = routes_[from * kinds_.size() + to];
    const KindRoute& back = routes_[to * kinds_.size() + from];
    return seconds(there, crossing.forward_tensors, crossing.forward_bytes) +
           seconds(back, crossing.backward_tensors, crossing.backward_bytes);
  }

  double& value(std::size_t state, std::size_t kind, std::size_t cut) {
    return values_[(state * kinds_.size() + kind) * cuts_.size() + cut];
  }

  // Adds one segment on `kind` to every state with one device of it less.
  void extend(std::size_t state, std::size_t kind) {
    if (used(state, kind) == 0) return;
    const std::size_t before = state - strides_[kind];
    for (std::size_t begin = 0; begin + 1 < cuts_.size(); ++begin) {
      double best = kNever;
      Origin origin;
      origin.cut = static_cast<std::uint16_t>(begin);
      double entry = 0;
      if (before == 0) {
        // The first segment begins at the first layer.
        if (begin > 0) break;
        best = 0;
      } else {
        best_entry(before, kind, begin, best, entry, origin);
      }
      if (best < kNever) grow_segment(state, kind, begin, best, entry, origin);
    }
  }

  // For a sum only the total matters; for a maximum what came before and the crossing are kept
  // apart, as the crossing adds to the new segment's work. Of several last kinds the one with the
  // least of both together is taken.
  void best_entry(std::size_t before, std::size_t kind, std::size_t begin, double& best,
                  double& entry, Origin& origin) {
    double least = kNever;
    for (std::size_t last = 0; last < kinds_.size(); ++last) {
      const double so_far = value(before, last, begin);
      if (so_far == kNever) continue;
      const double crossing =
          crossing_seconds_[(begin * kinds_.size() + last) * kinds_.size() + kind];
      if (so_far + crossing >= least) continue;
      least = so_far + crossing;
      best = so_far;
      entry = crossing;
      origin.kind = static_cast<std::uint16_t>(last);
    }
  }

  void grow_segment(std::size_t state, std::size_t kind, std::size_t begin, double so_far,
                    double entry, const Origin& origin) {
    const auto limit = static_cast<double>(kinds_[kind].limit_bytes);
    const std::size_t cost_class = kinds_[kind].cost_class;
    double largest = 0;
    for (std::size_t end = begin + 1; end < cuts_.size(); ++end) {
      largest = std::max(largest, largest_[end - 1]);
      const double bytes = profile_.held_bytes(cuts_[begin], cuts_[end]) + largest;
      double total = std::max(so_far, bytes / limit);
      if (objective_ != SegmentObjective::memory) {
        // A longer segment needs even more.
        if (bytes > limit) break;
        const double work = entry + profile_.seconds(cost_class, cuts_[begin], cuts_[end]);
        total = objective_ == SegmentObjective::latency ? so_far + work : std::max(so_far, work);
      }
      double& known = value(state, kind, end);
      if (total >= known) continue;
      known = total;
      origins_[(state * kinds_.size() + kind) * cuts_.size() + end] = origin;
    }
  }

  std::vector<LayerDevices> collect() {
    struct Best {
      double value = kNever;
      std::size_t state = 0, kind = 0;
    };
    std::vector<Best> by_segments;
    for (std::size_t state = 1; state < states_; ++state) {
      std::size_t segments = 0;
      for (std::size_t kind = 0; kind < kinds_.size(); ++kind) segments += used(state, kind);
      const std::size_t slot = objective_ == SegmentObjective::bottleneck ? segments - 1 : 0;
      if (by_segments.size() <= slot) by_segments.resize(slot + 1);
      for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
        const double total = value(state, kind, cuts_.size() - 1);
        if (total < by_segments[slot].value) by_segments[slot] = {total, state, kind};
      }
    }
    std::vector<LayerDevices> plans;
    for (const Best& best : by_segments) {
      if (best.value < kNever) plans.push_back(trace_back(best.state, best.kind));
    }
    return plans;
  }

  LayerDevices trace_back(std::size_t state, std::size_t kind) const {
    struct Segment {
      std::size_t kind, begin, end;
    };
    std::vector<Segment> segments;
    std::size_t end = cuts_.size() - 1;
    for (std::size_t last = kind;;) {
      const Origin origin = origins_[(state * kinds_.size() + last) * cuts_.size() + end];
      segments.push_back({last, cuts_[origin.cut], cuts_[end]});
      if (origin.kind == 0xffff) break;
      state -= strides_[last];
      last = origin.kind;
      end = origin.cut;
    }
    LayerDevices devices(profile_.layer_count());
    std::vector<std::size_t> next(kinds_.size(), 0);
    for (std::size_t at = segments.size(); at-- > 0;) {
      const Segment& segment = segments[at];
      const DeviceId device = kinds_[segment.kind].devices[next[segment.kind]++];
      for (std::size_t layer = segment.begin; layer < segment.end; ++layer) devices[layer] = device;
    }
    return devices;
  }

  const LayerProfile& profile_;
  SegmentObjective objective_;
  double most_steps_;
  std::vector<DeviceKind> kinds_;
  std::vector<KindRoute> routes_;  // kind x kind
  std::vector<std::size_t> strides_, counts_;
  std::size_t states_ = 1;
  std::vector<std::size_t> cuts_;  // layers that may begin a segment, and the end
  std::vector<double> largest_;    // by cut: needs of the largest op up to the next
  std::vector<double> crossing_seconds_;
  std::vector<double> values_;
  std::vector<Origin> origins_;
};

}  // namespace

std::vector<LayerDevices> plan_segments(const Problem& problem, const Layers& layers,
                                        SegmentObjective objective,
                                        std::span<const std::int64_t> limits, double most_steps) {
  if (layers.count == 0 || find_device_kinds(problem, limits).empty()) return {};
  const LayerProfile profile(problem, layers);
  return SegmentPlanner(problem, profile, objective, limits, most_steps).run();
}

}  // namespace berth::place
