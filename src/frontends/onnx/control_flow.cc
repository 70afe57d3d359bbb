// If, Loop, Scan and SequenceMap.
//
// A body is run like the graph itself, only that its ops are added up. Loops are run for two
// iterations at most, with what is known of the values that go round: the first says what an
// iteration costs and makes, the second whether that stays so. A shape that grows evenly is taken
// to go on growing; one that changes in another way is unknown.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "frontends/onnx/import_run.h"
#include "frontends/onnx/node_order.h"
#include "frontends/onnx/sizes.h"

namespace berth::onnx {
namespace {

// Larger numbers mean "until the condition is false": exporters write the largest integer for it.
constexpr std::int64_t kMostTrips = 1'000'000'000;

std::optional<std::int64_t> known_integer(const Value& value) {
  if (!value.contents || value.contents->integers.size() != 1) return std::nullopt;
  const std::int64_t integer = value.contents->integers.front();
  if (!Contents::is_known(integer)) return std::nullopt;
  return integer;
}

Value scalar(ElementType element, std::int64_t content) {
  Value value;
  value.kind = Type::Kind::tensor;
  value.element = element;
  value.has_rank = true;
  value.contents = Contents{.integers = {content}, .reals = {}};
  return value;
}

// The result of an If: what the branches agree on, and where they differ the larger one.
Value either_of(const Value& left, const Value& right) {
  const auto left_bytes = bytes_of(left);
  const auto right_bytes = bytes_of(right);
  const bool take_right = left_bytes && right_bytes && *right_bytes > *left_bytes;
  Value result = take_right ? right : left;
  result.forget_contents();
  merge(result, take_right ? left : right);
  result.forget_contents();
  return result;
}

// Loops that append to a tensor grow it by the same amount in every iteration. Any other growth is
// unknown.
std::int64_t extrapolate(std::int64_t start, std::int64_t first, std::int64_t second,
                         std::int64_t trips) {
  if (first == second) return second;
  std::int64_t result = 0;
  if (trips < 0 || start < 0 || first < 0 || second < 0 || second - first != first - start)
    return kUnknown;
  if (__builtin_mul_overflow(first - start, trips, &result) ||
      __builtin_add_overflow(start, result, &result)) {
    return first > start ? kTooLarge : kUnknown;
  }
  return std::max<std::int64_t>(result, kUnknown);
}

// The final state of a loop-carried value, from its first three states.
Value after_trips(const Value& start, const Value& first, const Value& second, std::int64_t trips) {
  if (trips == 0) return start;
  if (trips == 1) return first;
  if (trips == 2) return second;
  Value result = second;
  result.forget_contents();
  if (start.dims.size() == second.dims.size() && first.dims.size() == second.dims.size()) {
    for (std::size_t i = 0; i < result.dims.size(); ++i) {
      result.dims[i] = extrapolate(start.dims[i], first.dims[i], second.dims[i], trips);
    }
  }
  result.length = extrapolate(start.length, first.length, second.length, trips);
  return result;
}

Value stacked(Value value, std::int64_t trips, std::size_t axis) {
  value.forget_contents();
  if (!value.has_rank) return value;
  const auto at = static_cast<std::ptrdiff_t>(std::min(axis, value.dims.size()));
  value.dims.insert(value.dims.begin() + at, trips);
  return value;
}

std::int64_t attribute_integer(const Node& node, std::string_view name, std::int64_t fallback) {
  const Attribute* attribute = node.attribute(name);
  return attribute == nullptr ? fallback : attribute->i;
}

// The axis a Scan goes along for its k-th input or output.
std::int64_t scan_axis(const Node& node, std::string_view name, std::size_t k,
                       std::int64_t fallback) {
  const Attribute* attribute = node.attribute(name);
  if (attribute == nullptr || k >= attribute->ints.size()) return fallback;
  return attribute->ints[k];
}

}  // namespace

const Graph& ImportRun::body_of(const Node& node, std::string_view name) const {
  const Attribute* attribute = node.attribute(name);
  if (attribute == nullptr || attribute->graphs.empty()) {
    fail(fmt::format("{} lacks its attribute {}, a graph", describe(node), quoted(name)));
  }
  return attribute->graphs.front();
}

bool ImportRun::run_control_flow(const Node& node, std::span<const ValueId> inputs, Scope& scope,
                                 Region& region) {
  if (node.op_type == "If") {
    run_if(node, inputs, scope, region);
  } else if (node.op_type == "Loop") {
    run_loop(node, inputs, scope, region);
  } else if (node.op_type == "Scan") {
    run_scan(node, inputs, scope, region);
  } else if (node.op_type == "SequenceMap") {
    run_sequence_map(node, inputs, scope, region);
  } else {
    return false;
  }
  return true;
}

std::vector<Value> ImportRun::run_body(const Graph& body, const std::vector<Value>& inputs,
                                       Scope& scope, Region& region) {
  Scope inner{.parent = &scope, .opsets = scope.opsets, .prefix = scope.prefix};
  for (std::size_t i = 0; i < body.inputs.size(); ++i) {
    const ValueInfo& info = body.inputs[i];
    Value value = i < inputs.size() ? inputs[i] : Value();
    merge(value, dimensions_.described(info.type));
    inner.values.try_emplace(info.name, add_value(std::move(value), region.depth));
  }
  run_graph(body, inner, region);
  std::vector<Value> outputs;
  for (std::size_t i = 0; i < body.outputs.size(); ++i) {
    const ValueId id = require(body.outputs[i].name, inner, "the list of outputs of a body");
    static const Node kNobody;
    touch(id, kNobody, 0, region);
    outputs.push_back(id == kLeftOut ? Value() : values_[id].value);
    outputs.back().is_weight = false;
  }
  return outputs;
}

// Operators of other domains may have bodies too (beam searches do); the weights in them count.
void ImportRun::run_strange_bodies(const Node& node, Scope& scope, Region& region) {
  for (const Attribute& attribute : node.attributes) {
    for (const Graph& body : attribute.graphs) run_body(body, {}, scope, region);
  }
}

Work ImportRun::whole(const Node& node, std::span<const ValueId> inputs, std::vector<Value> outputs,
                      const Region& body, double times) {
  Work work{.node = node,
            .type = std::string(node.op_type),
            .inputs = {inputs.begin(), inputs.end()},
            .outputs = std::move(outputs),
            .alias = {},
            .flops = body.flops * times,
            .temp_bytes = body.peak_bytes};
  for (const ValueId id : body.reads) {
    if (std::find(inputs.begin(), inputs.end(), id) == inputs.end()) work.inputs.push_back(id);
  }
  work.outputs.resize(node.outputs.size());
  // With known contents the op would be folded away, together with its work.
  for (Value& value : work.outputs) value.forget_contents();
  return work;
}

void ImportRun::run_if(const Node& node, std::span<const ValueId> inputs, Scope& scope,
                       Region& region) {
  const Graph& then_branch = body_of(node, "then_branch");
  const Graph& else_branch = body_of(node, "else_branch");
  if (inputs.empty() || inputs.front() == kLeftOut) {
    fail(fmt::format("{} has no condition", describe(node)));
  }
  if (const auto condition = known_integer(values_[inputs.front()].value)) {
    const Graph& branch = *condition != 0 ? then_branch : else_branch;
    Scope inner{.parent = &scope, .opsets = scope.opsets, .prefix = scope.prefix};
    run_graph(branch, inner, region);
    const Work work{.node = node, .type = {}, .inputs = {}, .outputs = {}, .alias = {}};
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      if (node.outputs[i].empty()) continue;
      if (i >= branch.outputs.size()) {
        fail(fmt::format("{} has {} outputs, but its branch has {}", describe(node),
                         node.outputs.size(), branch.outputs.size()));
      }
      bind(work, i, require(branch.outputs[i].name, inner, describe(node)), scope);
    }
    return;
  }
  Region then_region{.depth = region.depth + 1};
  Region else_region{.depth = region.depth + 1};
  std::vector<Value> outputs = run_body(then_branch, {}, scope, then_region);
  const std::vector<Value> others = run_body(else_branch, {}, scope, else_region);
  for (std::size_t i = 0; i < std::min(outputs.size(), others.size()); ++i) {
    outputs[i] = either_of(outputs[i], others[i]);
  }
  outputs.resize(node.outputs.size());
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    merge_described(node.outputs[i], outputs[i], scope);
  }
  // Either branch may be taken: the more expensive one counts, and the weights of both are needed.
  then_region.flops = std::max(then_region.flops, else_region.flops);
  then_region.peak_bytes = std::max(then_region.peak_bytes, else_region.peak_bytes);
  for (const ValueId id : else_region.reads) {
    if (then_region.seen.insert(id).second) then_region.reads.push_back(id);
  }
  emit(whole(node, inputs, std::move(outputs), then_region, 1), scope, region);
}

void ImportRun::warn_of_trips(const Node& node) {
  add_warning(
      fmt::format("the number of iterations of {} is not known and counts as one", describe(node)));
}

std::optional<std::int64_t> ImportRun::described_length(const Node& node, std::size_t k,
                                                        const Scope& scope) const {
  Value value;
  if (k < node.outputs.size()) merge_described(node.outputs[k], value, scope);
  if (value.dims.empty() || value.dims.front() < 0) return std::nullopt;
  return value.dims.front();
}

void ImportRun::run_loop(const Node& node, std::span<const ValueId> inputs, Scope& scope,
                         Region& region) {
  const Graph& body = body_of(node, "body");
  const auto given = [&](std::size_t i) {
    return i < inputs.size() && inputs[i] != kLeftOut ? &values_[inputs[i]].value : nullptr;
  };
  std::optional<std::int64_t> trips = given(0) ? known_integer(*given(0)) : std::nullopt;
  if (given(1) && known_integer(*given(1)) == 0) trips = 0;
  std::vector<Value> start;
  for (std::size_t i = 2; i < inputs.size(); ++i) {
    start.push_back(given(i) ? *given(i) : Value());
    start.back().is_weight = false;
  }

  // The second pass shows how loop-carried values grow. In nested bodies once is enough: two passes
  // at each of ten levels would run the innermost body a thousand times.
  Region total{.depth = region.depth + 1};
  std::vector<std::vector<Value>> states = {start};
  std::vector<Value> scanned;
  const int passes = region.depth == 0 ? 2 : 1;
  double flops = 0;
  for (int pass = 0; pass < passes; ++pass) {
    std::vector<Value> values = {scalar(ElementType::int64, pass), scalar(ElementType::boolean, 1)};
    values.insert(values.end(), states.back().begin(), states.back().end());
    total.flops = 0;
    std::vector<Value> outputs = run_body(body, values, scope, total);
    if (outputs.size() < 1 + start.size()) {
      fail(fmt::format("the body of {} has {} outputs; expected {}", describe(node), outputs.size(),
                       1 + start.size()));
    }
    const auto end_of_states = outputs.begin() + 1 + static_cast<std::ptrdiff_t>(start.size());
    states.emplace_back(outputs.begin() + 1, end_of_states);
    if (pass == 0) scanned.assign(end_of_states, outputs.end());
    flops = pass == 0 ? total.flops : flops;
    const bool ends = known_integer(outputs.front()) == 0;
    if (ends && (!trips || *trips > pass + 1)) trips = pass + 1;
    if (trips && *trips <= pass + 1) break;
  }
  if (trips && (*trips < 0 || *trips > kMostTrips)) trips.reset();
  // A scan output has one row per iteration, and the file may say how many rows it has.
  for (std::size_t k = 0; k < scanned.size() && !trips; ++k) {
    trips = described_length(node, start.size() + k, scope);
  }
  if (!trips) warn_of_trips(node);
  const std::int64_t times = trips.value_or(1);
  while (states.size() < 3) states.push_back(states.back());
  std::vector<Value> outputs;
  for (std::size_t i = 0; i < start.size(); ++i) {
    // For an unknown number of iterations, what does not depend on it.
    outputs.push_back(after_trips(start[i], states[1][i], states[2][i], trips.value_or(kUnknown)));
  }
  for (Value& value : scanned) {
    outputs.push_back(stacked(std::move(value), trips.value_or(kUnknown), 0));
  }
  outputs.resize(node.outputs.size());
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    merge_described(node.outputs[i], outputs[i], scope);
  }
  // The first iteration as it is, the others like the second.
  const double rest = times > 1 ? total.flops * static_cast<double>(times - 1) : 0;
  total.flops = times == 0 ? 0 : flops + rest;
  emit(whole(node, inputs, std::move(outputs), total, 1), scope, region);
}

void ImportRun::run_scan(const Node& node, std::span<const ValueId> inputs, Scope& scope,
                         Region& region) {
  const Graph& body = body_of(node, "body");
  // Up to opset 8 the lengths of the sequences were the first input, and all other values had a
  // leading batch dimension.
  const bool batched = opset_of("", scope) < 9;
  const std::size_t first = batched ? 1 : 0;
  const std::int64_t count = attribute_integer(node, "num_scan_inputs", 0);
  if (count < 1 || inputs.size() < first ||
      count > static_cast<std::int64_t>(inputs.size() - first)) {
    fail(fmt::format("{} has {} inputs but says that it scans {} of them", describe(node),
                     inputs.size(), count));
  }
  const std::size_t states = inputs.size() - first - static_cast<std::size_t>(count);
  std::optional<std::int64_t> trips;
  std::optional<std::int64_t> batch;
  std::vector<Value> values;
  for (std::size_t i = first; i < inputs.size(); ++i) {
    Value value = inputs[i] == kLeftOut ? Value() : values_[inputs[i]].value;
    value.forget_contents();
    value.is_weight = false;
    if (batched && value.has_rank && !value.dims.empty()) {
      batch = value.dims.front();
      value.dims.erase(value.dims.begin());
    }
    if (i >= first + states && value.has_rank && !value.dims.empty()) {
      std::int64_t axis = batched ? 0 : scan_axis(node, "scan_input_axes", i - first - states, 0);
      const auto rank = static_cast<std::int64_t>(value.dims.size());
      if (axis < 0) axis += rank;
      axis = std::clamp<std::int64_t>(axis, 0, rank - 1);
      if (value.dims[static_cast<std::size_t>(axis)] >= 0) {
        trips = value.dims[static_cast<std::size_t>(axis)];
      }
      value.dims.erase(value.dims.begin() + axis);
    }
    values.push_back(std::move(value));
  }
  Region total{.depth = region.depth + 1};
  std::vector<Value> outputs = run_body(body, values, scope, total);
  if (!trips) warn_of_trips(node);
  const std::int64_t times = trips.value_or(1);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    outputs[i].forget_contents();
    if (i >= states) {
      const auto rank = static_cast<std::int64_t>(outputs[i].dims.size()) + 1;
      std::int64_t axis = batched ? 0 : scan_axis(node, "scan_output_axes", i - states, 0);
      if (axis < 0) axis += rank;
      outputs[i] = stacked(std::move(outputs[i]), trips.value_or(kUnknown),
                           static_cast<std::size_t>(std::max<std::int64_t>(axis, 0)));
    }
    if (batched) outputs[i] = stacked(std::move(outputs[i]), batch.value_or(kUnknown), 0);
  }
  outputs.resize(node.outputs.size());
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    merge_described(node.outputs[i], outputs[i], scope);
  }
  const double samples = static_cast<double>(std::max<std::int64_t>(batch.value_or(1), 1));
  emit(whole(node, inputs, std::move(outputs), total, static_cast<double>(times) * samples), scope,
       region);
}

void ImportRun::run_sequence_map(const Node& node, std::span<const ValueId> inputs, Scope& scope,
                                 Region& region) {
  const Graph& body = body_of(node, "body");
  std::optional<std::int64_t> length;
  std::vector<Value> values;
  for (const ValueId id : inputs) {
    Value value = id == kLeftOut ? Value() : values_[id].value;
    if (value.kind == Type::Kind::sequence) {
      if (value.length >= 0) length = value.length;
      value = value.inner.empty() ? Value() : Value(value.inner.front());
    }
    value.forget_contents();
    value.is_weight = false;
    values.push_back(std::move(value));
  }
  Region total{.depth = region.depth + 1};
  std::vector<Value> outputs;
  if (!length) warn_of_trips(node);
  for (Value& element : run_body(body, values, scope, total)) {
    element.forget_contents();
    Value sequence;
    sequence.kind = Type::Kind::sequence;
    sequence.length = length.value_or(kUnknown);
    sequence.inner.push_back(std::move(element));
    outputs.push_back(std::move(sequence));
  }
  outputs.resize(node.outputs.size());
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    merge_described(node.outputs[i], outputs[i], scope);
  }
  emit(whole(node, inputs, std::move(outputs), total, static_cast<double>(length.value_or(1))),
       scope, region);
}

}  // namespace berth::onnx
