#include "cli/sweep_dims.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/decimal.h"
#include "base/error.h"
#include "base/options.h"
#include "cli/workload_call.h"
#include "zoo/workload.h"

namespace berth::cli {
namespace {

constexpr std::string_view kRange = "..";
constexpr std::size_t kMostValues = 1000;  // of one dimension; a typing error must not take a week

std::optional<std::int64_t> whole_number(std::string_view text, std::int64_t least) {
  const auto number = parse_whole_number(text);
  return number && *number >= least ? number : std::nullopt;
}

[[noreturn]] void fail(const std::string& word, const std::string& why) {
  throw InputError(fmt::format(
      "--dim {}: {}; write NAME=SIZES as in batch=8,16,64 or batch=8..256, which doubles", word,
      why));
}

void add(SweptDim& dim, std::string value, const std::string& word) {
  if (std::ranges::find(dim.values, value) != dim.values.end()) return;
  if (dim.values.size() == kMostValues) fail(word, fmt::format("more than {} sizes", kMostValues));
  dim.values.push_back(std::move(value));
}

void add_range(SweptDim& dim, std::string_view item, std::size_t dots, const std::string& word) {
  const auto first = whole_number(item.substr(0, dots), 1);  // 0 cannot be doubled
  const auto last = whole_number(item.substr(dots + kRange.size()), 1);
  if (!first || !last || *first > *last) {
    fail(word,
         fmt::format("{} is not a range from one whole number to a larger one", quoted(item)));
  }
  for (std::int64_t size = *first; size <= *last; size *= 2) {
    add(dim, fmt::format("{}", size), word);
    if (size > *last / 2) break;
  }
}

SweptDim parse_dim(const std::string& word) {
  // A name may have an equals sign in it, a size has none.
  const std::size_t equals = word.rfind('=');
  if (equals == std::string::npos || equals == 0) fail(word, "a name and sizes are expected");
  SweptDim dim{.name = word.substr(0, equals), .values = {}};
  const std::string sizes = word.substr(equals + 1);
  if (sizes.empty()) fail(word, "the sizes are missing");
  for (const std::string& item : split_list(sizes)) {
    const std::size_t dots = item.find(kRange);
    if (dots == std::string::npos) {
      add(dim, item, word);
    } else {
      add_range(dim, item, dots, word);
    }
  }
  return dim;
}

}  // namespace

std::vector<SweptDim> parse_swept_dims(const std::vector<std::string>& words) {
  std::vector<SweptDim> dims;
  for (const std::string& word : words) {
    SweptDim dim = parse_dim(word);
    if (std::ranges::find(dims, dim.name, &SweptDim::name) != dims.end()) {
      throw InputError(
          fmt::format("--dim {} is given twice; give all its sizes at once", dim.name));
    }
    dims.push_back(std::move(dim));
  }
  return dims;
}

void check_swept_dims(const std::string& model, const std::vector<SweptDim>& dims) {
  for (const SweptDim& dim : dims) {
    if (is_workload(model)) {
      check_dim(model, dim.name);
      continue;
    }
    for (const std::string& value : dim.values) {
      if (whole_number(value, 0)) continue;
      throw InputError(fmt::format(
          "--dim {}: {} is not a size; a dimension of a file is a whole number from 0 to "
          "9223372036854775807",
          dim.name, quoted(value)));
    }
  }
}

SettingArguments with_dims(const SettingArguments& arguments, const std::vector<SweptDim>& dims,
                           const std::vector<std::string>& values) {
  SettingArguments named = arguments;
  if (!is_workload(arguments.model)) {
    for (std::size_t i = 0; i < dims.size(); ++i) {
      named.dims.push_back(fmt::format("{}={}", dims[i].name, values[i]));
    }
    return named;
  }
  if (dims.empty()) return named;
  Call call = workload_call(arguments.model);
  for (std::size_t i = 0; i < dims.size(); ++i) call.options.emplace_back(dims[i].name, values[i]);
  named.model = spelled(call);
  return named;
}

std::optional<BatchOption> batch_option(const std::string& model, const std::string& name) {
  if (!is_workload(model)) return std::nullopt;
  const Call call = workload_call(model);
  const zoo::Workload& workload = zoo::find_workload(call.name);
  const auto spec = std::ranges::find(workload.options, name, &OptionSpec::name);
  if (spec == workload.options.end() || spec->type != OptionSpec::Type::integer) return {};
  const Options options("workload " + quoted(workload.name), workload.options, call);
  constexpr double kMost = 1e15;
  return BatchOption{.name = name,
                     .value = options.integer(name),
                     .most = static_cast<std::int64_t>(std::min(spec->high, kMost))};
}

std::string without_option(const std::string& workload, const std::string& name) {
  Call call = workload_call(workload);
  std::erase_if(call.options, [&](const auto& option) { return option.first == name; });
  return spelled(call);
}

}  // namespace berth::cli
