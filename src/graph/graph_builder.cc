#include "graph/graph_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <queue>

#include "base/error.h"
#include "graph/total_bytes.h"

namespace berth {
namespace {

// Stable counting sort of (row, item) pairs into rows. `row_of` and `item_of` read one pair.
template <class T, class Pair, class RowOf, class ItemOf>
Rows<T> to_rows(std::size_t row_count, const std::vector<Pair>& pairs, RowOf row_of,
                ItemOf item_of) {
  Rows<T> rows;
  rows.begins.assign(row_count + 1, 0);
  rows.items.resize(pairs.size());
  for (const Pair& pair : pairs) ++rows.begins[row_of(pair) + 1];
  for (std::size_t row = 0; row < row_count; ++row) rows.begins[row + 1] += rows.begins[row];
  std::vector<std::uint32_t> next(rows.begins.begin(), rows.begins.end() - 1);
  for (const Pair& pair : pairs) rows.items[next[row_of(pair)]++] = item_of(pair);
  return rows;
}

// Sorts every row ascending and drops repeated items.
template <class T>
void make_distinct(Rows<T>& rows) {
  std::uint32_t out = 0;
  std::uint32_t begin = 0;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    // In place: rows only shrink, so writing never overtakes reading.
    const auto first = rows.items.begin() + begin;
    const auto last = rows.items.begin() + rows.begins[row + 1];
    begin = rows.begins[row + 1];
    if (!std::is_sorted(first, last)) std::sort(first, last);
    const auto kept = std::unique(first, last);
    rows.begins[row] = out;
    std::copy(first, kept, rows.items.begin() + out);
    out += static_cast<std::uint32_t>(kept - first);
  }
  if (!rows.begins.empty()) rows.begins.back() = out;
  rows.items.resize(out);
  rows.items.shrink_to_fit();
}

void set_optional(std::vector<std::uint32_t>& column, std::size_t size, OpId op,
                  std::uint32_t value) {
  // A column that no op uses stays empty, which saves its memory in large graphs.
  if (column.size() < size) column.resize(size, Graph::kNone);
  column[op.index()] = value;
}

}  // namespace

std::int64_t tensor_bytes(std::span<const std::int64_t> shape, DType dtype) {
  const int bits = dtype_bits(dtype);
  std::int64_t elements = 1;
  bool fits = bits > 0;
  for (const std::int64_t extent : shape) {
    fits = fits && extent >= 0 && !__builtin_mul_overflow(elements, extent, &elements);
  }
  std::int64_t total_bits = 0;
  // Types smaller than a byte are packed. Whole bytes are not computed from the number of bits,
  // which would overflow eight times earlier.
  if (bits % 8 == 0) {
    fits = fits && !__builtin_mul_overflow(elements, bits / 8, &total_bits);
    if (fits) return total_bits;
  } else {
    fits = fits && !__builtin_mul_overflow(elements, bits, &total_bits);
    if (fits) return total_bits / 8 + (total_bits % 8 != 0);
  }
  throw InputError(fmt::format("the shape [{}] of {} does not give a size that fits 63 bits",
                               fmt::join(shape, ", "), dtype_name(dtype)),
                   {.code = ErrorCode::too_large});
}

GraphBuilder::GraphBuilder(std::string name) { graph_.name_ = std::move(name); }

OpId GraphBuilder::add_op(std::string_view name, std::string_view type) {
  Graph& graph = graph_;
  const OpId op(graph.op_count());
  // The table numbers names as ops are added, so a name that is new gets the number of the op.
  if (graph.names_.intern(name) != op.index()) {
    throw InputError(
        fmt::format("the op name {} is used twice; names must be unique", quoted(name)));
  }
  graph.types_.push_back(graph.type_names_.intern(type));
  graph.flops_.push_back(0);
  graph.param_bytes_.push_back(0);
  graph.temp_bytes_.push_back(0);
  graph.output_begins_.push_back(graph.output_begins_.back());
  if (!graph.seconds_.begins.empty()) graph.seconds_.begins.push_back(graph.seconds_.begins.back());
  return op;
}

void GraphBuilder::set_type(OpId op, std::string_view type) {
  graph_.types_[op.index()] = graph_.type_names_.intern(type);
}

void GraphBuilder::set_colocation(OpId op, std::string_view label) {
  set_optional(graph_.colocation_, graph_.op_count(), op, graph_.colocation_names_.intern(label));
}

void GraphBuilder::set_layer(OpId op, std::string_view label) {
  set_optional(graph_.layers_, graph_.op_count(), op, graph_.layer_names_.intern(label));
}

void GraphBuilder::set_devices(OpId op, std::vector<std::string> devices) {
  const auto [found, added] =
      rules_.try_emplace(std::move(devices), static_cast<std::uint32_t>(graph_.rule_lists_.size()));
  if (added) graph_.rule_lists_.push_back(found->first);
  set_optional(graph_.device_rules_, graph_.op_count(), op, found->second);
}

void GraphBuilder::add_seconds(OpId op, std::string_view device, double seconds) {
  assert(op.index() + 1 == graph_.op_count());
  // Rows are built by appending, so only the op added last can still get entries.
  auto& rows = graph_.seconds_;
  if (rows.begins.empty()) rows.begins.assign(graph_.op_count() + 1, 0);
  rows.items.push_back({graph_.seconds_keys_.intern(device), seconds});
  rows.begins[op.index() + 1] = static_cast<std::uint32_t>(rows.items.size());
}

std::int64_t GraphBuilder::bytes_from_shape(OpId op, std::uint32_t k,
                                            const OutputSpec& output) const {
  try {
    return tensor_bytes(output.shape, output.dtype);
  } catch (const InputError& error) {
    throw error.reworded(fmt::format("the tensor {} of model {} is too large: {}",
                                     quoted(fmt::format("{}:{}", graph_.op_name(op), k)),
                                     quoted(graph_.name()), error.what()));
  }
}

TensorRef GraphBuilder::add_output(OpId op, const OutputSpec& output) {
  assert(op.index() + 1 == graph_.op_count());
  Graph& graph = graph_;
  const auto k = static_cast<std::uint32_t>(graph.output_count(op));
  graph.bytes_.push_back(output.bytes >= 0 ? output.bytes : bytes_from_shape(op, k, output));
  graph.producers_.push_back(op);
  graph.dtypes_.push_back(output.dtype);
  graph.has_shape_.push_back(output.has_shape || !output.shape.empty());
  graph.resident_.push_back(output.resident);
  graph.alias_.push_back(output.alias);
  graph.is_graph_output_.push_back(0);
  if (graph.shapes_.begins.empty()) graph.shapes_.begins.push_back(0);
  graph.shapes_.items.insert(graph.shapes_.items.end(), output.shape.begin(), output.shape.end());
  graph.shapes_.begins.push_back(static_cast<std::uint32_t>(graph.shapes_.items.size()));
  ++graph.output_begins_.back();
  return {op, k};
}

Graph GraphBuilder::build() && {
  for (auto* column : {&graph_.colocation_, &graph_.layers_, &graph_.device_rules_}) {
    if (!column->empty()) column->resize(graph_.op_count(), Graph::kNone);
  }
  for (const TensorRef& output : outputs_) {
    const TensorId tensor = graph_.output(output.op, output.output);
    if (graph_.is_graph_output_[tensor.index()]) continue;
    graph_.is_graph_output_[tensor.index()] = 1;
    graph_.graph_outputs_.push_back(tensor);
  }
  index_edges();
  sort_topologically();
  check_aliases();
  check_total_bytes(graph_, 1, "");
  check_flops();
  return std::move(graph_);
}

void GraphBuilder::index_edges() {
  Graph& graph = graph_;
  const std::size_t ops = graph.op_count();
  const auto tensor_of = [&](const Input& input) {
    return graph.output(input.tensor.op, input.tensor.output);
  };
  graph.inputs_ = to_rows<TensorId>(
      ops, inputs_, [](const Input& input) { return input.op.index(); }, tensor_of);
  graph.consumers_ = to_rows<OpId>(
      graph.tensor_count(), inputs_, [&](const Input& input) { return tensor_of(input).index(); },
      [](const Input& input) { return input.op; });
  make_distinct(graph.consumers_);
  graph.after_ = to_rows<OpId>(
      ops, after_, [](const After& after) { return after.op.index(); },
      [](const After& after) { return after.earlier; });

  // Order: both kinds of edges as (earlier, later), in the list of `after`. Lists are freed as soon
  // as they are indexed, since a large graph needs the memory.
  for (const Input& input : inputs_) after_.push_back({input.op, input.tensor.op});
  inputs_ = {};
  graph.predecessors_ = to_rows<OpId>(
      ops, after_, [](const After& edge) { return edge.op.index(); },
      [](const After& edge) { return edge.earlier; });
  make_distinct(graph.predecessors_);
  graph.successors_ = to_rows<OpId>(
      ops, after_, [](const After& edge) { return edge.earlier.index(); },
      [](const After& edge) { return edge.op; });
  make_distinct(graph.successors_);
  after_ = {};
}

void GraphBuilder::sort_topologically() {
  Graph& graph = graph_;
  const std::size_t ops = graph.op_count();
  graph.order_.reserve(ops);
  std::vector<std::uint32_t> missing(ops);
  bool listed_in_order = true;
  for (std::size_t i = 0; i < ops; ++i) {
    const auto earlier = graph.predecessors(OpId(i));
    missing[i] = static_cast<std::uint32_t>(earlier.size());
    listed_in_order = listed_in_order && (earlier.empty() || earlier.back() < OpId(i));
  }
  // Most files list ops in topological order already. Then the order is that of the file, and no
  // queue is needed.
  if (listed_in_order) {
    for (std::size_t i = 0; i < ops; ++i) graph.order_.emplace_back(i);
    return;
  }
  // The lowest index first, so that the order is unique and close to that of the file.
  std::priority_queue<OpId, std::vector<OpId>, std::greater<>> ready;
  for (std::size_t i = 0; i < ops; ++i) {
    if (missing[i] == 0) ready.emplace(i);
  }
  while (!ready.empty()) {
    const OpId op = ready.top();
    ready.pop();
    graph.order_.push_back(op);
    for (const OpId later : graph.successors(op)) {
      if (--missing[later.index()] == 0) ready.push(later);
    }
  }
  if (graph.order_.size() < ops) report_cycle(missing);
}

void GraphBuilder::report_cycle(const std::vector<std::uint32_t>& missing) const {
  // Every op left over has a predecessor that is left over too, so walking back must reach an op
  // twice.
  std::vector<std::uint32_t> seen_at(graph_.op_count(), Graph::kNone);
  std::vector<OpId> walk;
  OpId op;
  for (std::size_t i = 0; i < missing.size() && !op.valid(); ++i) {
    if (missing[i] > 0) op = OpId(i);
  }
  while (seen_at[op.index()] == Graph::kNone) {
    seen_at[op.index()] = static_cast<std::uint32_t>(walk.size());
    walk.push_back(op);
    for (const OpId earlier : graph_.predecessors(op)) {
      if (missing[earlier.index()] > 0) {
        op = earlier;
        break;
      }
    }
  }
  std::vector<std::string> names;
  for (std::size_t i = walk.size(); i-- > seen_at[op.index()];) {
    names.push_back(quoted(graph_.op_name(walk[i])));
  }
  names.push_back(names.front());
  constexpr std::size_t kMost = 12;
  const std::size_t length = names.size() - 1;
  if (names.size() > kMost) {
    names.erase(names.begin() + kMost / 2, names.end() - kMost / 2);
    names.insert(names.begin() + kMost / 2, "...");
  }
  throw InputError(fmt::format("the graph has a cycle of {} op{}, {}; a graph must be acyclic",
                               length, length == 1 ? "" : "s", fmt::join(names, " -> ")));
}

void GraphBuilder::check_flops() const {
  double total = 0;
  for (std::size_t i = 0; i < graph_.op_count(); ++i) {
    total += graph_.flops(OpId(i));
    if (std::isfinite(total)) continue;
    throw InputError(
        fmt::format("the flops of model {} up to op {} add up to more than a double can hold",
                    quoted(graph_.name()), quoted(graph_.op_name(OpId(i)))));
  }
}

void GraphBuilder::check_aliases() const {
  for (std::size_t i = 0; i < graph_.tensor_count(); ++i) {
    const TensorId tensor(i);
    const std::uint32_t alias = graph_.alias(tensor);
    if (alias == Graph::kNone) continue;
    const std::size_t inputs = graph_.inputs(graph_.producer(tensor)).size();
    const std::string where = quoted(graph_.tensor_name(tensor));
    if (alias >= inputs) {
      throw InputError(
          fmt::format("the output {} is an alias of input {}, but its op has {} input{}", where,
                      alias, inputs, inputs == 1 ? "" : "s"));
    }
    if (graph_.resident(tensor)) {
      throw InputError(fmt::format(
          "the output {} is both \"resident\" and an \"alias\"; it can be only one of them",
          where));
    }
  }
}

}  // namespace berth
