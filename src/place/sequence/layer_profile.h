// Figures of a sequence of layers that are needed to cut it, as sums over prefixes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cost/problem.h"
#include "place/sequence/layers.h"

namespace berth::place {

// Devices with equal costs and limits, by index; closed devices (limit 0) are in none.
struct DeviceKind {
  std::size_t cost_class = 0;
  std::int64_t limit_bytes = 0;
  std::vector<DeviceId> devices;
};
std::vector<DeviceKind> find_device_kinds(const Problem& problem,
                                          std::span<const std::int64_t> limits);

// Tensors that cross a boundary.
struct Crossing {
  double forward_tensors = 0;
  double forward_bytes = 0;
  double backward_tensors = 0;
  double backward_bytes = 0;
};

class LayerProfile {
 public:
  LayerProfile(const Problem& problem, const Layers& layers);

  std::size_t layer_count() const { return layer_count_; }
  // Of layers first .. last - 1. Groups that may not run on the class count nothing: they run
  // elsewhere.
  double seconds(std::size_t cost_class, std::size_t first, std::size_t last) const {
    const auto& sums = seconds_[cost_class];
    return sums[last] - sums[first];
  }
  // Parameters, and the tensors made by these layers that are alive at the peak of the whole graph
  // if it ran op by op in topological order. In training that is the turn from forward to backward,
  // when every layer holds what its backward ops will read. In inference few tensors are alive
  // then.
  double held_bytes(std::size_t first, std::size_t last) const {
    return held_bytes_[last] - held_bytes_[first];
  }
  // Outputs and workspace of the largest op.
  double largest_op_bytes(std::size_t layer) const { return largest_op_bytes_[layer]; }
  // Between the layer and the one before it.
  const Crossing& crossing(std::size_t layer) const { return crossings_[layer]; }

 private:
  void add_alive_at_peak(const Problem& problem, const Layers& layers);
  void add_crossings(const Problem& problem, const Layers& layers);

  std::size_t layer_count_;
  std::vector<std::vector<double>> seconds_;  // by class: prefix sums
  std::vector<double> held_bytes_;            // prefix sums
  std::vector<double> largest_op_bytes_;
  std::vector<Crossing> crossings_;
};

}  // namespace berth::place
