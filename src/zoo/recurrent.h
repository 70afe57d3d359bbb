// What the recurrent workloads share: an LSTM cell, op by op, for networks that are unrolled step
// by step. One product for all four gates, as is usual (Zaremba et al. 2014):
//
//   [i f o g] = [x h] W + b,  c' = sigmoid(f) c + sigmoid(i) tanh(g),  h' = sigmoid(o) tanh(c')
#pragma once

#include "zoo/net.h"

namespace berth::zoo {

struct LstmState {
  Value hidden;
  Value cell;
};

// The weights of one layer, shared by all its steps.
struct LstmWeights {
  Value product;  // [inputs + units, 4 units]
  Value bias;     // [4 units]
};

LstmWeights lstm_weights(Net& net, std::int64_t inputs, std::int64_t units);
LstmState lstm_zeros(Net& net, std::int64_t batch, std::int64_t units);
// One step; the names begin with `name`/.
LstmState lstm_step(Net& net, std::string_view name, const LstmWeights& weights, const Value& x,
                    const LstmState& state);

}  // namespace berth::zoo
