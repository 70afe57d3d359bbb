#include "learn/nets/device_judge.h"

#include <algorithm>

namespace berth::learn {
namespace {

// A logit 3 lower for a unit that would finish later by 1.7 times the work of the mean unit.
constexpr double kLatenessWeight = 3;

std::vector<float> floats_of(const Tensor& tensor) {
  const Tensor plain = tensor.detach().to(at::kFloat).contiguous();
  return {plain.data_ptr<float>(), plain.data_ptr<float>() + plain.numel()};
}

}  // namespace

DeviceJudge::DeviceJudge(std::int64_t width)
    : weights_(part("weights", Linear(width, kNumbers, 0))),
      biases_(part("biases", Linear(width, kHidden))),
      hidden_(parameter("hidden", glorot(kHidden, kNumbers))),
      output_(parameter("output", torch::zeros({kHidden}))) {
  at::NoGradGuard guard;
  Tensor bias = weights_.bias();
  bias[DecisionReader::kLater] = -kLatenessWeight;
}

DeviceJudge::Item DeviceJudge::item(const Tensor& embeddings) const {
  return {.weights = weights_(embeddings), .biases = biases_(embeddings)};
}

Tensor DeviceJudge::operator()(const Tensor& numbers, const Item& items) const {
  const Tensor weighed = numbers.matmul(items.weights.unsqueeze(-1)).squeeze(-1);
  const Tensor seen = numbers.matmul(hidden_.t()) + items.biases.unsqueeze(-2);
  return weighed + seen.relu().matmul(output_);
}

DeviceJudge::Plain::Plain(const DeviceJudge& judge)
    : hidden_(floats_of(judge.hidden_.t())), output_(floats_of(judge.output_)) {}

void DeviceJudge::Plain::operator()(const float* numbers, const float* weights, const float* biases,
                                    std::size_t devices, double* logits) const {
  for (std::size_t device = 0; device < devices; ++device, numbers += kNumbers) {
    float seen[kHidden];
    std::copy_n(biases, kHidden, seen);
    float logit = 0;
    for (std::int64_t k = 0; k < kNumbers; ++k) {
      const float number = numbers[k];
      logit += weights[k] * number;
      const float* const row = &hidden_[static_cast<std::size_t>(k * kHidden)];
      for (std::int64_t i = 0; i < kHidden; ++i) seen[i] += row[i] * number;
    }
    for (std::int64_t i = 0; i < kHidden; ++i) {
      logit += output_[static_cast<std::size_t>(i)] * std::max(seen[i], 0.0f);
    }
    logits[device] = logit;
  }
}

}  // namespace berth::learn
