#include "place/repair/repair_plan.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>

#include "place/evaluator.h"
#include "place/groups/group_devices.h"
#include "place/groups/group_footprint.h"
#include "place/repair/route_repair.h"

namespace berth::place {
namespace {

constexpr double kFractions[] = {1.0, 0.85, 0.7, 0.55, 0.4};  // of memory, tried in turn
constexpr std::size_t kMostWishes = 8;
constexpr double kMostSimulatedOps = 2e7;

// What the devices carry while groups are placed.
struct Loads {
  GroupDevices devices;  // by group; none where it is not placed yet
  std::vector<double> seconds;
  std::vector<double> room;
};

class Mender {
 public:
  Mender(const Problem& problem, Plan plan)
      : problem_(problem),
        plan_(std::move(plan)),
        graph_(problem),
        costs_(problem),
        footprints_(group_footprints(problem)),
        routed_(fully_routed(problem.cluster())),
        evaluator_(problem, request_) {
    const auto ops = static_cast<double>(std::max<std::size_t>(1, problem.op_count()));
    request_.budget.evaluations = std::max(2.0, kMostSimulatedOps / ops);
  }

  Plan run() {
    kept_ = devices_of_groups(problem_, plan_);
    list_lost();
    // The first candidate counts no outputs (live_share_ is 0). Its simulation tells which share of
    // them really exists at once.
    estimate_live_share(consider(candidate(DeviceId::none(), 1.0)));
    const std::vector<DeviceId> wishes = wished_devices();
    for (const double fraction : kFractions) {
      for (const DeviceId wish : wishes) {
        if (evaluator_.exhausted()) return evaluator_.best_plan();
        consider(candidate(wish, fraction));
      }
      // The limits are tightened only while nothing fits: the estimate may be too low, but a plan
      // that uses all memory is mostly faster.
      if (evaluator_.best_outcome().feasible) break;
    }
    return evaluator_.best_plan();
  }

 private:
  // Groups that cost time in topological order, then the others from the end of the graph, so that
  // a weight is placed after the ops that read it.
  void list_lost() {
    std::vector<GroupId> costless;
    std::vector<std::uint8_t> seen(problem_.group_count(), 0);
    for (const OpId op : problem_.graph().topological_order()) {
      const GroupId group = problem_.group(op);
      if (kept_[group.index()].valid() || seen[group.index()]) continue;
      seen[group.index()] = 1;
      const bool costs = costs_.seconds(group, fastest_allowed(problem_, costs_, group)) > 0;
      (costs ? lost_ : costless).push_back(group);
    }
    costly_count_ = lost_.size();
    lost_.insert(lost_.end(), costless.rbegin(), costless.rend());
  }

  Loads kept_loads(double fraction) const {
    Loads loads{.devices = GroupDevices(kept_.size()), .seconds = {}, .room = {}};
    loads.seconds.assign(problem_.device_count(), 0);
    for (const std::int64_t limit : memory_limits(problem_, fraction)) {
      loads.room.push_back(static_cast<double>(limit));
    }
    for (std::size_t i = 0; i < kept_.size(); ++i) {
      if (kept_[i].valid()) put(GroupId(i), kept_[i], loads);
    }
    return loads;
  }

  double bytes_of(GroupId group) const {
    const GroupFootprint& footprint = footprints_[group.index()];
    return footprint.param_bytes + live_share_ * footprint.output_bytes;
  }

  void put(GroupId group, DeviceId device, Loads& loads) const {
    loads.devices[group.index()] = device;
    loads.seconds[device.index()] += costs_.seconds(group, device);
    loads.room[device.index()] -= bytes_of(group);
  }

  // Seconds to exchange tensors with the neighbours placed so far; nullopt without a route.
  std::optional<double> transfer_seconds(GroupId group, DeviceId device, const Loads& loads) const {
    double seconds = 0;
    for (const GroupEdge& edge : graph_.neighbours(group)) {
      const DeviceId other = loads.devices[edge.group.index()];
      if (!other.valid() || other == device) continue;
      const Route route = problem_.cluster().route(device, other);
      if (!route.exists()) return std::nullopt;
      seconds += edge.bytes / route.bandwidth;
    }
    return seconds;
  }

  DeviceId choose(GroupId group, bool costs_time, DeviceId wish, const Loads& loads) const {
    // Least first: has a route, has room, is the preferred device, is done early.
    using Rank = std::tuple<bool, bool, bool, double>;
    std::optional<Rank> best_rank;
    DeviceId best;
    for (const DeviceId device : problem_.allowed_devices(group)) {
      const std::optional<double> transfer = transfer_seconds(group, device, loads);
      const bool full = loads.room[device.index()] < bytes_of(group);
      double late = transfer.value_or(0);
      if (costs_time) late += loads.seconds[device.index()] + costs_.seconds(group, device);
      // Where no device has room, the one that is least over; how early it would be done no longer
      // matters.
      if (full) late = -loads.room[device.index()];
      const Rank rank{!transfer, full, wish.valid() && device != wish, late};
      if (best_rank && !(rank < *best_rank)) continue;
      best_rank = rank;
      best = device;
    }
    return best;
  }

  Plan candidate(DeviceId wish, double fraction) const {
    Loads loads = kept_loads(fraction);
    for (std::size_t i = 0; i < lost_.size(); ++i) {
      const bool costs_time = i < costly_count_;
      // What costs nothing follows its neighbours whatever the wish.
      put(lost_[i], choose(lost_[i], costs_time, costs_time ? wish : DeviceId::none(), loads),
          loads);
    }
    if (!routed_) repair_routes(problem_, graph_, loads.devices);
    Plan plan = plan_;
    plan.placement = plan_of(problem_, loads.devices).placement;
    // A fused group runs on one device, so it cannot stay where its ops are on several.
    std::erase_if(plan.fused, [&](const std::vector<OpId>& members) {
      return std::ranges::any_of(members, [&](OpId op) {
        return plan.placement[op.index()] != plan.placement[members.front().index()];
      });
    });
    return plan;
  }

  const Outcome& consider(const Plan& plan) { return evaluator_.consider(plan); }

  // How much of the outputs lives at the peaks, over all devices.
  void estimate_live_share(const Outcome& outcome) {
    live_share_ = 1;
    if (!outcome.routable) return;
    double peaks = 0, parameters = 0, outputs = 0;
    for (const std::int64_t peak : outcome.peak_bytes) peaks += static_cast<double>(peak);
    for (const GroupFootprint& footprint : footprints_) {
      parameters += footprint.param_bytes;
      outputs += footprint.output_bytes;
    }
    if (outputs > 0) live_share_ = std::clamp((peaks - parameters) / outputs, 0.0, 1.0);
  }

  // None, then the devices with least to do.
  std::vector<DeviceId> wished_devices() const {
    const Loads loads = kept_loads(1.0);
    std::vector<DeviceId> wishes = devices_to_spread_over(problem_, false);
    std::stable_sort(wishes.begin(), wishes.end(), [&](DeviceId left, DeviceId right) {
      return loads.seconds[left.index()] < loads.seconds[right.index()];
    });
    wishes.resize(std::min(wishes.size(), kMostWishes));
    wishes.insert(wishes.begin(), DeviceId::none());
    return wishes;
  }

  const Problem& problem_;
  const Plan plan_;
  GroupGraph graph_;
  GroupCosts costs_;
  std::vector<GroupFootprint> footprints_;
  bool routed_;
  Request request_;
  Evaluator evaluator_;  // refers to the request
  GroupDevices kept_;
  std::vector<GroupId> lost_;
  std::size_t costly_count_ = 0;  // of the lost ones
  double live_share_ = 0;
};

}  // namespace

Plan repair_plan(const Problem& problem, Plan plan) {
  if (std::ranges::all_of(plan.placement, &DeviceId::valid)) return plan;
  return Mender(problem, std::move(plan)).run();
}

}  // namespace berth::place
