#include "frontends/onnx/infer_notation.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <utility>

namespace berth::onnx {
namespace {

constexpr std::pair<std::string_view, ElementType> kTypes[] = {
    {"f32", ElementType::float32},     {"f64", ElementType::float64},
    {"f16", ElementType::float16},     {"bf16", ElementType::bfloat16},
    {"f8", ElementType::float8e4m3fn}, {"i64", ElementType::int64},
    {"i32", ElementType::int32},       {"i16", ElementType::int16},
    {"i8", ElementType::int8},         {"u8", ElementType::uint8},
    {"u16", ElementType::uint16},      {"u32", ElementType::uint32},
    {"u64", ElementType::uint64},      {"i4", ElementType::int4},
    {"u4", ElementType::uint4},        {"bool", ElementType::boolean},
    {"str", ElementType::string},      {"none", ElementType::undefined},
};

ElementType type_named(std::string_view name) {
  for (const auto& [known, type] : kTypes) {
    if (known == name) return type;
  }
  ADD_FAILURE() << "no type " << name;
  return ElementType::undefined;
}

std::string name_of(ElementType type) {
  for (const auto& [name, known] : kTypes) {
    if (known == type) return std::string(name);
  }
  return fmt::format("type{}", static_cast<int>(type));
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return parts;
}

bool is_real_type(ElementType type) {
  return type == ElementType::float32 || type == ElementType::float64 ||
         type == ElementType::float16 || type == ElementType::bfloat16;
}

Contents parse_contents(ElementType type, std::string_view text) {
  Contents contents;
  for (const std::string& part : split(text, ',')) {
    if (is_real_type(type)) {
      contents.reals.push_back(part == "?" ? std::nan("") : std::stod(part));
    } else {
      contents.integers.push_back(part == "?"       ? Contents::kUnknownElement
                                  : part == "large" ? kTooLarge
                                                    : std::stoll(part));
    }
  }
  return contents;
}

std::string print_contents(const Contents& contents) {
  std::string text;
  for (const std::int64_t number : contents.integers) {
    text += (text.empty() ? "" : ",") + (number == Contents::kUnknownElement ? "?"
                                         : number == kTooLarge               ? "large"
                                                               : fmt::format("{}", number));
  }
  for (const double number : contents.reals) {
    text += (text.empty() ? "" : ",") + (number != number ? "?" : fmt::format("{:.6g}", number));
  }
  return text.empty() ? "nothing" : text;
}

Value parse_nested(Type::Kind kind, std::string_view text) {
  Value value;
  value.kind = kind;
  const std::size_t close = text.rfind(')');
  if (close > 4) value.inner.push_back(parse_value(text.substr(4, close - 4)));
  if (text.substr(close + 1, 1) == "*") {
    value.length = std::stoll(std::string(text.substr(close + 2)));
  }
  return value;
}

}  // namespace

Value parse_value(std::string_view text) {
  Value value;
  if (text == "unknown") return value;
  if (text.substr(0, 4) == "seq(") return parse_nested(Type::Kind::sequence, text);
  if (text.substr(0, 4) == "opt(") return parse_nested(Type::Kind::optional, text);
  const std::vector<std::string> words = split(text, ' ');
  value.kind = Type::Kind::tensor;
  value.element = type_named(words.at(0));
  if (words.at(1) == "unranked") return value;
  value.has_rank = true;
  if (words[1] != "scalar") {
    for (const std::string& dim : split(words[1], 'x')) {
      value.dims.push_back(dim == "?" ? kUnknown : std::stoll(dim));
    }
  }
  value.is_bound = words.back() == "<=";
  if (words.size() < 4) return value;
  if (words[2] == ":") {
    const std::size_t plus = words[3].find('+');
    value.offset = Offset{.of = static_cast<std::uint32_t>(std::stoul(words[3].substr(0, plus))),
                          .by = std::stoll(words[3].substr(plus + 1))};
    return value;
  }
  const bool empty = words[3] == "nothing";
  value.contents = empty ? Contents{} : parse_contents(value.element, words[3]);
  return value;
}

std::string print_value(const Value& value) {
  if (value.kind == Type::Kind::unknown) return "unknown";
  if (value.kind == Type::Kind::map) return "map";
  if (value.kind == Type::Kind::sequence || value.kind == Type::Kind::optional) {
    std::string text = value.kind == Type::Kind::sequence ? "seq(" : "opt(";
    if (!value.inner.empty()) text += print_value(value.inner.front());
    text += ")";
    return value.length < 0 ? text : text + fmt::format("*{}", value.length);
  }
  std::string text = name_of(value.element) + " ";
  if (!value.has_rank) return text + "unranked";
  if (value.dims.empty()) text += "scalar";
  for (std::size_t axis = 0; axis < value.dims.size(); ++axis) {
    if (axis > 0) text += "x";
    const std::int64_t dim = value.dims[axis];
    text += dim == kTooLarge ? "large" : dim < 0 ? "?" : fmt::format("{}", dim);
  }
  if (value.contents) return text + " = " + print_contents(*value.contents);
  return value.offset ? text + fmt::format(" : {}+{}", value.offset->of, value.offset->by) : text;
}

std::string_view OwnedNode::keep(std::string_view text) {
  strings_.push_back(std::make_unique<std::string>(text));
  return *strings_.back();
}

void OwnedNode::add_attribute(std::string_view text) {
  enum AttributeType { kFloat = 1, kInt = 2, kString = 3, kFloats = 6, kInts = 7, kStrings = 8 };
  const std::size_t equals = text.find('=');
  const std::string value(text.substr(equals + 1));
  Attribute attribute;
  attribute.name = keep(text.substr(0, equals));
  const bool equation = attribute.name == "equation";
  const bool list = !equation && (value.find(',') != std::string::npos || value.empty());
  const bool number = value.find_first_not_of("0123456789.-,") == std::string::npos;
  const bool real = number && value.find('.') != std::string::npos;
  if (!number && list) {
    attribute.type = kStrings;
    for (const std::string& part : split(value, ',')) attribute.strings.push_back(keep(part));
  } else if (!number || equation) {
    attribute.type = kString;
    attribute.s = keep(value);
  } else if (list) {
    attribute.type = real ? kFloats : kInts;
    for (const std::string& part : split(value, ',')) {
      if (real) {
        attribute.floats.push_back(std::stof(part));
      } else {
        attribute.ints.push_back(std::stoll(part));
      }
    }
  } else if (real) {
    attribute.type = kFloat;
    attribute.f = std::stof(value);
  } else {
    attribute.type = kInt;
    attribute.i = std::stoll(value);
  }
  node.attributes.push_back(std::move(attribute));
}

OwnedNode::OwnedNode(std::string_view op, std::string_view attributes, std::size_t inputs,
                     std::size_t outputs) {
  const std::size_t colon = op.find(':');
  opset = colon == std::string_view::npos ? 17 : std::stoll(std::string(op.substr(colon + 1)));
  op = op.substr(0, colon);
  const std::size_t dot = op.rfind('.');
  if (dot != std::string_view::npos) node.domain = keep(op.substr(0, dot));
  node.op_type = keep(dot == std::string_view::npos ? op : op.substr(dot + 1));
  for (const std::string& attribute : split(attributes, ' ')) add_attribute(attribute);
  for (std::size_t input = 0; input < inputs; ++input) {
    node.inputs.push_back(keep(fmt::format("input{}", input)));
  }
  for (std::size_t output = 0; output < outputs; ++output) {
    node.outputs.push_back(keep(fmt::format("output{}", output)));
  }
}

Inferred run_infer(const InferCase& row) {
  const OwnedNode owned(row.op, row.attributes, row.inputs.size(), row.outputs.size());
  std::vector<Value> values;
  std::vector<const Value*> inputs;
  values.reserve(row.inputs.size());
  for (const std::string& input : row.inputs) {
    values.push_back(input == "-" ? Value{} : parse_value(input));
    inputs.push_back(input == "-" ? nullptr : &values.back());
  }
  return infer({.node = owned.node, .opset = owned.opset, .inputs = inputs});
}

void expect_cases(const std::vector<InferCase>& rows) {
  for (const InferCase& row : rows) {
    std::string trace = row.op + " " + row.attributes;
    for (const std::string& input : row.inputs) trace += " | " + input;
    SCOPED_TRACE(trace);
    const Inferred result = run_infer(row);
    EXPECT_TRUE(result.known_op);
    std::vector<std::string> outputs;
    for (std::size_t output = 0; output < result.outputs.size(); ++output) {
      outputs.push_back(print_value(result.outputs[output]));
      if (result.alias[output] >= 0) outputs.back() += fmt::format(" @{}", result.alias[output]);
      if (result.is_bound) outputs.back() += " <=";
    }
    EXPECT_EQ(outputs, row.outputs);
    EXPECT_NEAR(result.flops, row.flops, 1e-9 * row.flops);
    if (row.complaint.empty()) {
      EXPECT_EQ(result.complaint, "");
    } else {
      EXPECT_NE(result.complaint.find(row.complaint), std::string::npos) << result.complaint;
    }
  }
}

}  // namespace berth::onnx
