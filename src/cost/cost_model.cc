#include "cost/cost_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <utility>

#include "base/error.h"

namespace berth {
namespace {

struct ClassName {
  OpClass op_class;
  std::string_view name;
};
constexpr std::array<ClassName, 12> kClassNames = {{
    {OpClass::free, "free"},
    {OpClass::convolution, "convolution"},
    {OpClass::matmul, "matrix product"},
    {OpClass::recurrent, "recurrent cell"},
    {OpClass::elementwise, "elementwise"},
    {OpClass::normalization, "normalization"},
    {OpClass::reduction, "reduction"},
    {OpClass::softmax, "softmax"},
    {OpClass::pooling, "pooling"},
    {OpClass::embedding, "embedding"},
    {OpClass::movement, "data movement"},
    {OpClass::other, "other"},
}};

// Op types by exact name, in lower case without underscores, as ONNX, TensorFlow and PyTorch spell
// them. Suffixes of gradients are removed first, so `Conv2DGrad` is a convolution.
struct TypeName {
  std::string_view name;
  OpClass op_class;
};
constexpr TypeName kExact[] = {
    {"input", OpClass::free},
    {"placeholder", OpClass::free},
    {"const", OpClass::free},
    {"constant", OpClass::free},
    {"variable", OpClass::free},
    {"parameter", OpClass::free},
    {"weight", OpClass::free},
    {"initializer", OpClass::free},
    {"output", OpClass::free},
    {"identity", OpClass::free},
    {"reshape", OpClass::free},
    {"view", OpClass::free},
    {"flatten", OpClass::free},
    {"squeeze", OpClass::free},
    {"unsqueeze", OpClass::free},
    {"expanddims", OpClass::free},
    {"noop", OpClass::free},
    {"shape", OpClass::free},
    {"size", OpClass::free},
    {"dropoutinference", OpClass::free},
    {"gemm", OpClass::matmul},
    {"linear", OpClass::matmul},
    {"dense", OpClass::matmul},
    {"einsum", OpClass::matmul},
    {"addmm", OpClass::matmul},
    {"bmm", OpClass::matmul},
    {"mm", OpClass::matmul},
    {"fullyconnected", OpClass::matmul},
    {"attention", OpClass::matmul},
    {"multiheadattention", OpClass::matmul},
    {"lstm", OpClass::recurrent},
    {"gru", OpClass::recurrent},
    {"rnn", OpClass::recurrent},
    {"lstmcell", OpClass::recurrent},
    {"grucell", OpClass::recurrent},
    {"rnncell", OpClass::recurrent},
    {"blocklstm", OpClass::recurrent},
    {"lrn", OpClass::normalization},
    {"gather", OpClass::embedding},
    {"scatter", OpClass::embedding},
    {"lookup", OpClass::embedding},
    {"argmax", OpClass::reduction},
    {"argmin", OpClass::reduction},
    {"topk", OpClass::reduction},
    {"crossentropy", OpClass::softmax},
    {"hardmax", OpClass::softmax},
    {"negativeloglikelihoodloss", OpClass::softmax},
    {"cumsum", OpClass::reduction},
    {"roialign", OpClass::pooling},
    {"gridsample", OpClass::embedding},
    {"randomnormal", OpClass::elementwise},
    {"randomnormallike", OpClass::elementwise},
    {"upsample", OpClass::movement},
    {"depthtospace", OpClass::movement},
    {"spacetodepth", OpClass::movement},
    {"col2im", OpClass::movement},
    {"reversesequence", OpClass::movement},
    {"onehot", OpClass::movement},
    {"compress", OpClass::movement},
    {"trilu", OpClass::movement},
    {"eyelike", OpClass::movement},
    {"range", OpClass::movement},
    {"constantofshape", OpClass::movement},
    // References to tensors, of which nothing is copied.
    {"sequenceconstruct", OpClass::free},
    {"sequenceempty", OpClass::free},
    {"sequenceat", OpClass::free},
    {"sequenceinsert", OpClass::free},
    {"sequenceerase", OpClass::free},
    {"sequencelength", OpClass::free},
    {"optional", OpClass::free},
    {"optionalgetelement", OpClass::free},
    {"optionalhaselement", OpClass::free},
};
// Parts of names, for the many spellings that are not listed. The first that is contained decides:
// ConvTranspose is a convolution, not a transpose.
constexpr TypeName kContained[] = {
    {"depthwise", OpClass::convolution}, {"conv", OpClass::convolution},
    {"matmul", OpClass::matmul},         {"lstm", OpClass::recurrent},
    {"softmax", OpClass::softmax},       {"norm", OpClass::normalization},
    {"pool", OpClass::pooling},          {"embedding", OpClass::embedding},
    {"gather", OpClass::embedding},      {"scatter", OpClass::embedding},
    {"transpose", OpClass::movement},    {"concat", OpClass::movement},
    {"split", OpClass::movement},        {"slice", OpClass::movement},
    {"pad", OpClass::movement},          {"tile", OpClass::movement},
    {"copy", OpClass::movement},         {"expand", OpClass::movement},
    {"resize", OpClass::movement},       {"reduce", OpClass::reduction},
    {"reshape", OpClass::free},          {"attention", OpClass::matmul},
    {"gemm", OpClass::matmul},           {"random", OpClass::elementwise},
    {"gelu", OpClass::elementwise},      {"quantizelinear", OpClass::elementwise},
    {"bitwise", OpClass::elementwise},
};
// clang-format off
constexpr std::string_view kElementwise[] = {
    "add", "sub", "mul", "div", "neg", "abs", "exp", "log", "sqrt", "rsqrt", "pow", "square",
    "relu", "leakyrelu", "prelu", "elu", "selu", "gelu", "silu", "swish", "sigmoid", "tanh",
    "hardsigmoid", "hardswish", "erf", "softplus", "clip", "min", "max", "cast", "where",
    "select", "dropout", "biasadd", "addn", "equal", "greater", "less", "not", "and", "or", "sgd",
    "adam", "adafactor", "momentum", "applygradient", "update", "zeros", "ones", "fill", "floor",
    "ceil", "round", "sum2", "sign", "reciprocal", "maximum", "minimum", "assign", "assignadd", "sum",
    "mean", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "asinh", "acosh",
    "atanh", "softsign", "mish", "celu", "thresholdedrelu", "mod", "xor", "bitshift", "isnan",
    "isinf", "greaterorequal", "lessorequal", "castlike", "bernoulli", "shrink", "logsigmoid",
};
// clang-format on

// Fractions of peak that well-written kernels reach. Convolutions, matrix products and recurrent
// cells: what vendor libraries reach on practical sizes. The rest moves bytes, so only its
// bandwidth counts, of which streaming kernels reach about three quarters and gathers less. One row
// per device model or kind; the row of a model takes precedence over that of its kind, and the last
// one fits everything.
struct EfficiencyRow {
  std::string_view device;              // model or kind; empty: any
  std::array<Efficiency, 12> by_class;  // in the order of OpClass
};
constexpr std::array<Efficiency, 12> row(double convolution, double matmul, double recurrent,
                                         double stream, double gather) {
  return {{{1, 1},
           {convolution, stream},
           {matmul, stream},
           {recurrent, stream},
           {0.5, stream},
           {0.4, 0.9 * stream},
           {0.4, 0.9 * stream},
           {0.4, 0.9 * stream},
           {0.4, stream},
           {0.4, gather},
           {0.5, stream},
           {0.3, 0.8 * stream}}};
}
// K40, P100 and the Haswell host are the machines of the placement papers. Their convolutions and
// products are fitted to what those papers measured with the TensorFlow of their day, batches of
// one image included: about 6% of peak for convolutions, a tenth to over a third for products. The
// figures are those of HDP's table for Inception-V3 and RNNLM (Haswell, K40) and of Mars's for
// Inception-V3 and for GNMT by the human expert (P100, where the products ran out of memory on one
// GPU). `berth bench` prints how far off the others come out.
constexpr std::array<EfficiencyRow, 9> kEfficiency = {{
    {"K40", row(0.0586, 0.239, 0.239, 0.70, 0.35)},
    {"P100", row(0.060, 0.357, 0.357, 0.75, 0.40)},
    {"Xeon E5-2690 v3", row(0.0287, 0.1066, 0.1066, 0.60, 0.25)},
    {"K80", row(0.50, 0.60, 0.40, 0.70, 0.35)},
    {"A100", row(0.60, 0.70, 0.45, 0.80, 0.45)},
    {"H100", row(0.50, 0.60, 0.40, 0.80, 0.45)},
    {"cpu", row(0.50, 0.65, 0.50, 0.60, 0.25)},
    {"gpu", row(0.55, 0.65, 0.40, 0.75, 0.40)},
    {"", row(0.50, 0.60, 0.40, 0.70, 0.40)},
}};

std::string plain_type(std::string_view op_type) {
  // `com.microsoft.Attention`: whose operator it is says nothing about what it does.
  if (const std::size_t dot = op_type.rfind('.'); dot != std::string_view::npos) {
    op_type.remove_prefix(dot + 1);
  }
  std::string plain;
  for (const char c : op_type) {
    if (c != '_') plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  for (const std::string_view suffix : {"gradient", "grad", "backward"}) {
    if (plain.size() > suffix.size() && plain.ends_with(suffix)) {
      plain.resize(plain.size() - suffix.size());
    }
  }
  return plain;
}

}  // namespace

OpClass classify(std::string_view op_type) {
  const std::string plain = plain_type(op_type);
  for (const TypeName& entry : kExact) {
    if (plain == entry.name) return entry.op_class;
  }
  if (std::find(std::begin(kElementwise), std::end(kElementwise), plain) !=
      std::end(kElementwise)) {
    return OpClass::elementwise;
  }
  for (const TypeName& entry : kContained) {
    if (plain.find(entry.name) != std::string::npos) return entry.op_class;
  }
  return OpClass::other;
}

bool is_heavy(OpClass op_class) {
  return op_class == OpClass::convolution || op_class == OpClass::matmul ||
         op_class == OpClass::recurrent;
}

std::string_view op_class_name(OpClass op_class) {
  return kClassNames[static_cast<std::size_t>(op_class)].name;
}

namespace {

const EfficiencyRow& row_of(const Device& device) {
  const EfficiencyRow* chosen = &kEfficiency.back();
  for (const std::string_view label :
       {std::string_view(device.kind), std::string_view(device.model)}) {
    for (const EfficiencyRow& candidate : kEfficiency) {
      // The model comes last and so takes precedence over the kind.
      if (!label.empty() && candidate.device == label) chosen = &candidate;
    }
  }
  return *chosen;
}

}  // namespace

Efficiency efficiency(OpClass op_class, const Device& device) {
  return row_of(device).by_class[static_cast<std::size_t>(op_class)];
}

std::string_view efficiency_row(const Device& device) {
  const std::string_view name = row_of(device).device;
  return name.empty() ? "any" : name;
}

double traffic_bytes(const Graph& graph, OpId op, OpClass op_class) {
  double written = 0;
  for (std::size_t k = 0; k < graph.output_count(op); ++k) {
    written += static_cast<double>(graph.bytes(graph.output(op, k)));
  }
  double read = static_cast<double>(graph.param_bytes(op));
  double rows = 0;  // what a scatter brings along
  const auto inputs = graph.inputs(op);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto here = inputs.begin() + static_cast<std::ptrdiff_t>(i);
    // A tensor that is read twice comes from memory once.
    if (std::find(inputs.begin(), here, inputs[i]) != here) continue;
    const auto bytes = static_cast<double>(graph.bytes(inputs[i]));
    const bool table = i == 0 && op_class == OpClass::embedding;
    read += table ? std::min(bytes, written) : bytes;
    if (i > 0) rows += bytes;
  }
  // A scatter in place (its output shares the memory of the table) reads the new rows, and reads
  // and writes those rows of the table.
  const bool in_place = op_class == OpClass::embedding && graph.output_count(op) == 1 &&
                        graph.alias(graph.output(op, 0)) == 0;
  return in_place ? 3 * rows : read + written;
}

DType rate_dtype(const Graph& graph, OpId op, OpClass op_class, const Device& device) {
  const DType dtype =
      graph.output_count(op) > 0 ? graph.dtype(graph.output(op, 0)) : DType::unknown;
  if (!is_heavy(op_class)) return dtype;
  if (graph.precision() == DType::unknown) {
    return dtype == DType::f32 && device.has_rate(DType::tf32) ? DType::tf32 : dtype;
  }
  return dtype == DType::f32 || dtype == DType::unknown ? graph.precision() : dtype;
}

double compute_seconds(const Graph& graph, OpId op, OpClass op_class, const Device& device) {
  const double flops = graph.flops(op);
  if (flops == 0 || op_class == OpClass::free) return 0;
  const double rate = device.flops_for(rate_dtype(graph, op, op_class, device));
  if (rate <= 0) {
    throw InputError(fmt::format(
        "op {} has flops but no \"seconds\" for the device {}, and that device has no \"flops\" to "
        "compute the time from; give one of the two, or keep the op off it by \"devices\" or "
        "constraints",
        quoted(graph.op_name(op)), quoted(device.name)));
  }
  return flops / (rate * efficiency(op_class, device).compute);
}

double modelled_seconds(const Graph& graph, OpId op, OpClass op_class, const Device& device) {
  if (op_class == OpClass::free) return 0;
  const double compute = compute_seconds(graph, op, op_class, device);
  const double memory = traffic_bytes(graph, op, op_class) /
                        (device.bandwidth * efficiency(op_class, device).bandwidth);
  return device.launch_seconds + std::max(compute, memory);
}

}  // namespace berth
