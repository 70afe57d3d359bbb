// Functions of the model, written out at every call.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "frontends/onnx/import_run.h"
#include "frontends/onnx/node_order.h"

namespace berth::onnx {
namespace {

constexpr std::size_t kMostCallDepth = 64;

bool refers(std::span<const Node> nodes) {
  return std::any_of(nodes.begin(), nodes.end(), [](const Node& node) {
    return std::any_of(node.attributes.begin(), node.attributes.end(), [](const Attribute& each) {
      return !each.ref_attr_name.empty() ||
             std::any_of(each.graphs.begin(), each.graphs.end(),
                         [](const Graph& graph) { return refers(graph.nodes); });
    });
  });
}

const Attribute* find_attribute(std::span<const Attribute> attributes, std::string_view name) {
  for (const Attribute& attribute : attributes) {
    if (attribute.name == name) return &attribute;
  }
  return nullptr;
}

// Replaces references to attributes by the attributes of the call. One that is neither given nor
// has a default is left out.
void substitute(std::vector<Node>& nodes, const Node& call, const Function& function) {
  for (Node& node : nodes) {
    std::vector<Attribute> attributes;
    for (Attribute& attribute : node.attributes) {
      for (Graph& graph : attribute.graphs) substitute(graph.nodes, call, function);
      if (attribute.ref_attr_name.empty()) {
        attributes.push_back(std::move(attribute));
        continue;
      }
      const Attribute* given = find_attribute(call.attributes, attribute.ref_attr_name);
      if (given == nullptr) given = find_attribute(function.defaults, attribute.ref_attr_name);
      if (given == nullptr) continue;
      attributes.push_back(*given);
      attributes.back().name = attribute.name;
    }
    node.attributes = std::move(attributes);
  }
}

}  // namespace

const Function* ImportRun::find_function(const Node& node) const {
  if (functions_.empty()) return nullptr;
  const auto found = functions_.find({node.domain, node.op_type, node.overload});
  return found == functions_.end() ? nullptr : found->second;
}

std::span<const Node> ImportRun::with_attributes(const Node& call, const Function& function) {
  // Most functions have no such references and need not be copied per call.
  if (!refers(function.nodes)) return function.nodes;
  // Kept until the end of the import: values refer to tensors and names in the copy.
  written_out_.push_back(function.nodes);
  substitute(written_out_.back(), call, function);
  return written_out_.back();
}

void ImportRun::run_function(const Node& node, const Function& function,
                             std::span<const ValueId> inputs, Scope& scope, Region& region) {
  const std::string name = quoted(full_type(node));
  if (std::find(calls_.begin(), calls_.end(), &function) != calls_.end()) {
    fail(fmt::format("the function {} calls itself, which ONNX does not allow", name));
  }
  if (calls_.size() >= kMostCallDepth) fail("functions call each other too deeply");
  if (inputs.size() > function.inputs.size()) {
    fail(fmt::format("{} gives {} inputs to the function {}, which takes {}", describe(node),
                     inputs.size(), name, function.inputs.size()));
  }
  visits_ += function.nodes.size();  // the copy counts too, even if parts of it never run
  if (visits_ > options_.most_nodes) {
    fail(fmt::format("with its functions and bodies expanded the model has more than {} nodes",
                     options_.most_nodes));
  }
  std::string_view call_name = node.name;
  if (call_name.empty() && !node.outputs.empty()) call_name = node.outputs.front();
  Scope inner{.opsets = &function.opsets, .prefix = fmt::format("{}{}/", scope.prefix, call_name)};
  for (std::size_t i = 0; i < function.inputs.size(); ++i) {
    inner.values.try_emplace(function.inputs[i], i < inputs.size() ? inputs[i] : kLeftOut);
  }
  for (const ValueInfo& info : function.values) inner.described.try_emplace(info.name, &info);
  // What the file says of the outputs of the call also holds inside the function.
  const std::size_t outputs = std::min(node.outputs.size(), function.outputs.size());
  for (std::size_t i = 0; i < outputs; ++i) {
    if (const auto found = scope.described.find(node.outputs[i]); found != scope.described.end()) {
      inner.described.try_emplace(function.outputs[i], found->second);
    }
  }

  // While it runs, to find functions that call themselves.
  calls_.push_back(&function);
  run_nodes(with_attributes(node, function), function.outputs, inner, region);
  calls_.pop_back();

  if (node.outputs.size() > function.outputs.size()) {
    fail(fmt::format("{} uses {} outputs of the function {}, which has {}", describe(node),
                     node.outputs.size(), name, function.outputs.size()));
  }
  const Work work{.node = node, .type = {}, .inputs = {}, .outputs = {}, .alias = {}};
  for (std::size_t i = 0; i < outputs; ++i) {
    if (node.outputs[i].empty()) continue;
    bind(work, i, require(function.outputs[i], inner, "the function " + name), scope);
  }
}

}  // namespace berth::onnx
