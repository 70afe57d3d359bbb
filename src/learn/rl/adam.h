// Adam (Kingma and Ba 2015) over all parameters as one long vector: a handful of calls an update
// instead of a handful for every parameter, and a state that is two arrays and a number.
#pragma once

#include <vector>

#include "learn/torch.h"

namespace berth::learn {

class Adam {
 public:
  explicit Adam(std::vector<Tensor> parameters);

  // Takes the parameters' gradients, cut to a norm of at most `clip`, and clears them. Returns the
  // norm before. A gradient that is not finite is left out altogether.
  double step(double learning_rate, double clip);

  Tensor first, second;  // moments of the gradient
  std::int64_t steps = 0;

 private:
  std::vector<Tensor> parameters_;
};

}  // namespace berth::learn
