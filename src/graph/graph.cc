#include "graph/graph.h"

#include <charconv>

namespace berth {

std::optional<OpId> Graph::find_op(std::string_view name) const {
  const auto found = names_.find(name);
  if (!found) return std::nullopt;
  return OpId(*found);
}

std::optional<TensorId> Graph::find_tensor(std::string_view reference) const {
  if (const auto op = find_op(reference)) {
    if (output_count(*op) == 0) return std::nullopt;
    return output(*op, 0);
  }
  const std::size_t colon = reference.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto op = find_op(reference.substr(0, colon));
  if (!op) return std::nullopt;
  std::size_t k = 0;
  const char* end = reference.data() + reference.size();
  const auto parsed = std::from_chars(reference.data() + colon + 1, end, k);
  if (parsed.ec != std::errc() || parsed.ptr != end || k >= output_count(*op)) return std::nullopt;
  return output(*op, k);
}

std::string Graph::tensor_name(TensorId tensor) const {
  return std::string(op_name(producer(tensor))) + ":" + std::to_string(output_index(tensor));
}

}  // namespace berth
