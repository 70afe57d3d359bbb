#include "learn/start_method.h"

#include <fmt/format.h>

#include <optional>

#include "base/error.h"

namespace berth::learn {

place::Method start_method(const std::string& start) {
  if (start.empty()) {
    throw InputError("the option start is empty; name the placer to begin with, such as single");
  }
  std::optional<place::Method> method;
  try {
    method = place::parse_method(start);
  } catch (const InputError& error) {
    throw InputError(
        fmt::format("the option start names the placer to begin with, but {}", error.what()));
  }
  const bool learned = method->placer->learned;
  if (!learned && method->input_files().empty()) return *method;
  throw InputError(
      fmt::format("the option start is {}, which {}; name a placer that does not, such as single",
                  quoted(start), learned ? "learns itself" : "begins with a policy"));
}

}  // namespace berth::learn
