#include "place/baselines/topo.h"

#include <algorithm>
#include <limits>

#include "place/baselines/fill_order.h"
#include "place/list/list_schedule.h"
#include "place/list/schedule_state.h"

namespace berth::place {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

// Bytes by group; in doubles, as they are only compared with an average.
std::vector<double> group_needs(const Problem& problem) {
  const Graph& graph = problem.graph();
  std::vector<double> needs(problem.group_count(), 0);
  for (std::size_t index = 0; index < problem.op_count(); ++index) {
    const OpId op(index);
    double& need = needs[problem.group(op).index()];
    need += static_cast<double>(graph.param_bytes(op));
    for (std::size_t k = 0; k < graph.output_count(op); ++k) {
      const TensorId tensor = graph.output(op, k);
      if (graph.resident(tensor) || graph.alias(tensor) != Graph::kNone) continue;
      need += static_cast<double>(graph.bytes(tensor));
    }
  }
  return needs;
}

class TopologicalFiller {
 public:
  TopologicalFiller(const Problem& problem, std::span<const double> needs,
                    std::span<const std::int64_t> limits)
      : problem_(problem),
        needs_(needs),
        state_(problem, limits, false),
        order_(fill_order(problem, limits)),
        filled_(problem.device_count(), 0) {
    double total = 0;
    double largest = 0;
    for (const double need : needs) {
      total += need;
      largest = std::max(largest, need);
    }
    // With the largest need added, each accelerator takes at least an even share before it is full,
    // so that nothing is left over for lack of shares.
    share_ = total / static_cast<double>(order_.accelerator_count) + largest;
  }

  std::vector<DeviceId> run() {
    for (const OpId op : problem_.graph().topological_order()) {
      if (state_.is_free(op)) continue;
      const DeviceId fixed = state_.group_device(op);
      const DeviceId device = fixed.valid() ? fixed : choose(op);
      if (!fixed.valid()) filled_[device.index()] += needs_[problem_.group(op).index()];
      state_.bring_inputs(op, device);
      state_.run(op, device, 0, 0);
    }
    state_.place_remaining();
    return state_.take_placement();
  }

 private:
  bool usable(OpId op, DeviceId device) {
    return problem_.allowed(op, device) && state_.data_ready(op, device) < kNever &&
           state_.fits(op, device);
  }

  bool is_full(std::size_t position, OpId op) {
    const double filled = filled_[order_.devices[position].index()];
    const bool over_share =
        position < order_.accelerator_count && filled + needs_[problem_.group(op).index()] > share_;
    return over_share || !state_.fits(op, order_.devices[position]);
  }

  DeviceId choose(OpId op) {
    const auto& devices = order_.devices;
    // Only ops that may use the current device can show that it is full.
    while (current_ + 1 < devices.size() && problem_.allowed(op, devices[current_]) &&
           is_full(current_, op)) {
      ++current_;
    }
    for (std::size_t position = current_; position < devices.size(); ++position) {
      if (usable(op, devices[position])) return devices[position];
    }
    for (std::size_t position = 0; position < current_; ++position) {
      if (usable(op, devices[position])) return devices[position];
    }
    return state_.last_resort(op);
  }

  const Problem& problem_;
  std::span<const double> needs_;
  ScheduleState state_;
  FillOrder order_;
  std::vector<double> filled_;  // by device
  double share_ = 0;
  std::size_t current_ = 0;
};

Placed place_in_order(const Problem& problem, const Request& request, const Options&) {
  Evaluator evaluator(problem, request);
  const std::vector<double> needs = group_needs(problem);
  construct_within_memory(problem, evaluator, [&](std::span<const std::int64_t> limits) {
    return Plan{TopologicalFiller(problem, needs, limits).run()};
  });
  return finish_heuristic(problem, evaluator);
}

}  // namespace

Placer topo_placer() {
  return {
      .name = "topo",
      .summary = "topological order, one device after the other, each up to its share of memory",
      .reference = "Jeon et al., Baechi, SoCC 2020 (m-TOPO)",
      .options = {},
      .place = place_in_order};
}

}  // namespace berth::place
