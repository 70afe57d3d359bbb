// Writes ONNX files byte by byte, for tests that compose models by hand, sound or not: a protocol
// buffer is fields behind each other, so every function returns the bytes of one field or message
// and a model is their concatenation.
//
//   model({node("Relu", {"x"}, {"y"}), input("x", {8, "n"}), output("y", {})})
#pragma once

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace berth::onnx_writer {

using Bytes = std::string;
using Names = std::vector<std::string>;

inline Bytes varint(std::uint64_t value) {
  Bytes out;
  for (; value > 127; value >>= 7) out += static_cast<char>((value & 127) | 128);
  return out + static_cast<char>(value);
}
inline Bytes integer(std::uint32_t field, std::int64_t value) {
  return varint(std::uint64_t{field} << 3) + varint(static_cast<std::uint64_t>(value));
}
inline Bytes bytes(std::uint32_t field, std::string_view value) {
  return varint(std::uint64_t{field} << 3 | 2) + varint(value.size()) + Bytes(value);
}
inline Bytes real(std::uint32_t field, float value) {
  Bytes out = varint(std::uint64_t{field} << 3 | 5);
  out.resize(out.size() + sizeof value);
  std::memcpy(out.data() + out.size() - sizeof value, &value, sizeof value);
  return out;
}
inline Bytes joined(std::initializer_list<Bytes> parts) {
  Bytes out;
  for (const Bytes& part : parts) out += part;
  return out;
}

// TensorProto.DataType.
enum Element {
  f32 = 1,
  u8 = 2,
  i8 = 3,
  i32 = 6,
  i64 = 7,
  text = 8,
  boolean = 9,
  f16 = 10,
  i4 = 22
};

// A number or a name; the name may be empty.
using Dim = std::variant<int, const char*>;
using Dims = std::vector<Dim>;

inline Bytes tensor_type(Element element, const Dims& dims) {
  Bytes shape;
  for (const Dim& dim : dims) {
    const Bytes inner = std::holds_alternative<int>(dim) ? integer(1, std::get<int>(dim))
                                                         : bytes(2, std::get<const char*>(dim));
    shape += bytes(1, inner);
  }
  return bytes(1, integer(1, element) + bytes(2, shape));
}
inline Bytes value_info(std::string_view name, const Bytes& type) {
  return bytes(1, name) + bytes(2, type);
}

// Fields of a graph.
inline Bytes input(std::string_view name, const Dims& dims, Element element = f32) {
  return bytes(11, value_info(name, tensor_type(element, dims)));
}
inline Bytes output(std::string_view name) { return bytes(12, bytes(1, name)); }
inline Bytes output(std::string_view name, const Dims& dims, Element element = f32) {
  return bytes(12, value_info(name, tensor_type(element, dims)));
}
inline Bytes described(std::string_view name, const Dims& dims, Element element = f32) {
  return bytes(13, value_info(name, tensor_type(element, dims)));
}
inline Bytes node(std::string_view type, const Names& inputs, const Names& outputs,
                  std::string_view name = {}, const Bytes& more = {}) {
  Bytes out;
  for (const std::string& each : inputs) out += bytes(1, each);
  for (const std::string& each : outputs) out += bytes(2, each);
  if (!name.empty()) out += bytes(3, name);
  return bytes(1, out + bytes(4, type) + more);
}

// Fields of a node.
inline Bytes domain(std::string_view name) { return bytes(7, name); }
inline Bytes attribute(std::string_view name, std::int64_t value) {
  return bytes(5, bytes(1, name) + integer(3, value) + integer(20, 2));
}
inline Bytes attribute(std::string_view name, const std::vector<std::int64_t>& values) {
  Bytes out = bytes(1, name);
  for (const std::int64_t value : values) out += integer(8, value);
  return bytes(5, out + integer(20, 7));
}
inline Bytes attribute_tensor(std::string_view name, const Bytes& tensor) {
  return bytes(5, bytes(1, name) + bytes(5, tensor) + integer(20, 4));
}
inline Bytes attribute_graph(std::string_view name, const Bytes& graph) {
  return bytes(5, bytes(1, name) + bytes(6, graph) + integer(20, 5));
}
inline Bytes attribute_reference(std::string_view name, std::string_view of) {
  return bytes(5, bytes(1, name) + bytes(21, of) + integer(20, 2));
}

// TensorProto, as an initializer (below) or the value of a Constant.
inline Bytes tensor(std::string_view name, Element element, const std::vector<std::int64_t>& dims,
                    std::string_view raw) {
  Bytes out;
  for (const std::int64_t dim : dims) out += integer(1, dim);
  out += integer(2, element);
  if (!name.empty()) out += bytes(8, name);
  return raw.empty() ? out : out + bytes(9, raw);
}
inline Bytes integers(std::string_view name, const std::vector<std::int64_t>& values,
                      bool scalar = false) {
  Bytes out = scalar ? Bytes() : integer(1, static_cast<std::int64_t>(values.size()));
  out += integer(2, i64) + bytes(8, name);
  Bytes packed;
  for (const std::int64_t value : values) packed += varint(static_cast<std::uint64_t>(value));
  return out + bytes(7, packed);
}
inline Bytes external(std::string_view name, Element element, const std::vector<std::int64_t>& dims,
                      const std::vector<std::pair<std::string, std::string>>& entries) {
  Bytes out = tensor(name, element, dims, {}) + integer(14, 1);
  for (const auto& [key, value] : entries) out += bytes(13, bytes(1, key) + bytes(2, value));
  return out;
}
inline Bytes initializer(const Bytes& tensor) { return bytes(5, tensor); }
// Of floats, all zero.
inline Bytes weight(std::string_view name, const std::vector<std::int64_t>& dims) {
  std::int64_t elements = 1;
  for (const std::int64_t dim : dims) elements *= dim;
  return initializer(tensor(name, f32, dims, Bytes(static_cast<std::size_t>(4 * elements), '\0')));
}

inline Bytes function(std::string_view domain_name, std::string_view name, const Names& inputs,
                      const Names& outputs, const std::vector<Bytes>& nodes,
                      const Names& attributes = {}) {
  Bytes out = bytes(1, name);
  for (const std::string& each : inputs) out += bytes(4, each);
  for (const std::string& each : outputs) out += bytes(5, each);
  for (const std::string& each : attributes) out += bytes(6, each);
  // A node is field 1 of a graph and field 7 of a function.
  for (Bytes each : nodes) {
    each.front() = static_cast<char>(7 << 3 | 2);
    out += each;
  }
  return bytes(25, out + bytes(9, integer(2, 17)) + bytes(10, domain_name));
}

inline Bytes graph(std::initializer_list<Bytes> fields, std::string_view name = "g") {
  return joined(fields) + bytes(2, name);
}
inline Bytes model(std::initializer_list<Bytes> fields, int opset = 17, int ir_version = 8,
                   const Bytes& more = {}) {
  return integer(1, ir_version) + bytes(8, integer(2, opset)) + bytes(7, graph(fields)) + more;
}

}  // namespace berth::onnx_writer
