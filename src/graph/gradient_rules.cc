#include "graph/gradient_rules.h"

#include <algorithm>

namespace berth {
namespace {

using Kind = GradientRule::Kind;

constexpr GradientRule kProduct{.kind = Kind::product, .flops = 1};
constexpr GradientRule kPass{.kind = Kind::pass};
constexpr GradientRule kView{.kind = Kind::view};
constexpr GradientRule kRows{.kind = Kind::rows};
constexpr GradientRule kNone{.kind = Kind::none};
// Functions of one tensor whose derivative follows from the result, from the argument, or from
// both. What a rule reads is kept in memory from the forward to the backward pass, so the smaller
// choice matters: of Relu only the output is needed.
constexpr GradientRule kFromOutput{.reads_inputs = false, .flops = 1, .inputs = 1};
constexpr GradientRule kFromInput{.reads_outputs = false, .flops = 1, .inputs = 1};
constexpr GradientRule kFromBoth{.flops = 1, .inputs = 1};
// Operations on several tensors whose derivatives follow from them.
constexpr GradientRule kFromInputs{.reads_outputs = false, .flops = 2};
// Ops that only move or sum values: the gradient is moved back and reads nothing else.
constexpr GradientRule moved(std::string_view type) {
  return {.reads_inputs = false, .reads_outputs = false, .flops = 1, .inputs = 1, .type = type};
}

struct Entry {
  std::string_view type;
  GradientRule rule;
};
// In alphabetical order, for the binary search below.
constexpr Entry kRules[] = {
    {"Abs", kFromInput},
    {"Add", kPass},
    {"AddN", kPass},
    {"And", kNone},
    {"ArgMax", kNone},
    {"ArgMin", kNone},
    {"AveragePool", moved("AveragePoolGrad")},
    {"BatchNormalization", {.reads_outputs = false, .flops = 2, .inputs = 3}},
    {"Cast", moved("Cast")},
    {"Ceil", kNone},
    {"Clip", kFromInput},
    {"Concat", {.reads_inputs = false, .reads_outputs = false, .flops = 1, .type = "Split"}},
    {"Constant", kNone},
    {"ConstantOfShape", kNone},
    {"Conv", {.kind = Kind::product, .flops = 1}},
    {"ConvTranspose", {.kind = Kind::product, .flops = 1}},
    {"Div", kFromInputs},
    {"Dropout", kFromOutput},
    {"Einsum", kProduct},
    {"Elu", kFromOutput},
    {"Equal", kNone},
    {"Erf", kFromInput},
    {"Exp", kFromOutput},
    {"Expand", moved("ReduceSum")},
    {"Flatten", kView},
    {"Floor", kNone},
    {"Gather", kRows},
    {"GatherElements", moved("ScatterElements")},
    {"GatherND", moved("ScatterND")},
    {"Gelu", kFromInput},
    {"Gemm", kProduct},
    {"GlobalAveragePool", moved("Expand")},
    {"GlobalMaxPool", kFromBoth},
    {"Greater", kNone},
    {"GroupNormalization", {.reads_outputs = false, .flops = 2, .inputs = 3}},
    {"HardSigmoid", kFromInput},
    {"HardSwish", kFromInput},
    {"Identity", kView},
    {"InstanceNormalization", {.reads_outputs = false, .flops = 2, .inputs = 3}},
    {"LayerNormalization", {.reads_outputs = false, .flops = 2, .inputs = 3}},
    {"LeakyRelu", kFromInput},
    {"Less", kNone},
    {"Log", kFromInput},
    {"LogSoftmax", kFromOutput},
    {"MatMul", kProduct},
    {"Max", kFromInputs},
    {"MaxPool", kFromBoth},
    {"Min", kFromInputs},
    {"Mod", kNone},
    {"Mul", kFromInputs},
    {"Neg", moved("Neg")},
    {"NonMaxSuppression", kNone},
    {"NonZero", kNone},
    {"Not", kNone},
    {"OneHot", kNone},
    {"Or", kNone},
    {"PRelu", kFromInputs},
    {"Pad", moved("Slice")},
    {"Pow", kFromInput},
    {"RMSNormalization", {.reads_outputs = false, .flops = 2, .inputs = 2}},
    {"RandomNormal", kNone},
    {"RandomUniform", kNone},
    {"Range", kNone},
    {"Reciprocal", kFromOutput},
    {"ReduceMax", kFromBoth},
    {"ReduceMean", moved("Expand")},
    {"ReduceSum", moved("Expand")},
    {"Relu", kFromOutput},
    {"Reshape", kView},
    {"Resize", moved("ResizeGrad")},
    {"Round", kNone},
    {"Shape", kNone},
    {"Sigmoid", kFromOutput},
    {"Sign", kNone},
    {"Size", kNone},
    {"Slice", moved("Pad")},
    {"Softmax", {.reads_inputs = false, .flops = 1, .inputs = 1}},
    {"Softplus", kFromInput},
    {"Split",
     {.reads_inputs = false, .reads_outputs = false, .flops = 1, .inputs = 1, .type = "Concat"}},
    {"Sqrt", kFromOutput},
    {"Squeeze", kView},
    {"Sub", kPass},
    {"Sum", kPass},
    {"Swish", kFromInput},
    {"Tanh", kFromOutput},
    {"Tile", moved("ReduceSum")},
    {"TopK", {.reads_inputs = false, .flops = 1, .inputs = 1, .type = "ScatterElements"}},
    {"Transpose", moved("Transpose")},
    {"Trilu", moved("Trilu")},
    {"Unsqueeze", kView},
    {"Upsample", moved("UpsampleGrad")},
    {"Where", {.reads_outputs = false, .flops = 2}},
};

}  // namespace

GradientRule gradient_rule(std::string_view op_type) {
  static_assert(std::is_sorted(std::begin(kRules), std::end(kRules),
                               [](const Entry& a, const Entry& b) { return a.type < b.type; }));
  const Entry* found =
      std::lower_bound(std::begin(kRules), std::end(kRules), op_type,
                       [](const Entry& entry, std::string_view type) { return entry.type < type; });
  if (found != std::end(kRules) && found->type == op_type) return found->rule;
  return {};
}

}  // namespace berth
