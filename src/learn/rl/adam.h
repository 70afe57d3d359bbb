// Adam (Kingma and Ba 2015) over all parameters as one vector. That takes a few calls per update
// instead of a few per parameter, and the state is two arrays and a number.
#pragma once

#include <vector>

#include "learn/torch.h"

namespace berth::learn {

class Adam {
 public:
  explicit Adam(std::vector<Tensor> parameters);

  // Applies the gradients of the parameters, scaled down to a norm of at most `clip`, and clears
  // them. Returns the norm before. A gradient that is not finite changes nothing.
  double step(double learning_rate, double clip);

  Tensor first, second;  // moments of the gradient
  std::int64_t steps = 0;

 private:
  std::vector<Tensor> parameters_;
};

}  // namespace berth::learn
