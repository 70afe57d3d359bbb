#include "cli/step_size.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "cli/workload_call.h"

namespace berth::cli {
namespace {

using Sizes = std::vector<std::pair<std::string, std::int64_t>>;

std::string lower(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

bool has(const std::string& name, std::string_view part) {
  return lower(name).find(part) != std::string::npos;
}

bool is_sequence(const std::string& name) {
  return (has(name, "seq") || has(name, "length") || has(name, "tokens")) && !has(name, "past");
}

// Those of a workload are the options that are whole numbers.
Sizes sizes_of(const Model& model) {
  if (!is_workload(model.spec)) return model.open_dims;
  const Call call = workload_call(model.named());
  const zoo::Workload& workload = zoo::find_workload(call.name);
  const Options options("workload " + quoted(workload.name), workload.options, call);
  Sizes sizes;
  for (const OptionSpec& spec : workload.options) {
    if (spec.type != OptionSpec::Type::integer) continue;
    sizes.emplace_back(spec.name, options.integer(spec.name));
  }
  return sizes;
}

[[noreturn]] void refuse(const Model& model, const Sizes& sizes, const std::string& batch_dim) {
  const bool workload = is_workload(model.spec);
  if (sizes.empty()) {
    throw InputError(
        fmt::format("--batch-dim {}: {} has no open dimension; --batch-dim is for workloads and "
                    "for ONNX files with open dimensions",
                    batch_dim, quoted(model.path)));
  }
  std::vector<std::string> names;
  for (const auto& [name, size] : sizes) names.push_back(name);
  const std::string kind = workload ? "whole-number option" : "open dimension";
  throw InputError(fmt::format("--batch-dim {}: {} has no such {}; its {}{} {} {}{}", batch_dim,
                               quoted(model.named()), kind, kind, names.size() == 1 ? "" : "s",
                               names.size() == 1 ? "is" : "are", join_names(names),
                               did_you_mean(batch_dim, names)));
}

Sizes::const_iterator guess_batch(const Model& model, const Sizes& sizes) {
  const auto named = [](const auto& size) { return has(size.first, "batch"); };
  const auto other = [](const auto& size) { return !is_sequence(size.first); };
  if (is_workload(model.spec))
    return std::ranges::find(sizes, kUsualBatch, &Sizes::value_type::first);
  const auto found = std::ranges::find_if(sizes, named);
  return found != sizes.end() ? found : std::ranges::find_if(sizes, other);
}

}  // namespace

report::StepSize step_size(const Model& model, const std::string& batch_dim) {
  const Sizes sizes = sizes_of(model);
  const auto batch = batch_dim.empty()
                         ? guess_batch(model, sizes)
                         : std::ranges::find(sizes, batch_dim, &Sizes::value_type::first);
  if (batch == sizes.end()) {
    if (!batch_dim.empty()) refuse(model, sizes, batch_dim);
    return {};
  }
  report::StepSize size{.batch_dim = batch->first, .samples = static_cast<double>(batch->second)};
  for (const auto& [name, length] : sizes) {
    if (name == size.batch_dim || !is_sequence(name)) continue;
    size.sequence_dim = name;
    size.length = static_cast<double>(length);
    break;
  }
  return size;
}

}  // namespace berth::cli
