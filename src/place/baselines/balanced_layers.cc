#include "place/baselines/balanced_layers.h"

#include <algorithm>

#include "place/baselines/fill_order.h"
#include "place/list/list_schedule.h"
#include "place/list/schedule_state.h"
#include "place/sequence/layers.h"

namespace berth::place {
namespace {

struct LayerBytes {
  std::vector<double> weights;     // what is balanced
  std::vector<double> params;      // what memory must hold
  std::vector<double> largest_op;  // outputs and workspace
};

LayerBytes measure(const Problem& problem, const Layers& layers) {
  const Graph& graph = problem.graph();
  LayerBytes bytes{std::vector<double>(layers.count), std::vector<double>(layers.count),
                   std::vector<double>(layers.count)};
  std::vector<double> outputs(layers.count);
  double total = 0;
  for (std::size_t index = 0; index < problem.op_count(); ++index) {
    const OpId op(index);
    const std::size_t layer = layers.of_group[problem.group(op).index()];
    auto made = static_cast<double>(graph.temp_bytes(op));
    for (std::size_t k = 0; k < graph.output_count(op); ++k) {
      const TensorId tensor = graph.output(op, k);
      if (!graph.resident(tensor)) made += static_cast<double>(graph.bytes(tensor));
    }
    bytes.params[layer] += static_cast<double>(graph.param_bytes(op));
    bytes.largest_op[layer] = std::max(bytes.largest_op[layer], made);
    outputs[layer] += made;
    total += static_cast<double>(graph.param_bytes(op));
  }
  bytes.weights = total > 0 ? bytes.params : outputs;
  return bytes;
}

// The number of blocks when each is filled greedily up to the cap. No other way to cut contiguous
// blocks within the cap needs fewer, so the binary search below is exact.
std::size_t blocks_under(std::span<const double> weights, double cap) {
  std::size_t blocks = 1;
  double filled = 0;
  for (const double weight : weights) {
    if (filled + weight > cap && filled > 0) {
      ++blocks;
      filled = 0;
    }
    filled += weight;
  }
  return blocks;
}

double smallest_cap(std::span<const double> weights, std::size_t most_blocks) {
  double low = 0;
  double high = 0;
  for (const double weight : weights) {
    low = std::max(low, weight);
    high += weight;
  }
  // Sixty-four halvings reach the last bit; `high` always suffices.
  for (int step = 0; step < 64 && low < high; ++step) {
    const double middle = low + (high - low) / 2;
    if (blocks_under(weights, middle) <= most_blocks) {
      high = middle;
    } else {
      low = middle;
    }
  }
  return high;
}

class LayerFiller {
 public:
  LayerFiller(const Problem& problem, const Layers& layers, const LayerBytes& bytes,
              std::span<const std::int64_t> limits)
      : problem_(problem),
        layers_(layers),
        bytes_(bytes),
        limits_(limits),
        order_(fill_order(problem, limits)),
        state_(problem, limits, false) {}

  std::vector<DeviceId> run() {
    choose_devices();
    for (const OpId op : problem_.graph().topological_order()) {
      if (state_.is_free(op)) continue;
      const DeviceId fixed = state_.group_device(op);
      DeviceId device =
          fixed.valid() ? fixed : devices_[layers_.of_group[problem_.group(op).index()]];
      if (!problem_.allowed(op, device)) device = state_.last_resort(op);
      state_.bring_inputs(op, device);
      state_.run(op, device, 0, 0);
    }
    state_.place_remaining();
    return state_.take_placement();
  }

 private:
  void choose_devices() {
    const double cap = smallest_cap(bytes_.weights, order_.accelerator_count);
    std::size_t position = 0;
    double filled = 0;
    double params = 0;
    double largest = 0;
    for (std::size_t layer = 0; layer < layers_.count; ++layer) {
      const auto limit = [&] {
        return static_cast<double>(limits_[order_.devices[position].index()]);
      };
      const auto full = [&] {
        // An empty device takes any layer. CPUs take what is left, whatever the cap.
        const bool over_cap = position < order_.accelerator_count && filled > 0 &&
                              filled + bytes_.weights[layer] > cap;
        return over_cap ||
               params + bytes_.params[layer] + std::max(largest, bytes_.largest_op[layer]) >
                   limit();
      };
      while (position + 1 < order_.devices.size() && full()) {
        ++position;
        filled = params = largest = 0;
      }
      devices_.push_back(order_.devices[position]);
      filled += bytes_.weights[layer];
      params += bytes_.params[layer];
      largest = std::max(largest, bytes_.largest_op[layer]);
    }
  }

  const Problem& problem_;
  const Layers& layers_;
  const LayerBytes& bytes_;
  std::span<const std::int64_t> limits_;
  FillOrder order_;
  ScheduleState state_;
  std::vector<DeviceId> devices_;  // by layer
};

Placed place_layers(const Problem& problem, const Request& request, const Options&) {
  Evaluator evaluator(problem, request);
  const Layers layers = find_layers(problem);
  const LayerBytes bytes = measure(problem, layers);
  construct_within_memory(problem, evaluator, [&](std::span<const std::int64_t> limits) {
    return Plan{LayerFiller(problem, layers, bytes, limits).run()};
  });
  return finish_heuristic(problem, evaluator);
}

}  // namespace

Placer balanced_layers_placer() {
  return {.name = "balanced_layers",
          .summary = "contiguous segments of layers, balanced by weights; the rest goes to the CPU",
          .reference = "Hugging Face accelerate, device_map=\"balanced\"",
          .options = {},
          .place = place_layers};
}

}  // namespace berth::place
