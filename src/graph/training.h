// Makes the graph of one training step from the graph of a forward pass.
//
// Every output that depends on a weight gets a loss. Then, in reverse order, every op on a path
// from a weight to a loss gets its gradient ops. gradient_rules.h says which these are and what
// they need from the forward pass; this is what keeps activations alive. Where several ops read a
// tensor, its gradients are added up one by one: the first sum takes a new buffer, further ones
// reuse it. Every weight gets one update, which holds the optimizer's state. The gradient of a
// table of which only rows were looked up has only those rows, and its update touches no others.
//
// A weight is a `Variable` op: it shares a device with its update and with nothing else. A forward
// op shares a device with its own gradient ops. Where the forward graph already colocates ops, the
// new ops join them. Layer labels are inherited.
//
// What an optimizer keeps per parameter is in one table, `optimizers()`. Weights and the
// optimizer's state are `param_bytes`: they stay during the whole step. A gradient is a tensor: it
// is counted from the op that makes it until its update has read it, and never in `param_bytes`.
//
// Only the loss is kept until the end of the step. Ops with weights of their own (`param_bytes` on
// an op that is not a Variable) get an update too. Activations cannot be recomputed instead of
// kept, and there is one loss, cross entropy over the last axis. O(ops + edges).
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
  int moments;                   // numbers kept per element
  int moment_bits;               // of each; 0: as wide as the weight. Never wider than 32 or that
  bool master_weights;           // 32-bit ones, where the weights themselves are narrower
  bool factored;                 // the moment of a matrix is one sum per row and per column
  double flops;                  // per element
  std::string_view state;        // in words: "two 32-bit moments"
};
std::span<const OptimizerFacts> optimizers();  // in the order of Optimizer

std::vector<std::string> optimizer_names();        // "sgd", ...
Optimizer parse_optimizer(std::string_view name);  // throws InputError with the valid names
bool is_update(std::string_view op_type);          // of a weight, by any of them

// The default: adam when most weights are narrower than 32 bits, as such models are usually
// trained, else sgd. For a forward or a training graph.
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

// Throws InputError when no output depends on a weight, since there is nothing to train, and for a
// graph in i8.
Graph make_training_graph(const Graph& forward, const TrainingOptions& options);

}  // namespace berth
