// What the engines run, in flat arrays: kernels (ops, or fused groups), the tensors that exist
// outside of a kernel, and which kernel waits for which. It is compiled once per problem, and again
// per fusion. Kernels are numbered by their lowest op, so the order of kernels is the order of op
// indices that the execution rules use for ties.
//
// An edge is one (tensor, consumer) pair; the edges of a tensor are consecutive. Each edge is also
// one input of its consumer, and the inputs of a kernel are numbered consecutively too. The
// producer writes at that number which copy of the tensor the consumer reads, so that a consumer
// finds all its inputs side by side.
#pragma once

#include <cstdint>
#include <vector>

#include "cost/problem.h"
#include "plan/plan.h"

namespace berth {

struct Program {
  static constexpr std::uint32_t kNone = 0xffffffffu;

  std::uint32_t kernels = 0;
  std::uint32_t tensors = 0;
  std::uint32_t edges = 0;
  bool has_aliases = false;

  // What an engine needs when a kernel ends, in one record: on large graphs the loop is limited by
  // cache misses. A range ends where the range of the next record begins, so there is one record
  // more than there are kernels or tensors.
  struct Kernel {
    std::uint32_t tensor_begin = 0;  // its outputs, in order of sending
    std::uint32_t edge_begin = 0;    // edges of its outputs: those of its first tensor come first
    std::uint32_t input_begin = 0;   // inputs: distinct tensors it reads
    std::uint32_t after_begin = 0;   // into after_kernels: kernels that wait for its end, distinct
    std::int64_t start_bytes = 0;    // outputs and workspace, taken at its start
    std::int64_t temp_bytes = 0;     // workspace, given back at its end
  };
  struct Tensor {
    std::int64_t bytes = 0;        // of a copy elsewhere
    std::int64_t local_bytes = 0;  // on its producer's device: 0 when resident or an alias
    std::uint32_t edge_begin = 0;
    std::uint32_t kept = 0;  // 1 when it is kept until the step ends
  };
  struct Edge {
    std::uint32_t kernel;  // the consumer
    std::uint32_t input;   // number of the input, see above
  };
  std::vector<Kernel> kernel_records;
  std::vector<Tensor> tensor_records;
  std::vector<Edge> edge_records;
  std::vector<std::uint32_t> after_kernels;
  std::vector<std::uint32_t> waits;       // by kernel: inputs and `after` it waits for
  std::vector<std::int64_t> param_bytes;  // by kernel
  std::vector<std::uint32_t> sources;     // kernels that wait for nothing

  // By tensor: whose memory it shares, either an input of its kernel (its number) or another output
  // of the same kernel. kNone where it shares none.
  std::vector<std::uint32_t> alias_input, alias_tensor;

  // Back to the graph.
  std::vector<OpId> kernel_ops;  // lowest member
  std::vector<TensorId> tensor_ids;
  std::vector<std::uint32_t> kernel_fused;  // position in Plan::fused, or kNone; empty when none is
};

// Every op a kernel of its own.
Program compile(const Problem& problem);
// With the groups of `fused`, which must be valid (see violations()), each contracted to one
// kernel. `kernel_of_op` receives the kernel of every op.
Program compile_fused(const Problem& problem, const std::vector<std::vector<OpId>>& fused,
                      std::vector<std::uint32_t>& kernel_of_op);

}  // namespace berth
