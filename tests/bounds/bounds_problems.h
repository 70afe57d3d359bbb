// Random problems for bounds to be held to, small enough to try all plans. Besides graphs without
// any form there are two that bounds make much of: training steps, in which the gradients of an op
// are colocated with it and wait for the same tensor, and ladders, chains of forks and joins.
#pragma once

#include <cstdint>

#include "base/random.h"
#include "cost/problem.h"

namespace berth::bounds {

enum class Costs { given, modelled, mixed };
enum class Form { any, training, ladder };

struct Shape {
  std::int64_t most_ops = 5;  // of a training step: forward
  std::int64_t most_devices = 3;
  Costs costs = Costs::given;
  bool tight_memory = false;
  Form form = Form::any;
};

Problem random_problem(Random& random, const Shape& shape);

}  // namespace berth::bounds
