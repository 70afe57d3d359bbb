// Gradients of automatic differentiation against central differences, in double: at the entry with
// the largest gradient of every tensor and at a few others.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "learn/torch.h"

namespace berth::learn {

inline double largest(const Tensor& tensor) { return tensor.abs().max().item<double>(); }
inline double difference(const Tensor& one, const Tensor& other) { return largest(one - other); }

using NamedTensors = std::vector<std::pair<std::string, Tensor>>;

// Of a loss with regard to leaves; zero where it does not depend on one. Leaves none behind.
inline std::vector<Tensor> gradients_of(const Tensor& loss, const NamedTensors& leaves) {
  loss.backward();
  std::vector<Tensor> gradients;
  for (const auto& [name, leaf] : leaves) {
    gradients.push_back(leaf.grad().defined() ? leaf.grad().clone()
                                              : torch::zeros_like(leaf.detach()));
    leaf.mutable_grad().reset();
  }
  return gradients;
}

inline void expect_gradients(const std::function<Tensor()>& loss, const NamedTensors& leaves,
                             Random& random) {
  constexpr double kStep = 2e-6;
  constexpr int kOthers = 3;
  const std::vector<Tensor> gradients = gradients_of(loss(), leaves);
  at::NoGradGuard guard;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    Tensor values = leaves[i].second.detach().view({-1});
    const Tensor gradient = gradients[i].reshape({-1});
    std::vector<std::int64_t> entries = {gradient.abs().argmax().item<std::int64_t>()};
    for (int k = 0; k < kOthers; ++k) entries.push_back(random.between(0, values.numel() - 1));
    for (const std::int64_t entry : entries) {
      double& value = values.data_ptr<double>()[entry];
      const double before = value;
      value = before + kStep;
      const double above = loss().item<double>();
      value = before - kStep;
      const double below = loss().item<double>();
      value = before;
      const double found = gradient[entry].item<double>();
      EXPECT_NEAR((above - below) / (2 * kStep), found, 1e-7 * (1 + std::abs(found)))
          << leaves[i].first << " " << entry;
    }
  }
}

}  // namespace berth::learn
