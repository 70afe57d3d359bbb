#include "graph/precision.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "graph/training.h"

namespace berth {
namespace {

constexpr std::array<DType, 5> kPrecisions = {DType::f32, DType::tf32, DType::f16, DType::bf16,
                                              DType::i8};

bool follows_precision(DType dtype) {
  return dtype == DType::f32 || dtype == DType::tf32 || dtype == DType::f16 || dtype == DType::bf16;
}

}  // namespace

std::vector<std::string> precision_names() {
  std::vector<std::string> names;
  for (const DType dtype : kPrecisions) names.emplace_back(dtype_name(dtype));
  return names;
}

DType parse_precision(std::string_view name) {
  for (const DType dtype : kPrecisions) {
    if (dtype_name(dtype) == name) return dtype;
  }
  throw InputError(
      fmt::format("there is no precision {}; valid are {}{}", quoted(name),
                  join_names(precision_names()), did_you_mean(name, precision_names())),
      {.code = ErrorCode::unknown_name, .subject = std::string(name)});
}

Graph in_precision(Graph graph, DType precision) {
  const DType held = precision == DType::tf32 ? DType::f32 : precision;
  const int bits = dtype_bits(held);
  for (std::size_t i = 0; i < graph.op_count(); ++i) {
    const OpId op(i);
    bool has_resident = false;
    int first_bits = bits;  // of the first output that changes
    // Backwards, so that first_bits ends up as that of the first output that changes.
    for (std::size_t k = graph.output_count(op); k-- > 0;) {
      const std::size_t t = graph.output(op, k).index();
      has_resident = has_resident || graph.resident_[t] != 0;
      if (!follows_precision(graph.dtypes_[t])) continue;
      first_bits = dtype_bits(graph.dtypes_[t]);
      if (graph.resident_[t]) {
        std::int64_t& params = graph.param_bytes_[i];
        // A resident output is part of param_bytes, which has to change by the same bytes. The rest
        // of the parameters is not known to have this type and stays.
        const std::int64_t here = std::min(params, graph.bytes_[t]);
        params = sum_of_bytes(params - here, bytes_of_width(here, first_bits, bits));
      }
      graph.bytes_[t] = bytes_of_width(graph.bytes_[t], first_bits, bits);
      graph.dtypes_[t] = held;
    }
    if (!has_resident && !is_update(graph.op_type(op))) {
      graph.param_bytes_[i] = bytes_of_width(graph.param_bytes_[i], first_bits, bits);
    }
    graph.temp_bytes_[i] = bytes_of_width(graph.temp_bytes_[i], first_bits, bits);
  }
  graph.precision_ = precision;
  return graph;
}

std::size_t count_untyped(const Graph& graph) {
  std::size_t count = 0;
  for (std::size_t t = 0; t < graph.tensor_count(); ++t) {
    const TensorId tensor(t);
    count += graph.dtype(tensor) == DType::unknown && graph.bytes(tensor) > 0;
  }
  return count;
}

}  // namespace berth
