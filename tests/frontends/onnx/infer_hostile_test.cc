// Every operator against inputs and attributes that no exporter writes: whatever a file says, the
// answer must be of the right form, and soon.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "frontends/onnx/infer_notation.h"
#include "frontends/onnx/ops/table.h"

namespace berth::onnx {
namespace {

constexpr std::string_view kNames[] = {
    "axis",
    "axes",
    "kernel_shape",
    "strides",
    "pads",
    "dilations",
    "group",
    "auto_pad",
    "ceil_mode",
    "output_shape",
    "output_padding",
    "perm",
    "shape",
    "split",
    "num_outputs",
    "starts",
    "ends",
    "keepdims",
    "to",
    "dtype",
    "k",
    "blocksize",
    "hidden_size",
    "direction",
    "layout",
    "equation",
    "mode",
    "scales",
    "batch_dims",
    "start",
    "end",
    "num_heads",
    "kv_num_heads",
    "q_num_heads",
    "K",
    "N",
    "transA",
    "transB",
    "onesided",
    "inverse",
    "value",
    "value_ints",
    "value_int",
    "pooled_shape",
    "sample_size",
    "maxsplit",
    "ngram_indexes",
    "reduction",
    "noop_with_empty_axes",
    "allowzero",
    "new_axis",
    "targets",
    "n_targets",
    "nodes_treeids",
    "keep_aspect_ratio_policy",
    "coordinate_transformation_mode",
    "height_scale",
    "width_scale",
    "exclusive",
    "reverse",
    "upper",
    "training_mode",
    "qkv_hidden_sizes",
    "channels_last",
    "output_height",
    "output_width",
    "sampling_ratio",
    "border",
    "scale",
    "broadcast",
    "size",
    "gather_axis",
    "paddings",
    "max_map",
    "inputdimensions",
    "fmod",
    "transBatchA",
};
constexpr std::string_view kTexts[] = {
    "SAME_UPPER",
    "VALID",
    "bidirectional",
    "ij,jk->ik",
    "...i,i...",
    "i->j",
    ",,,,",
    "->",
    "none",
    "add",
    "linear",
    "cubic",
    "tf_crop_and_resize",
    "not_larger",
    "not_smaller",
    "RIGHT",
    "",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
};
constexpr std::int64_t kNumbers[] = {0,
                                     1,
                                     2,
                                     3,
                                     4,
                                     5,
                                     7,
                                     8,
                                     64,
                                     4096,
                                     4097,
                                     -1,
                                     -2,
                                     -3,
                                     1 << 20,
                                     INT64_MAX,
                                     INT64_MAX - 1,
                                     INT64_MIN,
                                     INT64_MIN + 1,
                                     std::int64_t{1} << 62};

class Hostile {
 public:
  std::int64_t below(std::int64_t limit) {
    return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(limit));
  }
  template <typename List>
  auto any(const List& list) {
    return list[static_cast<std::size_t>(below(static_cast<std::int64_t>(std::size(list))))];
  }
  // Mostly small numbers, or nothing would ever fit together.
  std::int64_t number() { return below(4) == 0 ? any(kNumbers) : below(6); }
  ElementType element() {
    return static_cast<ElementType>(below(3) == 0 ? below(30) : any(kUsual));
  }

  Contents contents(ElementType type, std::int64_t count) {
    Contents result;
    const bool real = type == ElementType::float32 || type == ElementType::float64;
    for (std::int64_t index = 0; index < count; ++index) {
      if (real) {
        result.reals.push_back(below(8) == 0 ? std::nan("") : static_cast<double>(number()) / 2);
      } else {
        result.integers.push_back(number());
      }
    }
    return result;
  }

  Value value(int nesting = 0) {
    Value result;
    if (below(20) == 0) return result;
    if (below(10) == 0) {
      result.kind = below(2) == 0 ? Type::Kind::sequence : Type::Kind::optional;
      result.length = number();
      if (nesting < 8 && below(3) != 0) result.inner.push_back(value(nesting + 1));
      return result;
    }
    result.kind = Type::Kind::tensor;
    result.element = element();
    result.has_rank = below(10) != 0;
    const std::int64_t rank = below(30) == 0 ? below(70) : below(6);
    for (std::int64_t axis = 0; axis < rank; ++axis) result.dims.push_back(number());
    const auto elements = result.elements();
    if (elements && *elements <= kMaxContents && below(4) != 0) {
      result.contents = contents(result.element, *elements);
    } else if (below(20) == 0) {
      result.contents = contents(result.element, below(9));  // not what the shape says
    }
    return result;
  }

  Attribute attribute() {
    Attribute result;
    result.name = any(kNames);
    result.type = static_cast<std::int32_t>(below(9));
    result.i = number();
    result.f = static_cast<float>(number()) / 2;
    result.s = any(kTexts);
    const std::int64_t length = below(10) == 0 ? below(80) : below(6);
    for (std::int64_t index = 0; index < length; ++index) {
      result.ints.push_back(number());
      result.floats.push_back(static_cast<float>(number()) / 2);
      result.strings.push_back(any(kTexts));
    }
    if (below(4) == 0) {
      Tensor tensor;
      tensor.element = element();
      tensor.dims = result.ints;
      tensor.raw = "12345678";
      result.tensors.push_back(tensor);
    }
    return result;
  }

 private:
  static constexpr int kUsual[] = {1, 6, 7, 9};
  std::mt19937_64 random_{20240229};
};

void expect_sane(const Inferred& result, std::size_t inputs, std::size_t outputs) {
  ASSERT_TRUE(result.known_op);
  ASSERT_EQ(result.outputs.size(), outputs);
  ASSERT_EQ(result.alias.size(), outputs);
  ASSERT_TRUE(std::isfinite(result.flops) && result.flops >= 0) << result.flops;
  ASSERT_GE(result.temp_bytes, 0);
  for (const int alias : result.alias) {
    ASSERT_GE(alias, -1);
    ASSERT_LT(alias, static_cast<int>(inputs));
  }
  for (const Value& value : result.outputs) {
    ASSERT_LE(value.dims.size(), 64U);
    for (const std::int64_t dim : value.dims) ASSERT_TRUE(dim >= kUnknown || dim == kTooLarge);
    ASSERT_TRUE(value.has_rank || value.dims.empty());
    if (!value.contents) continue;
    const auto count = value.contents->integers.size() + value.contents->reals.size();
    ASSERT_EQ(static_cast<std::int64_t>(count), value.elements());
  }
}

TEST(InferHostile, AnswersWhateverIsAsked) {
  Hostile hostile;
  for (const Operator& candidate : all_operators()) {
    SCOPED_TRACE(std::string(candidate.domain) + "." + std::string(candidate.type));
    for (int round = 0; round < 150; ++round) {
      Node node;
      node.domain = candidate.domain;
      node.op_type = candidate.type;
      node.outputs.resize(static_cast<std::size_t>(hostile.below(5)), "output");
      for (std::int64_t count = hostile.below(12); count > 0; --count) {
        node.attributes.push_back(hostile.attribute());
      }
      std::vector<Value> values(static_cast<std::size_t>(hostile.below(10)));
      std::vector<const Value*> inputs;
      for (Value& value : values) {
        value = hostile.value();
        inputs.push_back(hostile.below(10) == 0 ? nullptr : &value);
      }
      node.inputs.resize(inputs.size(), "input");
      const Inferred result =
          infer({.node = node, .opset = hostile.below(24) - 1, .inputs = inputs});
      expect_sane(result, inputs.size(), node.outputs.size());
      if (HasFatalFailure()) return;
    }
  }
}

TEST(InferHostile, SurvivesLongEquations) {
  const std::string commas(1 << 20, ',');
  const std::string letters(4000, 'a');
  std::string both = letters;
  both.append("->").append(letters);
  for (const std::string& equation : {commas, letters, both}) {
    Node node;
    node.op_type = "Einsum";
    node.outputs = {"y"};
    Attribute attribute;
    attribute.name = "equation";
    attribute.s = equation;
    node.attributes.push_back(attribute);
    const Value value = parse_value("f32 2x3");
    const std::vector<const Value*> inputs = {&value};
    const Inferred result = infer({.node = node, .opset = 17, .inputs = inputs});
    EXPECT_NE(result.complaint, "");
    EXPECT_LT(result.complaint.size(), 400U);
  }
}

TEST(InferHostile, ListsEachOperatorOnce) {
  const auto& operators = all_operators();
  ASSERT_GT(operators.size(), 280U);
  for (std::size_t index = 0; index < operators.size(); ++index) {
    EXPECT_EQ(find_operator(operators[index].domain, operators[index].type), &operators[index])
        << operators[index].type << " is listed twice";
    EXPECT_NE(operators[index].rule, nullptr);
  }
  EXPECT_NE(find_operator("ai.onnx", "Conv"), nullptr);
  EXPECT_EQ(find_operator("", "conv"), nullptr);
}

}  // namespace
}  // namespace berth::onnx
