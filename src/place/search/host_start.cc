#include "place/search/host_start.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

#include "place/groups/group_devices.h"
#include "place/groups/group_footprint.h"

namespace berth::place {
namespace {

constexpr int kMostRounds = 16;
constexpr double kShareOfSeconds = 1.0 / 6;
// A group whose neighbours are all on the host waits for one of them to leave it. What still waits
// in the last pass goes to the first accelerator.
constexpr int kPasses = 4;
// Harms are sums in changing order, so equal ones may differ in the last bits.
constexpr double kSameHarm = 1e-6;

// Asked before anything is prepared, since it is false for most problems.
bool parameters_exceed_accelerators(const Problem& problem) {
  double needed = 0, usable = 0;
  for (std::size_t op = 0; op < problem.op_count(); ++op) {
    needed += static_cast<double>(problem.graph().param_bytes(OpId(op)));
  }
  for (const DeviceId device : devices_to_spread_over(problem, false)) {
    usable += static_cast<double>(problem.usable_bytes(device));
  }
  return needed > usable;
}

class HostChoice {
 public:
  explicit HostChoice(const Problem& problem)
      : problem_(problem),
        graph_(problem),
        costs_(problem),
        footprints_(group_footprints(problem)),
        accelerators_(devices_to_spread_over(problem, false)) {
    for (std::size_t index = 0; index < problem.device_count(); ++index) {
      const DeviceId device(index);
      if (problem.cluster().device(device).kind != "cpu") continue;
      if (!host_.valid() || problem.usable_bytes(device) > problem.usable_bytes(host_))
        host_ = device;
    }
  }

  bool has_host() const { return host_.valid(); }

  void run(const Plan& plan, Evaluator& evaluator) {
    devices_ = devices_of_groups(problem_, plan);
    leave_host();
    for (int round = 0; round < kMostRounds && !evaluator.exhausted(); ++round) {
      const Outcome outcome = evaluator.consider(plan_of(problem_, devices_));
      if (!outcome.routable || outcome.feasible || !unload_all(outcome)) return;
    }
  }

 private:
  void leave_host() {
    for (int pass = 0; pass < kPasses; ++pass) {
      for (const OpId op : problem_.graph().topological_order()) {
        const GroupId group = problem_.group(op);
        if (devices_[group.index()] != host_) continue;
        const DeviceId best = closest_accelerator(group, pass == kPasses - 1);
        if (best.valid()) devices_[group.index()] = best;
      }
    }
  }

  // None when the group may not run on any, or exchanges nothing with any unless `even_if_far`.
  DeviceId closest_accelerator(GroupId group, bool even_if_far) const {
    std::vector<double> bytes(problem_.device_count(), 0);
    for (const GroupEdge& edge : graph_.neighbours(group))
      bytes[devices_[edge.group.index()].index()] += edge.bytes;
    DeviceId best;
    for (const DeviceId device : accelerators_) {
      if (!is_allowed(problem_, group, device)) continue;
      if (bytes[device.index()] <= 0 && !even_if_far) continue;
      if (!best.valid() || bytes[device.index()] > bytes[best.index()]) best = device;
    }
    return best;
  }

  // Moves groups off every accelerator that is over. False when nothing could move.
  bool unload_all(const Outcome& outcome) {
    bool moved = false;
    for (const DeviceId device : accelerators_) {
      const auto peak = static_cast<double>(outcome.peak_bytes[device.index()]);
      const double over = peak - static_cast<double>(problem_.usable_bytes(device));
      if (over > 0) moved = unload(device, over, live_share(device, peak)) || moved;
    }
    return moved;
  }

  // How much of the outputs on the device lives at its peak.
  double live_share(DeviceId device, double peak) const {
    double params = 0, outputs = 0;
    for (std::size_t group = 0; group < devices_.size(); ++group) {
      if (devices_[group] != device) continue;
      params += footprints_[group].param_bytes;
      outputs += footprints_[group].output_bytes;
    }
    return outputs > 0 ? std::clamp((peak - params) / outputs, 0.0, 1.0) : 0;
  }

  bool unload(DeviceId device, double over, double share) {
    using Entry = std::pair<double, std::size_t>;  // harm, group: the least harm on top
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    for (std::size_t group = 0; group < devices_.size(); ++group) {
      if (devices_[group] != device || !is_allowed(problem_, GroupId(group), host_)) continue;
      if (freed_bytes(group, share) > 0) queue.emplace(harm(group, share), group);
    }
    bool moved = false;
    while (!queue.empty() && over > 0) {
      const auto [claimed, group] = queue.top();
      queue.pop();
      // The moves before have changed where its neighbours are.
      const double now = harm(group, share);
      if (now > claimed + kSameHarm * std::abs(claimed)) {
        queue.emplace(now, group);
        continue;
      }
      devices_[group] = host_;
      over -= freed_bytes(group, share);
      moved = true;
    }
    return moved;
  }

  double freed_bytes(std::size_t group, double share) const {
    return footprints_[group].param_bytes + share * footprints_[group].output_bytes;
  }

  // Seconds that the group costs on the host instead of here, per byte that this frees.
  double harm(std::size_t group, double share) const {
    const DeviceId here = devices_[group];
    double seconds = costs_.seconds(GroupId(group), host_) - costs_.seconds(GroupId(group), here);
    for (const GroupEdge& edge : graph_.neighbours(GroupId(group))) {
      const DeviceId other = devices_[edge.group.index()];
      if (other != host_) seconds += edge.bytes / bandwidth(host_, other);
      if (other != here) seconds -= edge.bytes / bandwidth(here, other);
    }
    return seconds / freed_bytes(group, share);
  }

  double bandwidth(DeviceId from, DeviceId to) const {
    return problem_.cluster().route(from, to).bandwidth;
  }

  const Problem& problem_;
  GroupGraph graph_;
  GroupCosts costs_;
  std::vector<GroupFootprint> footprints_;
  std::vector<DeviceId> accelerators_;
  DeviceId host_;
  GroupDevices devices_;  // by group, of the plan that is being made
};

}  // namespace

void add_host_start(const Problem& problem, const Request& request, Evaluator& evaluator,
                    std::vector<Start>& starts) {
  if (!evaluator.has_best() || !evaluator.best_outcome().routable || evaluator.exhausted()) return;
  if (!parameters_exceed_accelerators(problem) || !fully_routed(problem.cluster())) return;
  HostChoice choice(problem);
  if (!choice.has_host()) return;
  const Request part{.budget = {.seconds = kShareOfSeconds * evaluator.seconds_left(),
                                .evaluations = evaluator.evaluations_left()},
                     .seed = request.seed,
                     .tasks = {},
                     .stop = request.stop};
  Evaluator own(problem, part);
  choice.run(evaluator.best_plan(), own);
  if (!own.has_best()) return;
  // The same plan twice would make chains start from it that should start from another.
  const bool is_new = own.best_plan().placement != evaluator.best_plan().placement;
  evaluator.adopt(own.best_plan(), own.best_outcome(), own.evaluations());
  if (is_new && own.best_outcome().routable)
    starts.push_back({own.best_plan(), own.best_outcome()});
}

}  // namespace berth::place
