// The operators by name. Each family of operators lists its own in one table; infer() puts the
// tables together. To add an operator: write its rule in the family's source and one line in its
// table.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "frontends/onnx/ops/op_context.h"

namespace berth::onnx {

struct Operator {
  std::string_view domain;  // "" is ai.onnx
  std::string_view type;
  void (*rule)(OpContext& op);
};

constexpr std::string_view kOnnx = "";
constexpr std::string_view kMicrosoft = "com.microsoft";
constexpr std::string_view kClassical = "ai.onnx.ml";
constexpr std::string_view kTraining = "ai.onnx.preview.training";

// Of all families, sorted by domain and type.
const std::vector<Operator>& all_operators();
const Operator* find_operator(std::string_view domain, std::string_view type);

}  // namespace berth::onnx
