// A long short-term memory (Hochreiter and Schmidhuber 1997, with the usual forget gate) over a
// whole sequence as one step of automatic differentiation.
//
// Why not the framework's: on a CPU it spends ten small calls on every step and records as many
// for the way back, which at the sizes of placement policies costs several times the arithmetic.
// Here a step is one matrix product, two calls of tanh and two plain loops; the way back is one
// product and one loop, and the weights' gradient one product for the whole sequence.
//
// Gates come in the order input, forget, cell, output, as in the framework's own, which the tests
// hold it to.
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
