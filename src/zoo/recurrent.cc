#include "zoo/recurrent.h"

namespace berth::zoo {

LstmWeights lstm_weights(Net& net, std::int64_t inputs, std::int64_t units) {
  return {net.weight("weights", {inputs + units, 4 * units}), net.weight("bias", {4 * units})};
}

LstmState lstm_zeros(Net& net, std::int64_t batch, std::int64_t units) {
  return {net.constant("hidden_zeros", {batch, units}), net.constant("cell_zeros", {batch, units})};
}

LstmState lstm_step(Net& net, std::string_view name, const LstmWeights& weights, const Value& x,
                    const LstmState& state) {
  const Net::Scope scope(net, name);
  const Value joined = net.concat("joined", {x, state.hidden}, -1);
  const Value gates =
      net.add("add_bias", net.matmul("matmul", joined, weights.product), weights.bias);
  const std::vector<Value> parts = net.split("split", gates, 4, -1);
  const Value input = net.sigmoid("input_gate", parts[0]);
  const Value forget = net.sigmoid("forget_gate", parts[1]);
  const Value output = net.sigmoid("output_gate", parts[2]);
  const Value update = net.tanh("update", parts[3]);
  const Value cell =
      net.add("cell", net.mul("kept", forget, state.cell), net.mul("written", input, update));
  return {net.mul("hidden", output, net.tanh("cell_tanh", cell)), cell};
}

}  // namespace berth::zoo
