#include "learn/nets/state_judge.h"

#include <cmath>

namespace berth {
namespace {

std::vector<double> numbers_of(const Tensor& tensor) {
  const Tensor exact = tensor.detach().to(at::kDouble).contiguous();
  return {exact.data_ptr<double>(), exact.data_ptr<double>() + exact.numel()};
}

}  // namespace

StateJudge::StateJudge(double scale)
    : hidden_(part("hidden", Linear(kInputs, kWidth))),
      output_(part("output", Linear(kWidth, 1, scale))) {}

Tensor StateJudge::operator()(const Tensor& numbers, const Tensor& opinions) const {
  return output_((hidden_(numbers) + opinions).tanh()).squeeze(-1);
}

StateJudge::Plain::Plain(const StateJudge& judge)
    : weights_(numbers_of(judge.hidden_.weight())),
      bias_(numbers_of(judge.hidden_.bias())),
      output_(numbers_of(judge.output_.weight())),
      output_bias_(numbers_of(judge.output_.bias()).front()) {}

double StateJudge::Plain::operator()(const double* numbers, const double* opinion) const {
  double logit = output_bias_;
  const double* weight = weights_.data();
  for (std::size_t i = 0; i < output_.size(); ++i) {
    double sum = bias_[i] + opinion[i];
    for (std::int64_t k = 0; k < kInputs; ++k) sum += *weight++ * numbers[k];
    logit += output_[i] * std::tanh(sum);
  }
  return logit;
}

}  // namespace berth
