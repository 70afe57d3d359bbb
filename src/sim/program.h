// What the engines run: kernels (ops, or fused groups standing for several), the tensors that exist
// outside of a kernel, and who waits for what, in flat arrays. Compiled once per problem, and once
// per fusion. Kernels are numbered by their lowest op, so that comparing kernels compares op
// indices.
//
// An edge is one (tensor, consumer) pair; edges of a tensor are consecutive. It is also one of its
// consumer's inputs, and those are numbered consecutively too: where a producer leaves word which
// copy of a tensor a consumer reads, the consumer finds all its inputs side by side.
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

  // What an engine needs of a kernel or a tensor when it ends, side by side: the loop is bound by
  // cache lines on large graphs. Ranges end where those of the next record begin; there is one
  // record more than kernels and tensors.
  struct Kernel {
    std::uint32_t tensor_begin = 0;  // its outputs, in order of sending
    std::uint32_t edge_begin = 0;    // of its outputs: that of its first tensor
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
    std::uint32_t input;   // of the consumer's inputs, which one
  };
  std::vector<Kernel> kernel_records;
  std::vector<Tensor> tensor_records;
  std::vector<Edge> edge_records;
  std::vector<std::uint32_t> after_kernels;
  std::vector<std::uint32_t> waits;       // by kernel: inputs and `after` it waits for
  std::vector<std::int64_t> param_bytes;  // by kernel
  std::vector<std::uint32_t> sources;     // kernels that wait for nothing

  // By tensor, whose memory it shares: the copy that is an input of its kernel, or another output
  // of its kernel.
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
