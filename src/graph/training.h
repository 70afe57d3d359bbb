// The graph of one training step, made of the graph of a forward pass.
//
// Every output that depends on a weight gets a loss. Then, in reverse order, every op that
// leads from a weight to a loss gets its gradient ops (gradient_rules.h says which, and what of the
// forward pass they need: that is what keeps activations alive). Where several ops read a tensor,
// its gradients are added up as they come: the first sum takes a new buffer, further ones go into
// it. Every weight gets one update, which holds the optimizer's state. The gradient of a table of
// which only rows were looked up has those rows only, and its update touches no others.
//
// A weight is a `Variable` op: it shares a device with its update and with nothing else. A forward
// op shares one with its own gradient ops. Where the forward graph ties ops together already, the
// new ops join them. Layer labels are inherited.
//
// What an optimizer keeps per parameter is one table, `optimizers()`. Weights and the optimizer's
// state are `param_bytes`: they stay all step long. A gradient is a tensor: it is counted from the
// op that makes it until its update has read it, and never in `param_bytes`.
//
// The result keeps the loss alone until the end of the step. Ops with weights of their own
// (`param_bytes` on an op that is no Variable) are given an update too. It cannot recompute
// activations instead of keeping them, and knows one loss, cross entropy over the last axis.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graph/graph.h"

namespace berth {

enum class Optimizer { sgd, momentum, adam, adam16, adam8bit, adafactor };

// What an optimizer keeps beside weights and gradients, and what an update costs.
struct OptimizerFacts {
  std::string_view name;
  std::string_view update_type;  // of the op
  int moments;                   // numbers kept for an element
  int moment_bits;               // of each; 0: as wide as the weight. Never wider than 32 or that
  bool master_weights;           // 32-bit ones, where the weights themselves are narrower
  bool factored;                 // the moment of a matrix is one sum per row and per column
  double flops;                  // an element
  std::string_view state;        // in words: "two 32-bit moments"
};
std::span<const OptimizerFacts> optimizers();  // in the order of Optimizer

std::vector<std::string> optimizer_names();        // "sgd", ...
Optimizer parse_optimizer(std::string_view name);  // throws InputError with the valid names
bool is_update(std::string_view op_type);          // of a weight, by any of them

// Where nobody chose: adam when most weights are narrower than 32 bits, which is how such models
// are trained, else sgd. Of a forward or a training graph.
Optimizer default_optimizer(const Graph& graph);

// Bytes per parameter while training; a factored moment counts as none.
struct TrainingMemory {
  Optimizer optimizer = Optimizer::sgd;
  int weight_bytes = 4;
  int gradient_bytes = 4;
  int master_bytes = 0;
  int moment_bytes = 0;
  int total_bytes() const { return weight_bytes + gradient_bytes + master_bytes + moment_bytes; }
};
TrainingMemory training_memory(Optimizer optimizer, int weight_bits);
// For the width that most weights of the graph have.
TrainingMemory training_memory(Optimizer optimizer, const Graph& graph);
// "16 bytes per parameter (adam): 16-bit weights and gradients, ..."
std::string training_memory_text(const TrainingMemory& memory);

struct TrainingOptions {
  Optimizer optimizer = Optimizer::sgd;
};

// Throws InputError when no output depends on a weight, for there is nothing to train then, and for
// a graph in i8.
Graph make_training_graph(const Graph& forward, const TrainingOptions& options);

}  // namespace berth
