#include "graph/total_bytes.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace berth {

void check_total_bytes(const Graph& graph, std::int64_t times, std::string_view where) {
  std::int64_t total = 0;
  bool overflow = false;
  const auto add = [&](std::int64_t bytes) {
    overflow = overflow || bytes < 0 || __builtin_add_overflow(total, bytes, &total);
  };
  TensorId largest;
  for (std::size_t i = 0; i < graph.tensor_count(); ++i) {
    const TensorId tensor(i);
    add(graph.bytes(tensor));
    if (!largest.valid() || graph.bytes(tensor) > graph.bytes(largest)) largest = tensor;
  }
  OpId heaviest;  // by what it keeps beside its outputs
  const auto kept = [&](OpId op) { return std::max(graph.param_bytes(op), graph.temp_bytes(op)); };
  for (std::size_t i = 0; i < graph.op_count(); ++i) {
    const OpId op(i);
    add(graph.param_bytes(op));
    add(graph.temp_bytes(op));
    if (!heaviest.valid() || kept(op) > kept(heaviest)) heaviest = op;
  }
  overflow = overflow || __builtin_mul_overflow(total, times, &total);
  if (!overflow) return;
  const bool is_tensor = largest.valid() && graph.bytes(largest) >= kept(heaviest);
  throw InputError(
      fmt::format("the sizes of model {} add up{} to more bytes than fit in 63 bits; the largest "
                  "is {} with {} bytes",
                  quoted(graph.name()), where,
                  is_tensor ? fmt::format("the tensor {}", quoted(graph.tensor_name(largest)))
                            : fmt::format("op {}", quoted(graph.op_name(heaviest))),
                  is_tensor ? graph.bytes(largest) : kept(heaviest)),
      {.code = ErrorCode::too_large,
       .subject = is_tensor ? graph.tensor_name(largest) : std::string(graph.op_name(heaviest))});
}

}  // namespace berth
