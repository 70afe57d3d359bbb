#include "cli/flag_errors.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/shell_word.h"
#include "frontends/onnx/dimensions.h"

namespace berth::cli {
namespace {

// A likely size, so that the flags can be copied as they are.
int example_size(const onnx::OpenDimension& dimension) {
  const bool batch = dimension.axis == 0 || dimension.name.find("batch") != std::string::npos;
  return batch ? 8 : 128;
}

std::string dim_flags(const std::vector<onnx::OpenDimension>& dimensions) {
  constexpr std::size_t kMost = 20;
  constexpr std::size_t kLongestShown = 100;
  std::string flags;
  for (std::size_t i = 0; i < std::min(dimensions.size(), kMost); ++i) {
    const std::string& name = dimensions[i].name;
    const std::string_view shown = name.size() > kLongestShown ? "NAME" : std::string_view(name);
    flags += " --dim " + shell_word(fmt::format("{}={}", shown, example_size(dimensions[i])));
  }
  return dimensions.size() > kMost ? flags + " ..." : flags;
}

}  // namespace

InputError with_flag(std::string_view flag, const InputError& error) {
  return error.reworded(fmt::format("{}: {}", flag, error.what()));
}

InputError with_flags(const std::vector<OptionFlag>& flags, const InputError& error) {
  if (error.code() != ErrorCode::bad_option) return error;
  const auto found = std::ranges::find(flags, error.subject(), &OptionFlag::subject);
  return found == flags.end() ? error : with_flag(found->flag, error);
}

InputError with_dim_flags(const InputError& error, bool dims_given) {
  if (const auto* open = dynamic_cast<const onnx::OpenDimensionError*>(&error)) {
    return error.reworded(fmt::format("{}; add{}, with the size{} you want", error.what(),
                                      dim_flags(open->dimensions()),
                                      open->dimensions().size() == 1 ? "" : "s"));
  }
  if (error.code() == ErrorCode::too_large && dims_given) {
    return error.reworded(fmt::format("{}; set smaller sizes with --dim", error.what()));
  }
  return error;
}

}  // namespace berth::cli
