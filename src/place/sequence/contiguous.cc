#include "place/sequence/contiguous.h"

#include <algorithm>
#include <limits>

#include "place/baselines/fill_order.h"
#include "place/list/list_schedule.h"
#include "place/list/schedule_state.h"
#include "place/sequence/linear_plan.h"
#include "place/sequence/segment_plan.h"

namespace berth::place {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr std::size_t kMostSegmentCounts = 16;
// With a time limit, a table takes at most about a sixth of the time left: there are four tables,
// and plans to be simulated besides.
constexpr double kStepsOfSecondLeft = 5e7;
constexpr double kFewestSteps = 1e5;

// From the devices of layers to those of ops, as far as permission and memory allow.
class SegmentFiller {
 public:
  SegmentFiller(const Problem& problem, std::span<const std::int64_t> limits)
      : problem_(problem),
        state_(problem, limits, false),
        order_(fill_order(problem, limits)),
        full_(problem.device_count(), std::uint8_t{0}) {}

  std::vector<DeviceId> run(const Layers& layers, const LayerDevices& devices) {
    for (const OpId op : problem_.graph().topological_order()) {
      if (state_.is_free(op)) continue;
      const DeviceId fixed = state_.group_device(op);
      const DeviceId wanted = devices[layers.of_group[problem_.group(op).index()]];
      const DeviceId device = fixed.valid() ? fixed : choose(op, wanted);
      state_.bring_inputs(op, device);
      state_.run(op, device, 0, 0);
    }
    state_.place_remaining();
    return state_.take_placement();
  }

 private:
  bool reachable(OpId op, DeviceId device) const {
    return problem_.allowed(op, device) && state_.data_ready(op, device) < kNever;
  }

  // A device that has refused one op takes no new groups. Otherwise later, smaller ops would fit
  // now and then and be scattered.
  bool takes(OpId op, DeviceId device) {
    if (full_[device.index()] != 0 || !reachable(op, device)) return false;
    if (state_.fits(op, device)) return true;
    full_[device.index()] = 1;
    return false;
  }

  DeviceId choose(OpId op, DeviceId wanted) {
    if (takes(op, wanted)) return wanted;
    const auto& devices = order_.devices;
    const auto at = std::find(devices.begin(), devices.end(), wanted);
    for (auto device = at; device != devices.end(); ++device) {
      if (takes(op, *device)) return *device;
    }
    for (auto device = devices.begin(); device != at; ++device) {
      if (takes(op, *device)) return *device;
    }
    for (const DeviceId device : devices) {
      if (reachable(op, device) && state_.fits(op, device)) return device;
    }
    return state_.last_resort(op);
  }

  const Problem& problem_;
  ScheduleState state_;
  FillOrder order_;
  std::vector<std::uint8_t> full_;  // by device
};

// Of many segment counts keeps the small ones and then steps that grow by a quarter: 1, 2, 3, 4, 5,
// 7, ... A good count is then never far off.
std::vector<LayerDevices> thinned(std::vector<LayerDevices> plans) {
  if (plans.size() <= kMostSegmentCounts) return plans;
  std::vector<LayerDevices> kept;
  for (std::size_t at = 0; at < plans.size(); at += 1 + at / 4)
    kept.push_back(std::move(plans[at]));
  return kept;
}

class SegmentSearch {
 public:
  SegmentSearch(const Problem& problem, Evaluator& evaluator)
      : problem_(problem), evaluator_(evaluator) {
    sequences_.push_back(groups_as_layers(problem));
    Layers layers = find_layers(problem);
    if (layers.count != sequences_.front().count) sequences_.push_back(std::move(layers));
  }

  // Considers all plans within the limits and returns the best.
  Plan construct(std::span<const std::int64_t> limits) {
    best_ = {};
    for (const Layers& layers : sequences_) {
      consider_all(layers, SegmentObjective::latency, limits);
      consider_all(layers, SegmentObjective::bottleneck, limits);
      if (!best_.placement.empty() && evaluator_.exhausted()) return best_;
    }
    const bool fits = !best_.placement.empty() && best_outcome_.feasible;
    for (const Layers& layers : sequences_) {
      if (!fits) consider_all(layers, SegmentObjective::memory, limits);
    }
    if (best_.placement.empty()) {
      // No device is open: any plan is as good.
      const DeviceId first = fill_order(problem_, limits).devices.front();
      consider(sequences_.front(), LayerDevices(sequences_.front().count, first), limits);
    }
    return best_;
  }

 private:
  void consider_all(const Layers& layers, SegmentObjective objective,
                    std::span<const std::int64_t> limits) {
    const double most_steps =
        std::clamp(kStepsOfSecondLeft * evaluator_.seconds_left(), kFewestSteps, kMostSegmentSteps);
    for (const LayerDevices& devices :
         thinned(plan_segments(problem_, layers, objective, limits, most_steps))) {
      if (!best_.placement.empty() && evaluator_.exhausted()) return;
      consider(layers, devices, limits);
    }
  }

  void consider(const Layers& layers, const LayerDevices& devices,
                std::span<const std::int64_t> limits) {
    Plan plan{SegmentFiller(problem_, limits).run(layers, devices)};
    const Outcome& outcome = evaluator_.consider(plan);
    if (!best_.placement.empty() && !better(outcome, best_outcome_)) return;
    best_ = std::move(plan);
    best_outcome_ = outcome;
  }

  const Problem& problem_;
  Evaluator& evaluator_;
  std::vector<Layers> sequences_;
  Plan best_;
  Outcome best_outcome_;
};

// True when the best placement of a linear graph was found and fits.
bool consider_linear_graph(const Problem& problem, const StopToken& stop, Evaluator& evaluator) {
  const std::optional<LinearGraph> path = as_linear_graph(problem);
  if (!path) return false;
  // At most half of the time, so that some is left for segments.
  const double until = evaluator.seconds_left() / 2;
  const auto plan = place_linear_graph(problem, *path, memory_limits(problem, 1.0), [&] {
    return stop.requested() || evaluator.seconds_left() < until;
  });
  if (!plan) return false;
  const Outcome& outcome = evaluator.consider(Plan{plan->placement});
  return outcome.routable && outcome.feasible && plan->optimal;
}

Placed place_segments(const Problem& problem, const Request& request, const Options&) {
  Evaluator evaluator(problem, request);
  if (!consider_linear_graph(problem, request.stop, evaluator) && !evaluator.exhausted()) {
    SegmentSearch search(problem, evaluator);
    construct_within_memory(problem, evaluator, [&](std::span<const std::int64_t> limits) {
      return search.construct(limits);
    });
  }
  return finish_heuristic(problem, evaluator);
}

}  // namespace

Placer contiguous_placer() {
  return {
      .name = "contiguous",
      .summary = "cuts the sequence of ops into one segment per device; optimal for linear graphs",
      .reference = "Bokhari, IEEE Trans. Computers 1988",
      .options = {},
      .place = place_segments};
}

}  // namespace berth::place
