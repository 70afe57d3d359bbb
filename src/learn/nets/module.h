// A part of a policy that has parameters: named tensors, its own and those of its parts.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "learn/torch.h"

namespace berth::learn {

class Module {
 public:
  virtual ~Module() = default;

  // Tensors are handles: changing these changes the module.
  const std::vector<std::pair<std::string, Tensor>>& parameters() const { return parameters_; }
  // Another precision, in place.
  void to(at::ScalarType real);

 protected:
  Tensor parameter(std::string name, Tensor start);
  template <class Part>
  Part part(const std::string& name, Part made) {
    for (const auto& [of_part, tensor] : made.parameters()) {
      parameters_.emplace_back(fmt::format("{}.{}", name, of_part), tensor);
    }
    return made;
  }

 private:
  std::vector<std::pair<std::string, Tensor>> parameters_;
};

// A weight [outputs, inputs], uniform (Glorot and Bengio 2010).
Tensor glorot(std::int64_t outputs, std::int64_t inputs);

// Scale of the initial weights of a layer whose outputs are logits: they begin near 0, so that an
// untrained layer hardly influences decisions.
inline constexpr double kInitialWeight = 0.1;

// W x + b; b begins at 0.
class Linear : public Module {
 public:
  Linear() = default;
  // `scale` shrinks the initial weights.
  Linear(std::int64_t inputs, std::int64_t outputs, double scale = 1);

  Tensor operator()(const Tensor& inputs) const { return at::linear(inputs, weight_, bias_); }
  const Tensor& weight() const { return weight_; }
  const Tensor& bias() const { return bias_; }

 private:
  Tensor weight_, bias_;
};

// Every row to mean 0 and deviation 1, then scaled and shifted (Ba et al. 2016).
class LayerNorm : public Module {
 public:
  LayerNorm() = default;
  explicit LayerNorm(std::int64_t width);

  Tensor operator()(const Tensor& inputs) const {
    return at::layer_norm(inputs, weight_.sizes(), weight_, bias_);
  }

 private:
  Tensor weight_, bias_;
};

}  // namespace berth::learn
