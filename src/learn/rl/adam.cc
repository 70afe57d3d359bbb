#include "learn/rl/adam.h"

#include <cmath>

namespace berth::learn {
namespace {

constexpr double kFirstDecay = 0.9;
constexpr double kSecondDecay = 0.999;
constexpr double kEpsilon = 1e-8;

}  // namespace

Adam::Adam(std::vector<Tensor> parameters) : parameters_(std::move(parameters)) {
  std::int64_t size = 0;
  for (const Tensor& parameter : parameters_) size += parameter.numel();
  first = torch::zeros({size}, parameters_.front().options().requires_grad(false));
  second = torch::zeros_like(first);
}

double Adam::step(double learning_rate, double clip) {
  at::NoGradGuard guard;
  std::vector<Tensor> pieces;
  for (const Tensor& parameter : parameters_) {
    const Tensor& gradient = parameter.grad();
    pieces.push_back(gradient.defined() ? gradient.reshape({-1})
                                        : torch::zeros({parameter.numel()}, first.options()));
  }
  Tensor gradient = at::cat(pieces);
  for (Tensor& parameter : parameters_) parameter.mutable_grad().reset();
  const double norm = gradient.norm().item<double>();
  // One such step would make all parameters NaN, and the policy could never recover.
  if (!std::isfinite(norm)) return norm;
  if (norm > clip) gradient.mul_(clip / norm);
  ++steps;
  first.mul_(kFirstDecay).add_(gradient, 1 - kFirstDecay);
  second.mul_(kSecondDecay).addcmul_(gradient, gradient, 1 - kSecondDecay);
  // The moments begin at 0; early on these factors correct for that.
  const double first_scale = 1 - std::pow(kFirstDecay, static_cast<double>(steps));
  const double second_scale = std::sqrt(1 - std::pow(kSecondDecay, static_cast<double>(steps)));
  const Tensor change = first / (second.sqrt().div_(second_scale).add_(kEpsilon));
  std::int64_t begin = 0;
  for (Tensor& parameter : parameters_) {
    parameter.add_(change.narrow(0, begin, parameter.numel()).view(parameter.sizes()),
                   -learning_rate / first_scale);
    begin += parameter.numel();
  }
  return norm;
}

}  // namespace berth::learn
