// The graph of one training step, made of the graph of a forward pass.
//
// Behind every output that depends on a weight comes a loss. Then, in reverse order, every op that
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
// The result keeps the loss alone until the end of the step. Ops with weights of their own
// (`param_bytes` on an op that is no Variable) are given an update too. It cannot recompute
// activations instead of keeping them, and knows one loss, cross entropy over the last axis.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "graph/graph.h"

namespace berth {

enum class Optimizer { sgd, momentum, adam };

std::vector<std::string> optimizer_names();        // "sgd", ...
Optimizer parse_optimizer(std::string_view name);  // throws InputError with the valid names

struct TrainingOptions {
  Optimizer optimizer = Optimizer::sgd;
};

// Throws InputError when no output depends on a weight: there is nothing to train then.
Graph make_training_graph(const Graph& forward, const TrainingOptions& options);

}  // namespace berth
