#include "frontends/onnx/dimensions.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_set>

#include "base/error.h"

namespace berth::onnx {
namespace {

std::string dimension_name(const Dim& dim, std::string_view input, std::size_t axis) {
  if (!dim.param.empty() && dim.param != "?") return std::string(dim.param);
  return fmt::format("{}_{}", input, axis);
}

std::string length_name(std::string_view input) { return fmt::format("{}_length", input); }

bool is_open(const Dim& dim) { return dim.value < 0; }

// An empty dimension, if the file means what it says; some exporters write 0 for "any".
bool is_empty(const Dim& dim) { return dim.value == 0; }

// The open dimensions of a model, in order of appearance.
struct Open {
  struct Use {
    std::string_view input;
    std::size_t axis;
  };
  std::vector<std::string> names;
  std::map<std::string, std::vector<Use>> uses;

  void add(const std::string& name, std::string_view input, std::size_t axis) {
    std::vector<Use>& list = uses[name];
    if (list.empty()) names.push_back(name);
    list.push_back({input, axis});
  }
};

void add_names(const Type& type, std::set<std::string>& names) {
  for (const Dim& dim : type.dims) {
    if (!dim.param.empty() && dim.param != "?") names.emplace(dim.param);
  }
  for (const Type& inner : type.inner) add_names(inner, names);
}

// Of an input that is a sequence or an optional: its length, and the dimensions of what is in it.
void add_inner_names(const Type& type, std::string_view input, std::set<std::string>& names) {
  if (type.kind == Type::Kind::sequence) names.insert(length_name(input));
  for (const Type& inner : type.inner) {
    for (std::size_t axis = 0; axis < inner.dims.size(); ++axis) {
      if (is_open(inner.dims[axis])) names.insert(dimension_name(inner.dims[axis], input, axis));
    }
    add_inner_names(inner, input, names);
  }
}

std::string describe(const std::string& name, const std::vector<Open::Use>& uses) {
  std::vector<std::string> inputs;
  for (const Open::Use& use : uses) {
    inputs.push_back(fmt::format("axis {} of {}", use.axis, quoted(use.input)));
  }
  return fmt::format("{} ({})", quoted(name), join_names(inputs, 4));
}

[[noreturn]] void fail_unset(const Open& open, const std::vector<std::string>& unset,
                             std::string_view source) {
  constexpr std::size_t kMost = 20;
  std::vector<std::string> described;
  std::vector<OpenDimension> dimensions;
  for (const std::string& name : unset) {
    const auto& uses = open.uses.at(name);
    dimensions.push_back({name, uses.front().axis});
    if (described.size() < kMost) described.push_back(describe(name, uses));
  }
  if (unset.size() > kMost) described.push_back(fmt::format("{} more", unset.size() - kMost));
  throw OpenDimensionError(
      fmt::format("{} leaves {} of its inputs open: {}", quoted(source),
                  unset.size() == 1 ? "a dimension" : fmt::format("{} dimensions", unset.size()),
                  join_names(described)),
      std::string(source), std::move(dimensions));
}

}  // namespace

Dimensions::Dimensions(const Graph& graph, const Sizes& given, std::string_view source)
    : given_(given) {
  // Up to IR version 3 initializers are listed among the inputs too. Their shapes are known.
  std::unordered_set<std::string_view> stored;
  for (const Tensor& tensor : graph.initializers) stored.insert(tensor.name);
  Open open;
  std::set<std::string> others;
  for (const ValueInfo& info : graph.inputs) {
    if (stored.contains(info.name)) continue;
    for (std::size_t axis = 0; axis < info.type.dims.size(); ++axis) {
      const Dim& dim = info.type.dims[axis];
      const std::string name = dimension_name(dim, info.name, axis);
      if (is_open(dim)) open.add(name, info.name, axis);
      if (is_empty(dim)) others.insert(name);
    }
    add_inner_names(info.type, info.name, others);
  }
  for (const auto* list : {&graph.outputs, &graph.values}) {
    for (const ValueInfo& info : *list) add_names(info.type, others);
  }

  for (const auto& [name, size] : given) {
    if (open.uses.contains(name) || others.contains(name)) continue;
    std::vector<std::string> known = open.names;
    for (const std::string& other : others) {
      if (!open.uses.contains(other)) known.push_back(other);
    }
    if (known.empty()) {
      throw InputError(fmt::format("{} has no dimension {}: all its dimensions have a size already",
                                   quoted(source), quoted(name)),
                       {.code = ErrorCode::unknown_name, .subject = name});
    }
    std::vector<std::string> shown;
    for (const std::string& each : known) shown.push_back(quoted(each));
    throw InputError(
        fmt::format("{} has no dimension {}; {} {}{}", quoted(source), quoted(name),
                    known.size() == 1 ? "its only open dimension is" : "its open dimensions are",
                    join_names(shown), did_you_mean(name, known)),
        {.code = ErrorCode::unknown_name, .subject = name});
  }

  std::vector<std::string> unset;
  for (const std::string& name : open.names) {
    if (!given.contains(name)) unset.push_back(name);
  }
  if (!unset.empty()) fail_unset(open, unset, source);
  open_ = std::move(open.names);
}

Value Dimensions::described(const Type& type, std::string_view input) const {
  Value value;
  value.kind = type.kind;
  value.element = type.element;
  value.has_rank = type.has_shape;
  for (std::size_t axis = 0; axis < type.dims.size(); ++axis) {
    const Dim& dim = type.dims[axis];
    // A dimension of 0 can only be set by its name as an input: elsewhere it may really be empty.
    const bool settable = is_open(dim) || (is_empty(dim) && !input.empty());
    const auto found = settable ? given_.find(dimension_name(dim, input, axis)) : given_.end();
    value.dims.push_back(found == given_.end() ? std::max(dim.value, kUnknown) : found->second);
  }
  for (const Type& inner : type.inner) value.inner.push_back(described(inner, input));
  if (type.kind == Type::Kind::sequence && !input.empty()) {
    if (const auto found = given_.find(length_name(input)); found != given_.end()) {
      value.length = found->second;
    }
  }
  return value;
}

Value Dimensions::input(const ValueInfo& info) const { return described(info.type, info.name); }

std::vector<std::string> Dimensions::empty_dimensions(const ValueInfo& info) const {
  std::vector<std::string> names;
  for (std::size_t axis = 0; axis < info.type.dims.size(); ++axis) {
    const std::string name = dimension_name(info.type.dims[axis], info.name, axis);
    if (is_empty(info.type.dims[axis]) && !given_.contains(name)) names.push_back(name);
  }
  return names;
}

Value Dimensions::described(const Type& type) const { return described(type, ""); }

}  // namespace berth::onnx
