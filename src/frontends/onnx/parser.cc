#include "frontends/onnx/parser.h"

#include <fmt/format.h>

#include <bit>

#include "base/error.h"
#include "frontends/onnx/wire.h"

namespace berth::onnx {
namespace {

// Limits on recursion, so that a crafted file cannot overflow the stack. An If in a Loop in a
// function has depth three; no real model comes near these.
constexpr int kMostGraphDepth = 48;
constexpr int kMostTypeDepth = 32;

std::int64_t as_signed(std::uint64_t value) { return static_cast<std::int64_t>(value); }

// A nested message, string or payload; an error if the field is a number.
std::string_view text(const WireField& field) {
  if (field.type != WireType::bytes) {
    throw WireError(field.bytes.data(), fmt::format("field {} is a number where text or a message "
                                                    "is expected",
                                                    field.number));
  }
  return field.bytes;
}

std::int64_t integer(const WireField& field) {
  if (field.type != WireType::varint) {
    throw WireError(field.bytes.data(),
                    fmt::format("field {} is not the integer that is expected", field.number));
  }
  return as_signed(field.integer);
}

// One value, or a packed run of them.
void add_integers(const WireField& field, std::vector<std::int64_t>& out) {
  if (field.type != WireType::bytes) return out.push_back(integer(field));
  WireCursor cursor(field.bytes);
  while (!cursor.done()) out.push_back(as_signed(cursor.varint()));
}

float as_float(const WireField& field) {
  if (field.type != WireType::fixed32) {
    throw WireError(
        field.bytes.data(),
        fmt::format("field {} is not the 32-bit number that is expected", field.number));
  }
  return std::bit_cast<float>(static_cast<std::uint32_t>(field.integer));
}

void add_floats(const WireField& field, std::vector<float>& out) {
  if (field.type != WireType::bytes) return out.push_back(as_float(field));
  WireCursor cursor(field.bytes);
  while (!cursor.done()) out.push_back(std::bit_cast<float>(cursor.fixed<std::uint32_t>()));
}

// Calls `handle` for every field of a message.
template <class Handle>
void for_each_field(std::string_view message, Handle&& handle) {
  WireCursor cursor(message);
  WireField field;
  while (cursor.next(field)) handle(field);
}

std::pair<std::string_view, std::string_view> parse_entry(std::string_view message) {
  std::pair<std::string_view, std::string_view> entry;
  for_each_field(message, [&](const WireField& field) {
    if (field.number == 1) entry.first = text(field);
    if (field.number == 2) entry.second = text(field);
  });
  return entry;
}

std::pair<std::string_view, std::int64_t> parse_opset(std::string_view message) {
  std::pair<std::string_view, std::int64_t> opset;
  for_each_field(message, [&](const WireField& field) {
    if (field.number == 1) opset.first = text(field);
    if (field.number == 2) opset.second = integer(field);
  });
  if (opset.first == "ai.onnx") opset.first = "";
  return opset;
}

void add_payload(Tensor& tensor, const WireField& field) {
  const bool single = field.type != WireType::bytes;
  tensor.packed_is_single = tensor.packed.empty() ? single : tensor.packed_is_single && single;
  tensor.packed_field = field.number;
  // A single value on the wire reads like a run of one.
  tensor.packed.push_back(field.bytes);
}

Tensor parse_dense(std::string_view message) {
  Tensor tensor;
  for_each_field(message, [&](const WireField& field) {
    switch (field.number) {
      case 1:
        return add_integers(field, tensor.dims);
      case 2:
        tensor.element = static_cast<ElementType>(integer(field));
        return;
      case 4:   // float_data
      case 5:   // int32_data
      case 7:   // int64_data
      case 10:  // double_data
      case 11:
        return add_payload(tensor, field);  // uint64_data
      case 6:
        tensor.strings.push_back(text(field));
        return;
      case 8:
        tensor.name = text(field);
        return;
      case 9:
        tensor.raw = text(field);
        return;
      case 13:
        tensor.external_data.insert(parse_entry(text(field)));
        return;
      case 14:
        tensor.external = integer(field) == 1;
        return;
      default:
        return;
    }
  });
  return tensor;
}

Tensor parse_sparse(std::string_view message) {
  Tensor tensor;
  std::vector<std::int64_t> dims;
  Tensor indices;
  for_each_field(message, [&](const WireField& field) {
    if (field.number == 1) tensor = parse_dense(text(field));
    if (field.number == 2) indices = parse_dense(text(field));
    if (field.number == 3) add_integers(field, dims);
  });
  tensor.sparse = true;
  tensor.dense_dims = std::move(dims);
  tensor.index_element = indices.element;
  tensor.index_dims = std::move(indices.dims);
  return tensor;
}

Dim parse_dim(std::string_view message) {
  Dim dim;
  for_each_field(message, [&](const WireField& field) {
    if (field.number == 1) dim = {.value = integer(field), .param = {}};
    if (field.number == 2) dim = {.value = -1, .param = text(field)};
  });
  return dim;
}

void parse_tensor_type(std::string_view message, Type& type) {
  for_each_field(message, [&](const WireField& field) {
    if (field.number == 1) type.element = static_cast<ElementType>(integer(field));
    if (field.number != 2) return;
    type.has_shape = true;
    for_each_field(text(field), [&](const WireField& inner) {
      if (inner.number == 1) type.dims.push_back(parse_dim(text(inner)));
    });
  });
}

Type parse_type(std::string_view message, int depth) {
  if (depth > kMostTypeDepth) throw WireError(message.data(), "types are nested too deeply");
  Type type;
  const auto nest = [&](const WireField& field, Type::Kind kind, std::uint32_t wanted) {
    type.kind = kind;
    for_each_field(text(field), [&](const WireField& inner) {
      if (inner.number == wanted) type.inner.assign(1, parse_type(text(inner), depth + 1));
    });
  };
  for_each_field(message, [&](const WireField& field) {
    switch (field.number) {
      case 1:
        type.kind = Type::Kind::tensor;
        return parse_tensor_type(text(field), type);
      case 4:
        return nest(field, Type::Kind::sequence, 1);
      case 5:
        return nest(field, Type::Kind::map, 2);
      case 8:
        type.kind = Type::Kind::sparse_tensor;
        return parse_tensor_type(text(field), type);
      case 9:
        return nest(field, Type::Kind::optional, 1);
      default:
        return;
    }
  });
  return type;
}

ValueInfo parse_value_info(std::string_view message) {
  ValueInfo info;
  for_each_field(message, [&](const WireField& field) {
    if (field.number == 1) info.name = text(field);
    if (field.number == 2) info.type = parse_type(text(field), 0);
  });
  return info;
}

Graph parse_graph(std::string_view message, int depth);

Attribute parse_attribute(std::string_view message, int depth) {
  Attribute attribute;
  for_each_field(message, [&](const WireField& field) {
    switch (field.number) {
      case 1:
        attribute.name = text(field);
        return;
      case 2:
        attribute.f = as_float(field);
        return;
      case 3:
        attribute.i = integer(field);
        return;
      case 4:
        attribute.s = text(field);
        return;
      case 5:
      case 10:
        attribute.tensors.push_back(parse_dense(text(field)));
        return;
      case 6:
      case 11:
        attribute.graphs.push_back(parse_graph(text(field), depth + 1));
        return;
      case 7:
        return add_floats(field, attribute.floats);
      case 8:
        return add_integers(field, attribute.ints);
      case 9:
        attribute.strings.push_back(text(field));
        return;
      case 14:
      case 15:
        attribute.types.push_back(parse_type(text(field), 0));
        return;
      case 20:
        attribute.type = static_cast<std::int32_t>(integer(field));
        return;
      case 21:
        attribute.ref_attr_name = text(field);
        return;
      case 22:
      case 23:
        attribute.tensors.push_back(parse_sparse(text(field)));
        return;
      default:
        return;
    }
  });
  // Refused here, so that a file of empty messages cannot take many times its size in memory.
  if (attribute.name.empty()) throw WireError(message.data(), "an attribute has no name");
  return attribute;
}

Node parse_node(std::string_view message, int depth) {
  Node node;
  for_each_field(message, [&](const WireField& field) {
    switch (field.number) {
      case 1:
        node.inputs.push_back(text(field));
        return;
      case 2:
        node.outputs.push_back(text(field));
        return;
      case 3:
        node.name = text(field);
        return;
      case 4:
        node.op_type = text(field);
        return;
      case 5:
        node.attributes.push_back(parse_attribute(text(field), depth));
        return;
      case 7:
        node.domain = text(field);
        return;
      case 8:
        node.overload = text(field);
        return;
      default:
        return;
    }
  });
  if (node.domain == "ai.onnx") node.domain = "";
  if (node.op_type.empty()) throw WireError(message.data(), "a node has no op_type");
  return node;
}

Graph parse_graph(std::string_view message, int depth) {
  if (depth > kMostGraphDepth) throw WireError(message.data(), "graphs are nested too deeply");
  Graph graph;
  const auto named = [](auto item, const WireField& field, const char* what) {
    if (item.name.empty()) {
      throw WireError(field.bytes.data(), fmt::format("{} has no name", what));
    }
    return item;
  };
  for_each_field(message, [&](const WireField& field) {
    switch (field.number) {
      case 1:
        graph.nodes.push_back(parse_node(text(field), depth));
        return;
      case 2:
        graph.name = text(field);
        return;
      case 5:
        graph.initializers.push_back(named(parse_dense(text(field)), field, "an initializer"));
        return;
      case 11:
        graph.inputs.push_back(named(parse_value_info(text(field)), field, "a graph input"));
        return;
      case 12:
        graph.outputs.push_back(named(parse_value_info(text(field)), field, "a graph output"));
        return;
      case 13: {
        ValueInfo info = parse_value_info(text(field));
        if (!info.name.empty()) graph.values.push_back(std::move(info));
        return;
      }
      case 15:
        graph.initializers.push_back(named(parse_sparse(text(field)), field, "an initializer"));
        return;
      default:
        return;
    }
  });
  return graph;
}

Function parse_function(std::string_view message) {
  Function function;
  for_each_field(message, [&](const WireField& field) {
    switch (field.number) {
      case 1:
        function.name = text(field);
        return;
      case 4:
        function.inputs.push_back(text(field));
        return;
      case 5:
        function.outputs.push_back(text(field));
        return;
      case 6:
        function.attributes.push_back(text(field));
        return;
      case 7:
        function.nodes.push_back(parse_node(text(field), 1));
        return;
      case 9:
        function.opsets.insert(parse_opset(text(field)));
        return;
      case 10:
        function.domain = text(field);
        return;
      case 11:
        function.defaults.push_back(parse_attribute(text(field), 1));
        return;
      case 12:
        function.values.push_back(parse_value_info(text(field)));
        return;
      case 13:
        function.overload = text(field);
        return;
      default:
        return;
    }
  });
  if (function.domain == "ai.onnx") function.domain = "";
  if (function.name.empty()) throw WireError(message.data(), "a function has no name");
  return function;
}

// In a SequenceProto as in an OptionalProto, 3 is a tensor and 5 a sequence.
void add_tensors(std::string_view message, int depth, std::vector<Tensor>& tensors) {
  if (depth > kMostTypeDepth) throw WireError(message.data(), "sequences are nested too deeply");
  for_each_field(message, [&](const WireField& field) {
    if (field.number == 3) tensors.push_back(parse_dense(text(field)));
    if (field.number == 5) add_tensors(text(field), depth + 1, tensors);
  });
}

Model parse_fields(std::string_view bytes, std::string_view source) {
  Model model;
  bool has_graph = false;
  for_each_field(bytes, [&](const WireField& field) {
    switch (field.number) {
      case 1:
        model.ir_version = integer(field);
        return;
      case 2:
        model.producer = text(field);
        return;
      case 7:
        model.graph = parse_graph(text(field), 0);
        has_graph = true;
        return;
      case 8:
        model.opsets.insert(parse_opset(text(field)));
        return;
      case 25:
        model.functions.push_back(parse_function(text(field)));
        return;
      default:
        return;
    }
  });
  if (!has_graph) {
    throw InputError(fmt::format(
        "{} is not an ONNX model: it has no graph; a model is a ModelProto of onnx.proto",
        quoted(source)));
  }
  return model;
}

template <class Parse>
auto with_position(std::string_view bytes, std::string_view source, Parse&& parse) {
  try {
    return parse();
  } catch (const WireError& error) {
    throw InputError(
        fmt::format("{}, byte {}: {}; the file is damaged, cut off or not an ONNX model",
                    quoted(source), error.at - bytes.data(), error.what()));
  }
}

}  // namespace

Model parse_model(std::string_view bytes, std::string_view source) {
  if (bytes.empty()) {
    throw InputError(fmt::format("{} is empty; an ONNX model was expected", quoted(source)));
  }
  // What a Git repository contains instead of a large file that has not been fetched.
  if (bytes.starts_with("version https://git-lfs")) {
    throw InputError(
        fmt::format("{} is a Git LFS pointer, not the model itself; fetch it with git lfs pull",
                    quoted(source)));
  }
  return with_position(bytes, source, [&] { return parse_fields(bytes, source); });
}

Tensor parse_tensor(std::string_view bytes, std::string_view source) {
  return with_position(bytes, source, [&] { return parse_dense(bytes); });
}

std::vector<Tensor> parse_sequence(std::string_view bytes, std::string_view source) {
  return with_position(bytes, source, [&] {
    std::vector<Tensor> tensors;
    add_tensors(bytes, 0, tensors);
    return tensors;
  });
}

}  // namespace berth::onnx
