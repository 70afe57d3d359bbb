#include "cli/workload_call.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "zoo/workload.h"

namespace berth::cli {
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

void check_dim(const std::string& model, const std::string& option) {
  const Call call = workload_call(model);
  const zoo::Workload& workload = zoo::find_workload(call.name);
  std::vector<std::string> names;
  for (const OptionSpec& spec : workload.options) names.push_back(spec.name);
  if (std::ranges::find(names, option) == names.end()) {
    throw InputError(fmt::format("--dim {}: workload {} has no such option; its options are {}{}",
                                 option, quoted(workload.name), join_names(names),
                                 did_you_mean(option, names)));
  }
  for (const auto& [name, value] : call.options) {
    if (name != option) continue;
    throw InputError(
        fmt::format("{} is set in {} and by --dim; leave one of them out", option, quoted(model)));
  }
}

std::string with_dim_options(const std::string& workload, const std::vector<std::string>& dims) {
  if (dims.empty()) return workload;
  Call call = workload_call(workload);
  for (const std::string& word : dims) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == word.size()) {
      throw InputError(
          fmt::format("--dim takes OPTION=VALUE, as in --dim batch=8, not {}", quoted(word)));
    }
    const std::string name = word.substr(0, equals);
    check_dim(workload, name);
    for (const auto& [other, value] : call.options) {
      if (other != name) continue;
      throw InputError(fmt::format("--dim {} is given twice: {} and {}; give it once", name, value,
                                   word.substr(equals + 1)));
    }
    call.options.emplace_back(name, word.substr(equals + 1));
  }
  return spelled(call);
}

}  // namespace berth::cli
