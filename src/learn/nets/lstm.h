// A long short-term memory (Hochreiter and Schmidhuber 1997, with the usual forget gate) over a
// whole sequence, as one operation of automatic differentiation.
//
// The framework's own is slow on a CPU: it makes ten small calls per step and records as many for
// the backward pass, which costs several times the arithmetic at the sizes of placement policies.
// Here a step is one matrix product, two calls of tanh and two plain loops. A step of the backward
// pass is one product and one loop, and the gradient of the weights is one product for the whole
// sequence.
//
// Gates are in the order input, forget, cell, output, as in the framework's own; tests compare the
// two.
#pragma once

#include "learn/nets/module.h"

namespace berth::learn {

struct LstmState {
  Tensor hidden;  // [batch, width]
  Tensor cell;    // likewise
};

class Lstm : public Module {
 public:
  Lstm() = default;
  Lstm(std::int64_t inputs, std::int64_t width);

  // What the inputs contribute to the gates: [..., inputs] to [..., 4 width].
  Tensor project(const Tensor& inputs) const;
  // The sequence [steps, batch, 4 width] of such contributions from a state on: all hidden states
  // [steps, batch, width], and the state it ends in.
  std::pair<Tensor, LstmState> run_on(const Tensor& projected, const LstmState& start) const;
  LstmState zero_state(std::int64_t batch) const;

  // One step without a record for gradients, in place; `gates`, prepared, are overwritten. Weights
  // that were prepared once serve all steps.
  Tensor prepared_weights() const;
  // Contributions to the gates as advance() takes them; sums of prepared ones are prepared.
  Tensor prepared(const Tensor& projected) const;
  static void advance(Tensor& gates, const Tensor& prepared_weights, LstmState& state);

  Tensor input_weights;   // [4 width, inputs]
  Tensor hidden_weights;  // [4 width, width]
  Tensor bias;            // [4 width]

 private:
  std::int64_t width_ = 0;
};

}  // namespace berth::learn
