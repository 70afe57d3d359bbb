#include "learn/nets/module.h"

#include <cmath>

namespace berth::learn {

Tensor Module::parameter(std::string name, Tensor start) {
  start.requires_grad_();
  parameters_.emplace_back(std::move(name), start);
  return start;
}

void Module::to(at::ScalarType real) {
  // In place, since parts hold handles to the same tensors.
  for (auto& [name, tensor] : parameters_) tensor.set_data(tensor.data().to(real));
}

Tensor glorot(std::int64_t outputs, std::int64_t inputs) {
  const double limit = std::sqrt(6.0 / static_cast<double>(outputs + inputs));
  return torch::empty({outputs, inputs}).uniform_(-limit, limit);
}

Linear::Linear(std::int64_t inputs, std::int64_t outputs, double scale)
    // The sum makes 0 of -0, so that a learning rate of 0 leaves every bit as it is.
    : weight_(parameter("weight", glorot(outputs, inputs) * scale + 0.0)),
      bias_(parameter("bias", torch::zeros({outputs}))) {}

LayerNorm::LayerNorm(std::int64_t width)
    : weight_(parameter("weight", torch::ones({width}))),
      bias_(parameter("bias", torch::zeros({width}))) {}

}  // namespace berth::learn
