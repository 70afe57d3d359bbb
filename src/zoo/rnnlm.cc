// zoo:rnnlm, the recurrent language model of the placement papers (Jozefowicz et al. 2016 as used
// by ColocRL and HDP): an embedding, stacked LSTM layers unrolled over the sequence, and a softmax
// over the vocabulary at every step. The papers give layers and batch, not the widths: 2 layers,
// batch 64; units, length and vocabulary are chosen here.
#include <fmt/format.h>

#include "zoo/expert.h"
#include "zoo/recurrent.h"
#include "zoo/workload_list.h"

namespace berth::zoo {
namespace {

Graph build_rnnlm(const Options& options, Mode mode) {
  const std::int64_t layers = options.integer("layers");
  const std::int64_t batch = options.integer("batch");
  const std::int64_t steps = options.integer("seq");
  const std::int64_t units = options.integer("hidden");
  const std::int64_t vocabulary = options.integer("vocab");

  Net net("rnnlm");
  std::vector<Value> inputs;
  {
    const Net::Scope scope(net, "embedding", "embedding");
    const Value table = net.weight("table", {vocabulary, units});
    for (std::int64_t t = 0; t < steps; ++t) {
      const Value word = net.input(fmt::format("word_{}", t), {batch}, DType::i32);
      inputs.push_back(net.gather(fmt::format("lookup_{}", t), table, word));
    }
  }
  for (std::int64_t layer = 0; layer < layers; ++layer) {
    const std::string label = fmt::format("lstm_{}", layer);
    const Net::Scope scope(net, label, label);
    const LstmWeights weights = lstm_weights(net, units, units);
    LstmState state = lstm_zeros(net, batch, units);
    for (std::int64_t t = 0; t < steps; ++t) {
      const auto at = static_cast<std::size_t>(t);
      state = lstm_step(net, fmt::format("step_{}", t), weights, inputs[at], state);
      inputs[at] = state.hidden;
    }
  }
  const Net::Scope scope(net, "softmax", "softmax");
  const Value weights = net.weight("weights", {units, vocabulary});
  const Value bias = net.weight("bias", {vocabulary});
  for (std::int64_t t = 0; t < steps; ++t) {
    const Net::Scope step(net, fmt::format("step_{}", t));
    const Value product = net.matmul("matmul", inputs[static_cast<std::size_t>(t)], weights);
    net.output(net.add("logits", product, bias));
  }
  return finish(net, options, mode);
}

}  // namespace

Workload rnnlm_workload() {
  using Type = OptionSpec::Type;
  return {.name = "rnnlm",
          .summary =
              "Recurrent language model: stacked LSTM layers, unrolled, and one softmax per step.",
          .options = with_common_options(
              {{"layers", Type::integer, "2", "LSTM layers.", 1, 64},
               {"batch", Type::integer, "64", "Sequences per step.", 1, 65536},
               {"seq", Type::integer, "40", "Words in a sequence.", 1, 2000},
               {"hidden", Type::integer, "2048", "Width of a layer.", 1, 65536},
               {"vocab", Type::integer, "10000", "Words in the vocabulary.", 1, 1e7}}),
          .build = build_rnnlm,
          .expert = one_gpu_a_recurrent_layer};
}

}  // namespace berth::zoo
