#include "cli/workload_call.h"

#include <fmt/format.h>

namespace berth {
namespace {

constexpr std::string_view kZoo = "zoo:";

}  // namespace

bool is_workload(const std::string& model) { return model.starts_with(kZoo); }

Call workload_call(const std::string& model) {
  return parse_call(std::string_view(model).substr(kZoo.size()));
}

std::string spelled(const Call& call) {
  std::string text = std::string(kZoo) + call.name;
  for (const auto& [name, value] : call.options) text += fmt::format(":{}={}", name, value);
  return text;
}

}  // namespace berth
