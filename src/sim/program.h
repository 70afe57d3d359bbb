// What the engines run: units (ops, or fused groups standing for several), the tensors that exist
// outside of a unit, and who waits for what, in flat arrays. Compiled once a problem, and once a
// fusion. Units are numbered by their lowest op, so that comparing units compares op indices.
//
// An edge is one (tensor, consumer) pair; edges of a tensor are consecutive. Units know their
// inputs as edges, which leads from a consumer to the very copy of the tensor it reads.
#pragma once

#include <cstdint>
#include <vector>

#include "cost/problem.h"
#include "plan/plan.h"

namespace berth {

struct Program {
  static constexpr std::uint32_t kNone = 0xffffffffu;

  std::uint32_t units = 0;
  std::uint32_t tensors = 0;
  std::uint32_t edges = 0;
  bool has_aliases = false;

  // By unit.
  std::vector<std::uint32_t> tensor_begins;              // its outputs, in order of sending
  std::vector<std::uint32_t> input_begins, input_edges;  // distinct tensors it reads
  std::vector<std::uint32_t> after_begins, after_units;  // units that wait for its end, distinct
  std::vector<std::uint32_t> waits;                      // inputs and `after` it waits for
  std::vector<std::int64_t> start_bytes;  // outputs and workspace, taken at its start
  std::vector<std::int64_t> temp_bytes;   // given back at its end
  std::vector<std::int64_t> param_bytes;
  std::vector<std::uint32_t> sources;  // units that wait for nothing

  // By tensor.
  std::vector<std::uint32_t> edge_begins;
  std::vector<std::int64_t> bytes;        // of a copy elsewhere
  std::vector<std::int64_t> local_bytes;  // on its producer's device: 0 when resident or an alias
  std::vector<std::uint8_t> kept;         // until the step ends
  // Whose memory it shares: the copy of an input (an edge of its unit) or another output of its
  // unit.
  std::vector<std::uint32_t> alias_edge, alias_tensor;

  // By edge.
  std::vector<std::uint32_t> edge_units;  // the consumer

  // Back to the graph.
  std::vector<OpId> unit_ops;  // lowest member
  std::vector<TensorId> tensor_ids;
  std::vector<std::uint32_t> unit_fused;  // position in Plan::fused, or kNone; empty when none is
};

// Every op a unit of its own.
Program compile(const Problem& problem);
// With the groups of `fused`, which must be valid (see violations()), each contracted to one unit.
// `unit_of_op` receives the unit of every op.
Program compile_fused(const Problem& problem, const std::vector<std::vector<OpId>>& fused,
                      std::vector<std::uint32_t>& unit_of_op);

}  // namespace berth
