#include "frontends/onnx/importer.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "frontends/onnx/import_run.h"
#include "frontends/onnx/node_order.h"
#include "frontends/onnx/ops/fold.h"
#include "frontends/onnx/sizes.h"

namespace berth::onnx {

namespace {

bool has_bodies(const Node& node) {
  return std::any_of(node.attributes.begin(), node.attributes.end(),
                     [](const Attribute& attribute) { return !attribute.graphs.empty(); });
}

// Operators whose result differs from run to run, so that they cannot be folded.
bool draws(const Node& node) {
  return node.op_type.starts_with("Random") || node.op_type == "Bernoulli" ||
         node.op_type == "Multinomial" || node.op_type == "Dropout";
}

}  // namespace

std::string full_type(const Node& node) {
  if (node.domain.empty()) return printable(node.op_type);
  return printable(fmt::format("{}.{}", node.domain, node.op_type));
}

Imported import_model(const Model& model, const std::string& source, const ImportOptions& options) {
  return ImportRun(model, source, options).run();
}

ImportRun::ImportRun(const Model& model, const std::string& source, const ImportOptions& options)
    : model_(model),
      source_(source),
      options_(options),
      dimensions_(model.graph, options.dims, source),
      external_(options.directory, source),
      builder_("") {
  for (const Function& function : model.functions) {
    functions_.try_emplace({function.domain, function.name, function.overload}, &function);
  }
}

Imported ImportRun::run() && {
  if (model_.graph.nodes.empty()) fail("the graph has no nodes, so there is nothing to place");
  if (model_.ir_version < 1) add_warning("the file does not say its IR version");
  const auto opset = model_.opsets.find("");
  if (opset != model_.opsets.end() && opset->second > kKnownOpset) {
    add_warning(fmt::format(
        "it uses opset {}, and Berth knows operators up to opset {}; newer ones may be misread",
        opset->second, kKnownOpset));
  }
  Scope scope{.opsets = &model_.opsets};
  Region region;
  builder_.set_name(printable(model_.graph.name));
  add_inputs(scope);
  run_graph(model_.graph, scope, region);
  // Graph outputs are read by no node. An empty one stands for the reader.
  static const Node kNobody;
  for (const ValueInfo& output : model_.graph.outputs) {
    const ValueId id = require(output.name, scope, "the list of graph outputs");
    builder_.add_graph_output(ref_of(id, kNobody, 0, ""));
  }
  if (builder_.op_count() == 0) {
    fail(
        "nothing is left to place: every node can be computed before the step, and no graph "
        "output depends on them");
  }
  Imported imported;
  report(imported);
  imported.open_dims = dimensions_.open();
  imported.empty_dims = std::move(empty_dims_);
  imported.graph = std::move(builder_).build();
  return imported;
}

void ImportRun::fail(const std::string& sentence, ErrorCode code) const {
  throw InputError(fmt::format("{}: {}", quoted(source_), sentence),
                   {.code = code, .place = std::string(source_)});
}

void ImportRun::add_warning(const std::string& sentence) {
  if (!said_.insert(sentence).second) return;
  warnings_.push_back(fmt::format("{}: {}", quoted(source_), sentence));
}

void ImportRun::report(Imported& imported) {
  for (const auto& [type, strange] : strange_types_) {
    std::string sentence = fmt::format(
        "{} {} {} not known; what {} cost{} follows from the bytes {} move{}", quoted(type),
        strange.ops == 1 ? "(1 op)" : fmt::format("({} ops)", strange.ops), "is",
        strange.ops == 1 ? "it" : "they", strange.ops == 1 ? "s" : "",
        strange.ops == 1 ? "it" : "they", strange.ops == 1 ? "s" : "");
    if (strange.assumed > 0) {
      sentence += fmt::format(
          ", and {} of its outputs, which the file does not describe, {} assumed to be like the "
          "first input",
          strange.assumed, strange.assumed == 1 ? "is" : "are");
    }
    add_warning(sentence);
  }
  if (complaints_ > 0) {
    add_warning(complaints_ == 1
                    ? first_complaint_
                    : fmt::format("{} nodes do not match their inputs or attributes; the first: {}",
                                  complaints_, first_complaint_));
  }
  if (unknown_tensors_ > 0) {
    add_warning(
        fmt::format("{} of {} tensors {} an unknown size and count{} as 0 bytes, the first "
                    "is {}",
                    unknown_tensors_, tensors_, unknown_tensors_ == 1 ? "has" : "have",
                    unknown_tensors_ == 1 ? "s" : "", quoted(first_unknown_)));
  }
  if (const auto missing = external_.warning()) warnings_.push_back(*missing);
  imported.warnings = std::move(warnings_);
  imported.tensors = tensors_;
  imported.unknown_tensors = unknown_tensors_;
  imported.complaints = complaints_;
  imported.unknown_ops = unknown_ops_;
}

ValueId ImportRun::add_value(Value value, int depth) {
  const auto id = static_cast<ValueId>(values_.size());
  const bool single = is_integer(value.element) && value.elements() == 1;
  // A number that is only known at run time. Numbers computed from it by adding constants keep the
  // reference, so that differences between them (the length of a slice) are known.
  if (single && !value.contents && !value.offset) value.offset = Offset{.of = id, .by = 0};
  values_.push_back({.value = std::move(value), .depth = depth});
  return id;
}

void ImportRun::add_inputs(Scope& scope) {
  std::unordered_set<std::string_view> stored;
  for (const Tensor& tensor : model_.graph.initializers) stored.insert(tensor.name);
  for (const ValueInfo& info : model_.graph.inputs) {
    // Up to IR version 3 initializers are listed among the inputs as well.
    if (stored.contains(info.name)) continue;
    const ValueId id = add_value(dimensions_.input(info), 0);
    if (!scope.values.try_emplace(info.name, id).second) {
      fail(fmt::format("the graph has two inputs named {}", quoted(info.name)));
    }
    if (is_too_large(values_[id].value)) {
      fail(too_large(info.name, values_[id].value), ErrorCode::too_large);
    }
    for (const std::string& name : dimensions_.empty_dimensions(info)) {
      add_warning(
          fmt::format("the input {} is empty, because the file gives it a dimension of size 0; if "
                      "any size is allowed, give the dimension {} a size",
                      quoted(info.name), quoted(name)));
      if (std::ranges::find(empty_dims_, name) == empty_dims_.end()) empty_dims_.push_back(name);
    }
    const OpId op = builder_.add_op(names_.claim(info.name), "Input");
    values_[id].ref = add_output(op, values_[id].value, berth::Graph::kNone, false);
  }
}

void ImportRun::describe_values(const Graph& graph, Scope& scope) {
  for (const ValueInfo& info : graph.values) scope.described.try_emplace(info.name, &info);
  for (const ValueInfo& info : graph.outputs) scope.described.try_emplace(info.name, &info);
}

void ImportRun::run_graph(const Graph& graph, Scope& scope, Region& region) {
  add_initializers(graph, scope, region);
  describe_values(graph, scope);
  std::vector<std::string_view> results;
  for (const ValueInfo& output : graph.outputs) results.push_back(output.name);
  run_nodes(graph.nodes, results, scope, region);
}

void ImportRun::run_nodes(std::span<const Node> nodes, std::span<const std::string_view> results,
                          Scope& scope, Region& region) {
  const std::vector<std::uint32_t> order = execution_order(nodes, source_);
  // Only bodies keep track of what is alive, to estimate their workspace. The graph itself has the
  // simulator for that.
  if (region.depth > 0) count_uses(nodes, results, scope);
  scope.values.reserve(scope.values.size() + nodes.size());
  for (const std::uint32_t index : order) {
    run_node(nodes[index], scope, region);
    if (region.depth > 0) release(nodes[index], scope, region);
  }
}

ValueId ImportRun::find(std::string_view name, const Scope& scope) const {
  for (const Scope* each = &scope; each != nullptr; each = each->parent) {
    if (const auto found = each->values.find(name); found != each->values.end()) {
      return found->second;
    }
  }
  return kLeftOut;
}

ValueId ImportRun::require(std::string_view name, const Scope& scope,
                           const std::string& reader) const {
  for (const Scope* each = &scope; each != nullptr; each = each->parent) {
    if (const auto found = each->values.find(name); found != each->values.end()) {
      return found->second;
    }
  }
  fail(fmt::format("{} reads {}, which no node, input or initializer makes", reader, quoted(name)));
}

std::vector<ValueId> ImportRun::resolve_inputs(const Node& node, const Scope& scope) const {
  std::vector<ValueId> inputs;
  inputs.reserve(node.inputs.size());
  for (const std::string_view name : node.inputs) {
    ValueId id = kLeftOut;
    if (!name.empty()) {
      id = find(name, scope);
      if (id == kLeftOut) id = require(name, scope, describe(node));
    }
    inputs.push_back(id);
  }
  return inputs;
}

std::int64_t ImportRun::opset_of(std::string_view domain, const Scope& scope) const {
  if (const auto found = scope.opsets->find(domain); found != scope.opsets->end()) {
    return found->second;
  }
  const auto found = model_.opsets.find(domain);
  if (found != model_.opsets.end()) return found->second;
  return domain.empty() ? kKnownOpset : 1;
}

void ImportRun::run_node(const Node& node, Scope& scope, Region& region) {
  if (++visits_ > options_.most_nodes) {
    fail(fmt::format("with its functions and bodies expanded the model has more than {} nodes",
                     options_.most_nodes));
  }
  std::vector<ValueId> inputs = resolve_inputs(node, scope);
  if (const Function* function = find_function(node)) {
    return run_function(node, *function, inputs, scope, region);
  }
  if (node.domain.empty()) {
    if (node.op_type == "Constant" && run_constant(node, scope, region)) return;
    if (run_control_flow(node, inputs, scope, region)) return;
  }
  run_operator(node, std::move(inputs), scope, region);
}

void ImportRun::merge_described(std::string_view name, Value& value, const Scope& scope) const {
  const auto found = scope.described.find(name);
  if (found == scope.described.end()) return;
  merge(value, dimensions_.described(found->second->type));
}

// An unknown operator: what the file says of its outputs was merged already; the rest is assumed to
// be like its first input.
void ImportRun::assume_outputs(const Node& node, std::span<const ValueId> inputs,
                               Inferred& inferred) {
  ++unknown_ops_;
  Strange& strange = strange_types_[full_type(node)];
  ++strange.ops;
  const Value* like = nullptr;
  for (const ValueId id : inputs) {
    if (id != kLeftOut && like == nullptr) like = &values_[id].value;
  }
  for (std::size_t i = 0; i < inferred.outputs.size(); ++i) {
    Value& output = inferred.outputs[i];
    if (node.outputs[i].empty() || bytes_of(output) || like == nullptr) continue;
    Value assumed = *like;
    assumed.forget_contents();
    assumed.is_weight = false;
    merge(output, assumed);
    ++strange.assumed;
  }
  if (!inferred.outputs.empty()) {
    inferred.flops = static_cast<double>(inferred.outputs.front().elements().value_or(0));
  }
}

void ImportRun::run_operator(const Node& node, std::vector<ValueId> inputs, Scope& scope,
                             Region& region) {
  std::vector<const Value*> values;
  values.reserve(inputs.size());
  for (const ValueId id : inputs) values.push_back(id == kLeftOut ? nullptr : &values_[id].value);
  Inferred inferred =
      infer({.node = node, .opset = opset_of(node.domain, scope), .inputs = values});
  inferred.outputs.resize(node.outputs.size());
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    if (node.outputs[i].empty()) continue;
    // What the file says of an output was measured and takes precedence over a mere bound.
    Value& output = inferred.outputs[i];
    Value bound;
    if (inferred.is_bound) std::swap(bound, output);
    merge_described(node.outputs[i], output, scope);
    if (!inferred.is_bound) continue;
    const bool measured = output.has_shape();
    merge(output, bound);
    output.is_bound = !measured || output.contents;  // contents may be extents
  }
  if (!inferred.known_op) assume_outputs(node, inputs, inferred);
  if (!inferred.complaint.empty() && complaints_++ == 0) {
    first_complaint_ = fmt::format("{}: {}", describe(node), inferred.complaint);
  }
  Region bodies{.depth = region.depth + 1};
  run_strange_bodies(node, scope, bodies);
  inputs.insert(inputs.end(), bodies.reads.begin(), bodies.reads.end());
  emit({.node = node,
        .type = full_type(node),
        .inputs = std::move(inputs),
        .outputs = std::move(inferred.outputs),
        .alias = std::move(inferred.alias),
        .flops = inferred.flops + bodies.flops,
        .temp_bytes = std::max(inferred.temp_bytes, bodies.peak_bytes),
        .repeatable = inferred.known_op && !has_bodies(node) && !draws(node)},
       scope, region);
}

}  // namespace berth::onnx
