// zoo:enas_ptb, recurrent cells drawn at random from the search space of ENAS (Pham et al. 2018) on
// Penn Treebank, a family for learning to generalise as in Placeto's data sets: any seed another
// graph. A cell has `nodes` nodes; each takes one of the nodes before, and a function of tanh,
// ReLU, identity and sigmoid, as a highway:
//   c = sigmoid(h Wc),  h' = c f(h Wh) + (1 - c) h
// and the cell's output is the mean of the nodes nobody took. The first node reads word and state.
#include <fmt/format.h>

#include "base/random.h"
#include "zoo/expert.h"
#include "zoo/net.h"
#include "zoo/workload_list.h"

namespace berth::zoo {
namespace {

struct Cell {
  std::vector<std::size_t> from;
  std::vector<std::string_view> function;
  std::vector<std::size_t> loose;  // nodes nobody takes
};

Cell draw_cell(std::int64_t nodes, Random& random) {
  constexpr std::string_view kFunctions[] = {"Tanh", "Relu", "Identity", "Sigmoid"};
  Cell cell;
  std::vector<char> taken(static_cast<std::size_t>(nodes), 0);
  for (std::size_t i = 0; i < static_cast<std::size_t>(nodes); ++i) {
    cell.from.push_back(i == 0 ? 0 : random.below(i));
    if (i > 0) taken[cell.from.back()] = 1;
    cell.function.push_back(kFunctions[random.below(std::size(kFunctions))]);
  }
  for (std::size_t i = 0; i < taken.size(); ++i) {
    if (!taken[i]) cell.loose.push_back(i);
  }
  return cell;
}

struct NodeWeights {
  Value gate, value;
};

Value highway(Net& net, std::string_view function, const Value& x, const Value& kept,
              const NodeWeights& weights) {
  const Value gate = net.sigmoid("gate", net.matmul("gate_product", x, weights.gate));
  const Value value =
      net.unary(function, "function", net.matmul("value_product", x, weights.value));
  const Value change = net.mul("change", gate, net.binary("Sub", "difference", value, kept));
  return net.add("node", change, kept);
}

Value run_cell(Net& net, const Cell& cell, const std::vector<NodeWeights>& weights,
               const Value& word, const Value& state) {
  std::vector<Value> nodes;
  for (std::size_t i = 0; i < cell.from.size(); ++i) {
    const Net::Scope scope(net, fmt::format("node_{}", i));
    const Value kept = i == 0 ? state : nodes[cell.from[i]];
    const Value x = i == 0 ? net.concat("joined", {word, state}, -1) : kept;
    nodes.push_back(highway(net, cell.function[i], x, kept, weights[i]));
  }
  Value sum = nodes[cell.loose.front()];
  for (std::size_t i = 1; i < cell.loose.size(); ++i) {
    sum = net.add(fmt::format("sum_{}", i), sum, nodes[cell.loose[i]]);
  }
  return net.mul("mean", sum, net.constant("share", {1}));
}

Graph build_enas_ptb(const Options& options, Mode mode) {
  const std::int64_t batch = options.integer("batch");
  const std::int64_t units = options.integer("hidden");
  const std::int64_t vocabulary = options.integer("vocab");
  Random random(static_cast<std::uint64_t>(options.integer("seed")));
  const Cell cell = draw_cell(options.integer("nodes"), random);

  Net net("enas_ptb");
  Value table, state;
  std::vector<NodeWeights> weights;
  {
    const Net::Scope scope(net, "embedding", "embedding");
    table = net.weight("table", {vocabulary, units});
  }
  {
    const Net::Scope scope(net, "cell", "cell");
    for (std::size_t i = 0; i < cell.from.size(); ++i) {
      const std::int64_t inputs = i == 0 ? 2 * units : units;
      weights.push_back({net.weight(fmt::format("gate_weights_{}", i), {inputs, units}),
                         net.weight(fmt::format("value_weights_{}", i), {inputs, units})});
    }
    state = net.constant("zeros", {batch, units});
  }
  Value softmax;
  {
    const Net::Scope scope(net, "softmax", "softmax");
    softmax = net.weight("weights", {units, vocabulary});
  }
  for (std::int64_t t = 0; t < options.integer("seq"); ++t) {
    const Net::Scope step(net, fmt::format("step_{}", t));
    Value word;
    {
      const Net::Scope scope(net, "embedding", "embedding");
      word = net.gather("lookup", table, net.input("word", {batch}, DType::i32));
    }
    {
      const Net::Scope scope(net, "cell", "cell");
      state = run_cell(net, cell, weights, word, state);
    }
    const Net::Scope scope(net, "softmax", "softmax");
    net.output(net.matmul("logits", state, softmax));
  }
  return finish(net, options, mode);
}

}  // namespace

Workload enas_ptb_workload() {
  using Type = OptionSpec::Type;
  return {.name = "enas_ptb",
          .summary = "A random recurrent cell of the ENAS search space, unrolled; one per seed.",
          .options = with_common_options(
              {{"seed", Type::integer, "0", "Seed of the cell.", 0, 1e15},
               {"nodes", Type::integer, "12", "Nodes of the cell.", 1, 200},
               {"batch", Type::integer, "64", "Sequences per step.", 1, 65536},
               {"seq", Type::integer, "25", "Words in a sequence.", 1, 2000},
               {"hidden", Type::integer, "1000", "Width of a node.", 1, 65536},
               {"vocab", Type::integer, "10000", "Words in the vocabulary.", 1, 1e7}}),
          .build = build_enas_ptb,
          .expert = split_layers_over_gpus};
}

}  // namespace berth::zoo
