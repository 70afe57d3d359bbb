#include "frontends/onnx/ops/table.h"

#include <algorithm>
#include <tuple>

#include "frontends/onnx/ops/families.h"

namespace berth::onnx {
namespace {

bool comes_before(const Operator& left, const Operator& right) {
  return std::tie(left.domain, left.type) < std::tie(right.domain, right.type);
}

std::vector<Operator> collect() {
  std::vector<Operator> operators;
  for (const auto family : kFamilies) {
    const std::span<const Operator> members = family();
    operators.insert(operators.end(), members.begin(), members.end());
  }
  std::sort(operators.begin(), operators.end(), comes_before);
  return operators;
}

}  // namespace

const std::vector<Operator>& all_operators() {
  static const std::vector<Operator> operators = collect();
  return operators;
}

const Operator* find_operator(std::string_view domain, std::string_view type) {
  if (domain == "ai.onnx") domain = kOnnx;
  const std::vector<Operator>& operators = all_operators();
  const Operator wanted{domain, type, nullptr};
  const auto found = std::lower_bound(operators.begin(), operators.end(), wanted, comes_before);
  if (found == operators.end() || found->domain != domain || found->type != type) return nullptr;
  return &*found;
}

}  // namespace berth::onnx
