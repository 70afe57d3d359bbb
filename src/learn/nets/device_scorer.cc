#include "learn/nets/device_scorer.h"

#include <cmath>

namespace berth::learn {
namespace {

// A logit 3 lower for an item that would end later by 1.7 times the work of the mean item.
constexpr double kInitialLatenessWeight = 3;

std::vector<double> numbers_of(const Tensor& tensor) {
  const Tensor exact = tensor.detach().to(at::kDouble).contiguous();
  return {exact.data_ptr<double>(), exact.data_ptr<double>() + exact.numel()};
}

}  // namespace

DeviceScorer::DeviceScorer(double scale)
    : hidden_(part("hidden", Linear(kInputs, kWidth))),
      output_(part("output", Linear(kWidth, 1, scale))) {
  Tensor direct = torch::zeros({kInputs});
  direct[kLater] = -kInitialLatenessWeight;
  direct_ = parameter("direct", direct);
}

Tensor DeviceScorer::operator()(const Tensor& numbers, const Tensor& item_biases) const {
  const Tensor seen = hidden_(numbers);
  const Tensor hidden_logits =
      output_((item_biases.defined() ? seen + item_biases : seen).tanh()).squeeze(-1);
  return hidden_logits + numbers.matmul(direct_);
}

DeviceScorer::Plain::Plain(const DeviceScorer& scorer)
    : weights_(numbers_of(scorer.hidden_.weight())),
      bias_(numbers_of(scorer.hidden_.bias())),
      output_(numbers_of(scorer.output_.weight())),
      direct_(numbers_of(scorer.direct_)),
      output_bias_(numbers_of(scorer.output_.bias()).front()) {}

double DeviceScorer::Plain::operator()(const double* numbers, const double* item_bias) const {
  double logit = output_bias_;
  const double* weight = weights_.data();
  for (std::size_t i = 0; i < output_.size(); ++i) {
    double sum = bias_[i] + item_bias[i];
    for (std::int64_t k = 0; k < kInputs; ++k) sum += *weight++ * numbers[k];
    logit += output_[i] * std::tanh(sum);
  }
  for (std::size_t k = 0; k < direct_.size(); ++k) logit += direct_[k] * numbers[k];
  return logit;
}

}  // namespace berth::learn
