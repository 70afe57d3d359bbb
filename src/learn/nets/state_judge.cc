#include "learn/nets/state_judge.h"

#include <cmath>

namespace berth {
namespace {

// In nats for an item that would end later by 1.7 mean items.
constexpr double kFirstHaste = 3;

std::vector<double> numbers_of(const Tensor& tensor) {
  const Tensor exact = tensor.detach().to(at::kDouble).contiguous();
  return {exact.data_ptr<double>(), exact.data_ptr<double>() + exact.numel()};
}

}  // namespace

StateJudge::StateJudge(double scale)
    : hidden_(part("hidden", Linear(kInputs, kWidth))),
      output_(part("output", Linear(kWidth, 1, scale))) {
  Tensor direct = torch::zeros({kInputs});
  direct[kLater] = -kFirstHaste;
  direct_ = parameter("direct", direct);
}

Tensor StateJudge::operator()(const Tensor& numbers, const Tensor& opinions) const {
  const Tensor seen = hidden_(numbers);
  const Tensor judged = output_((opinions.defined() ? seen + opinions : seen).tanh()).squeeze(-1);
  return judged + numbers.matmul(direct_);
}

StateJudge::Plain::Plain(const StateJudge& judge)
    : weights_(numbers_of(judge.hidden_.weight())),
      bias_(numbers_of(judge.hidden_.bias())),
      output_(numbers_of(judge.output_.weight())),
      direct_(numbers_of(judge.direct_)),
      output_bias_(numbers_of(judge.output_.bias()).front()) {}

double StateJudge::Plain::operator()(const double* numbers, const double* opinion) const {
  double logit = output_bias_;
  const double* weight = weights_.data();
  for (std::size_t i = 0; i < output_.size(); ++i) {
    double sum = bias_[i] + opinion[i];
    for (std::int64_t k = 0; k < kInputs; ++k) sum += *weight++ * numbers[k];
    logit += output_[i] * std::tanh(sum);
  }
  for (std::size_t k = 0; k < direct_.size(); ++k) logit += direct_[k] * numbers[k];
  return logit;
}

}  // namespace berth
