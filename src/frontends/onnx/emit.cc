// From what a node comes to, to an op of the graph; or, in a body, to a sum.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "frontends/onnx/import_run.h"
#include "frontends/onnx/node_order.h"
#include "frontends/onnx/sizes.h"

namespace berth::onnx {
namespace {

// Operators that read only the shape of their input, not its contents.
bool reads_shapes_alone(const Node& node) {
  return node.domain.empty() &&
         (node.op_type == "Shape" || node.op_type == "Size" || node.op_type == "EyeLike");
}

}  // namespace

void ImportRun::count_bytes(std::int64_t bytes, std::string_view name) {
  if (bytes >= 0 && !__builtin_add_overflow(total_bytes_, bytes, &total_bytes_)) return;
  fail(fmt::format("the sizes of the graph up to {} add up to more bytes than fit in 63 bits",
                   quoted(name)),
       ErrorCode::too_large);
}

std::string ImportRun::too_large(std::string_view name, const Value& value) const {
  const bool counted = value.has_shape();
  return fmt::format(
      "the tensor {} {} more bytes than fit in 63 bits", quoted(name),
      counted ? fmt::format("of shape [{}] has", fmt::join(value.dims, ", ")) : "has");
}

// A size that does not fit in 63 bits is refused. If it were treated as unknown it would count as 0
// bytes, and everything would fit.
void ImportRun::refuse_too_large(const Work& work) const {
  for (std::size_t i = 0; i < work.outputs.size(); ++i) {
    if (work.node.outputs[i].empty() || !is_too_large(work.outputs[i])) continue;
    fail(fmt::format("{}: {}", describe(work.node),
                     too_large(work.node.outputs[i], work.outputs[i])),
         ErrorCode::too_large);
  }
  if (work.flops < kMostFlops) return;
  fail(fmt::format("{} would take more than {} operations", describe(work.node), kMostFlops),
       ErrorCode::too_large);
}

TensorRef ImportRun::add_output(OpId op, const Value& value, std::uint32_t alias, bool resident) {
  const auto bytes = bytes_of(value);
  const bool is_tensor =
      value.kind == Type::Kind::tensor || value.kind == Type::Kind::sparse_tensor;
  OutputSpec spec{.bytes = bytes.value_or(0), .resident = resident, .alias = alias};
  if (is_tensor) spec.dtype = dtype_of(value.element);
  if (is_tensor && bytes) {
    spec.shape = value.dims;
    spec.has_shape = true;
  }
  count_bytes(spec.bytes, builder_.op_name(op));
  const TensorRef ref = builder_.add_output(op, spec);
  ++tensors_;
  if (!bytes && unknown_tensors_++ == 0) {
    first_unknown_ = fmt::format("{}:{}", builder_.op_name(op), ref.output);
  }
  return ref;
}

std::string ImportRun::op_name(const Node& node, const Scope& scope, std::string_view output) {
  for (const std::string_view each : node.outputs) {
    if (output.empty()) output = each;
  }
  std::string_view base = node.name.empty() ? output : node.name;
  if (base.empty()) base = node.op_type;
  return names_.claim(scope.prefix + std::string(base), node.name.empty() ? "" : output);
}

void ImportRun::bind(const Work& work, std::size_t output, ValueId id, Scope& scope) {
  const std::string_view name = work.node.outputs[output];
  if (scope.values.try_emplace(name, id).second) return;
  fail(fmt::format("{} makes {}, but an input or initializer of the graph already has this name",
                   describe(work.node), quoted(name)));
}

// What depends only on shapes and constants is known before the step begins, even if it is too
// large for its contents to be known here. What is computed from weights is not folded: the weights
// would be lost from the graph.
bool ImportRun::is_folded(const Work& work) const {
  bool any = false;
  bool known = true;
  bool sized = true;
  for (std::size_t i = 0; i < work.outputs.size(); ++i) {
    if (work.node.outputs[i].empty()) continue;
    const Value& output = work.outputs[i];
    known = known && fully_known(output);
    sized = sized && output.kind == Type::Kind::tensor && bytes_of(output);
    any = true;
  }
  if (!any) return false;
  if (known && reads_shapes_alone(work.node)) return true;
  if (known && !reads_weights(work)) return true;
  return sized && work.repeatable && (reads_shapes_alone(work.node) || reads_only_constants(work));
}

bool ImportRun::reads_only_constants(const Work& work) const {
  for (std::size_t i = 0; i < work.inputs.size(); ++i) {
    if (work.inputs[i] == kLeftOut) continue;
    const Tracked& tracked = values_[work.inputs[i]];
    if (tracked.is_constant || is_buffer(tracked, work.node)) continue;
    if (tracked.tensor == nullptr || is_weight(tracked, work.node, i)) return false;
  }
  return true;
}

bool ImportRun::reads_weights(const Work& work) const {
  for (std::size_t i = 0; i < work.inputs.size(); ++i) {
    if (work.inputs[i] == kLeftOut) continue;
    const Tracked& tracked = values_[work.inputs[i]];
    if (tracked.from_weight || (tracked.tensor != nullptr && is_weight(tracked, work.node, i))) {
      return true;
    }
  }
  return false;
}

void ImportRun::emit(Work work, Scope& scope, Region& region) {
  refuse_too_large(work);
  const bool folded = is_folded(work);
  if (region.depth == 0) return folded ? keep_constant(work, scope) : emit_op(work, scope);
  // In a body a constant takes no time, and memory only while it is read. What follows from the
  // number of the iteration is known as well, but changes from one iteration to the next.
  work.is_constant = folded && reads_only_constants(work);
  if (folded) {
    work.inputs.clear();
    work.flops = 0;
    work.temp_bytes = 0;
  }
  add_cost(work, scope, region);
}

// Nothing remains of the node but its outputs. These are added to the graph when an op that is not
// folded itself reads them (ref_of).
void ImportRun::keep_constant(const Work& work, Scope& scope) {
  for (std::size_t i = 0; i < work.outputs.size(); ++i) {
    if (work.node.outputs[i].empty()) continue;
    const ValueId id = add_value(work.outputs[i], 0);
    values_[id].is_constant = true;
    values_[id].name = op_name(work.node, scope, work.node.outputs[i]);
    values_[id].named = true;
    bind(work, i, id, scope);
  }
}

void ImportRun::emit_op(Work& work, Scope& scope) {
  const std::string name = op_name(work.node, scope);
  const std::string layer = layer_of(name);
  // Stored tensors are added to the graph right before their first reader.
  std::vector<TensorRef> refs;
  std::vector<std::uint32_t> positions(work.inputs.size(), berth::Graph::kNone);
  const bool from_weight = reads_weights(work);
  for (std::size_t i = 0; i < work.inputs.size(); ++i) {
    if (work.inputs[i] == kLeftOut) continue;
    positions[i] = static_cast<std::uint32_t>(refs.size());
    refs.push_back(ref_of(work.inputs[i], work.node, i, layer));
  }
  const OpId op = builder_.add_op(name, work.type);
  if (!layer.empty()) builder_.set_layer(op, layer);
  builder_.set_flops(op, work.flops);
  builder_.set_temp_bytes(op, work.temp_bytes);
  count_bytes(work.temp_bytes, name);
  for (std::size_t i = 0; i < work.outputs.size(); ++i) {
    if (work.node.outputs[i].empty()) continue;
    std::uint32_t alias = berth::Graph::kNone;
    if (i < work.alias.size() && work.alias[i] >= 0) {
      const auto source = static_cast<std::size_t>(work.alias[i]);
      if (source < positions.size()) alias = positions[source];
    }
    const ValueId id = add_value(work.outputs[i], 0);
    values_[id].from_weight = from_weight;
    values_[id].ref = add_output(op, work.outputs[i], alias, false);
    bind(work, i, id, scope);
  }
  for (const TensorRef ref : refs) builder_.add_input(op, ref);
}

void ImportRun::add_bytes(std::int64_t& total, std::int64_t bytes, const Node& node) const {
  if (!__builtin_add_overflow(total, bytes, &total)) return;
  fail(fmt::format("the sizes of a body up to {} add up to more bytes than fit in 63 bits",
                   describe(node)));
}

// Reads from outside a body become inputs of the op that the body belongs to.
void ImportRun::touch(ValueId id, const Node& reader, std::size_t index, Region& region) {
  if (id == kLeftOut || region.depth == 0) return;
  const Tracked& tracked = values_[id];
  const bool weight = tracked.tensor != nullptr && is_weight(tracked, reader, index);
  if (!weight && tracked.depth >= region.depth) return;
  if (region.seen.insert(id).second) region.reads.push_back(id);
}

void ImportRun::add_cost(const Work& work, Scope& scope, Region& region) {
  for (std::size_t i = 0; i < work.inputs.size(); ++i) touch(work.inputs[i], work.node, i, region);
  const bool from_weight = reads_weights(work);
  region.flops += work.flops;
  for (std::size_t i = 0; i < work.outputs.size(); ++i) {
    if (work.node.outputs[i].empty()) continue;
    const bool view = i < work.alias.size() && work.alias[i] >= 0;
    const std::int64_t bytes = view ? 0 : bytes_of(work.outputs[i]).value_or(0);
    add_bytes(region.live_bytes, bytes, work.node);
    const ValueId id = add_value(work.outputs[i], region.depth);
    values_[id].from_weight = from_weight;
    values_[id].is_constant = work.is_constant;
    bind(work, i, id, scope);
  }
  std::int64_t level = region.live_bytes;
  add_bytes(level, work.temp_bytes, work.node);
  region.peak_bytes = std::max(region.peak_bytes, level);
}

void ImportRun::count_uses(std::span<const Node> nodes, std::span<const std::string_view> results,
                           Scope& scope) const {
  for (const std::string_view name : results) ++scope.uses[name];
  for (const Node& node : nodes) {
    for (const std::string_view name : node.inputs) ++scope.uses[name];
    for (const Attribute& attribute : node.attributes) {
      for (const Graph& graph : attribute.graphs) {
        for (const std::string_view name : captured_names(graph)) ++scope.uses[name];
      }
    }
  }
}

void ImportRun::release_name(std::string_view name, Scope& scope, Region& region) const {
  const auto uses = scope.uses.find(name);
  if (uses == scope.uses.end() || --uses->second > 0) return;
  const auto found = scope.values.find(name);
  if (found == scope.values.end() || found->second == kLeftOut) return;
  const Tracked& tracked = values_[found->second];
  if (tracked.depth != region.depth || tracked.tensor != nullptr) return;
  region.live_bytes = std::max<std::int64_t>(
      0, region.live_bytes - std::max<std::int64_t>(0, bytes_of(tracked.value).value_or(0)));
}

// After a node of a body has run, values without further readers are released. Views are subtracted
// like copies here, although they were not added, so the result errs on the low side. It is an
// estimate of workspace.
void ImportRun::release(const Node& node, Scope& scope, Region& region) const {
  for (const std::string_view name : node.inputs) release_name(name, scope, region);
  for (const Attribute& attribute : node.attributes) {
    for (const Graph& graph : attribute.graphs) {
      for (const std::string_view name : captured_names(graph)) release_name(name, scope, region);
    }
  }
}

}  // namespace berth::onnx
