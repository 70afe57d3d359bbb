// An ONNX model as it is in its file: the messages of onnx.proto that are needed, with the names of
// that format. Strings and payloads are views into the file, which must outlive the model. Weight
// data is never read; only its extent is recorded.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace berth::onnx {

// TensorProto.DataType. Values that are not listed are carried as numbers.
enum class ElementType : std::int32_t {
  undefined = 0,
  float32 = 1,
  uint8 = 2,
  int8 = 3,
  uint16 = 4,
  int16 = 5,
  int32 = 6,
  int64 = 7,
  string = 8,
  boolean = 9,
  float16 = 10,
  float64 = 11,
  uint32 = 12,
  uint64 = 13,
  complex64 = 14,
  complex128 = 15,
  bfloat16 = 16,
  float8e4m3fn = 17,
  float8e4m3fnuz = 18,
  float8e5m2 = 19,
  float8e5m2fnuz = 20,
  uint4 = 21,
  int4 = 22,
  float4e2m1 = 23,
};

struct Dim {
  std::int64_t value = -1;      // -1: not given as a number
  std::string_view param = {};  // its name, when it has one
};

struct Type {
  enum class Kind { unknown, tensor, sparse_tensor, sequence, optional, map };
  Kind kind = Kind::unknown;
  ElementType element = ElementType::undefined;  // of tensors
  bool has_shape = false;
  std::vector<Dim> dims;
  std::vector<Type> inner;  // of sequences and optionals: one
};

struct ValueInfo {
  std::string_view name;
  Type type;
};

// An initializer or the value of a Constant. One of the payloads is set at most; contents are
// decoded on demand by constant.h, and only of small tensors.
struct Tensor {
  std::string_view name;
  ElementType element = ElementType::undefined;
  std::vector<std::int64_t> dims;
  std::string_view raw;                   // raw_data
  std::vector<std::string_view> packed;   // the repeated field of its type, as on the wire
  std::vector<std::string_view> strings;  // string_data
  std::uint32_t packed_field = 0;         // field number of `packed`
  bool packed_is_single = false;          // `packed` holds single values, not packed runs
  bool external = false;
  std::map<std::string_view, std::string_view> external_data;  // location, offset, length, ...
  // Of a sparse tensor this is the tensor of its values; what follows says the rest.
  bool sparse = false;
  std::vector<std::int64_t> dense_dims;
  ElementType index_element = ElementType::undefined;
  std::vector<std::int64_t> index_dims;
};

struct Graph;
struct Attribute {
  std::string_view name;
  std::int32_t type = 0;           // AttributeProto.AttributeType; 0 in files of IR version < 2
  std::string_view ref_attr_name;  // inside functions: the attribute of the call it stands for
  std::int64_t i = 0;
  float f = 0;
  std::string_view s;
  std::vector<std::int64_t> ints;
  std::vector<float> floats;
  std::vector<std::string_view> strings;
  std::vector<Tensor> tensors;  // `t` is a list of one; `sparse_tensor` gives its values tensor
  std::vector<Graph> graphs;    // `g` is a list of one
  std::vector<Type> types;      // `tp` is a list of one
};

struct Node {
  std::string_view name, op_type, domain, overload;
  std::vector<std::string_view> inputs, outputs;  // an empty name: left out
  std::vector<Attribute> attributes;

  const Attribute* attribute(std::string_view wanted) const {
    for (const Attribute& candidate : attributes) {
      if (candidate.name == wanted) return &candidate;
    }
    return nullptr;
  }
};

struct Graph {
  std::string_view name;
  std::vector<Node> nodes;
  std::vector<Tensor> initializers;  // sparse ones by the name of their values
  std::vector<ValueInfo> inputs, outputs, values;
};

struct Function {
  std::string_view name, domain, overload;
  std::vector<std::string_view> inputs, outputs, attributes;
  std::vector<Attribute> defaults;
  std::vector<Node> nodes;
  std::vector<ValueInfo> values;
  std::map<std::string_view, std::int64_t> opsets;
};

struct Model {
  std::int64_t ir_version = 0;
  std::string_view producer;
  std::map<std::string_view, std::int64_t> opsets;  // "" is ai.onnx
  Graph graph;
  std::vector<Function> functions;
};

}  // namespace berth::onnx
