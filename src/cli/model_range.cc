#include "cli/model_range.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/error.h"
#include "cli/workload_call.h"
#include "zoo/workload.h"

namespace berth::cli {
namespace {

constexpr std::string_view kDots = "..";
constexpr std::int64_t kMostModels = 1000;  // a typing error must not take a week

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

struct Range {
  std::size_t option;  // of the call
  std::int64_t first;
  std::int64_t last;
};

bool takes_whole_numbers(const Call& call, const std::string& option) {
  const std::vector<OptionSpec>& specs = zoo::find_workload(call.name).options;
  const auto spec = std::ranges::find(specs, option, &OptionSpec::name);
  return spec != specs.end() && spec->type == OptionSpec::Type::integer;
}

std::vector<Range> ranges_of(const Call& call, const std::string& where) {
  std::vector<Range> ranges;
  for (std::size_t i = 0; i < call.options.size(); ++i) {
    const auto& [name, value] = call.options[i];
    const std::size_t dots = value.find(kDots);
    if (dots == std::string::npos) continue;
    const std::string_view text = value;
    const auto first = whole_number(text.substr(0, dots));
    const auto last = whole_number(text.substr(dots + kDots.size()));
    if (!takes_whole_numbers(call, name)) {
      throw InputError(
          fmt::format("{}: {} is a range, and {} is not an option of workload {} that takes whole "
                      "numbers; berth zoo {} lists them",
                      where, quoted(text), quoted(name), quoted(call.name), call.name));
    }
    if (!first || !last || *first > *last) {
      throw InputError(
          fmt::format("{}: {} is not a range from one whole number to a larger one, such as 0..23",
                      where, quoted(text)));
    }
    ranges.push_back({i, *first, *last});
  }
  return ranges;
}

}  // namespace

std::vector<std::string> expand_models(const std::string& name, const std::string& option) {
  if (!is_workload(name)) return {name};
  const std::string where = fmt::format("{} {}", option, name);
  const Call call = workload_call(name);
  const std::vector<Range> ranges = ranges_of(call, where);
  if (ranges.empty()) return {name};
  std::vector<Call> calls = {call};
  for (const Range& range : ranges) {
    // Unsigned, for the two ends may be further apart than a signed number can say.
    const std::uint64_t more =
        static_cast<std::uint64_t>(range.last) - static_cast<std::uint64_t>(range.first);
    if (more >= kMostModels / calls.size()) {
      throw InputError(fmt::format("{} stands for more than {} models; give a smaller range", where,
                                   kMostModels));
    }
    std::vector<Call> longer;
    for (const Call& one : calls) {
      for (std::uint64_t step = 0; step <= more; ++step) {
        longer.push_back(one);
        longer.back().options[range.option].second =
            std::to_string(range.first + static_cast<std::int64_t>(step));
      }
    }
    calls = std::move(longer);
  }
  std::vector<std::string> models;
  for (const Call& one : calls) models.push_back(spelled(one));
  return models;
}

}  // namespace berth::cli
