#include "frontends/onnx/external_data.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <charconv>

#include "base/error.h"

namespace berth::onnx {
namespace {

// Both kinds of slash on all systems: the model may have been written on another one.
bool leads_out(std::string_view location) {
  if (location.empty() || location.front() == '/' || location.front() == '\\') return true;
  if (location.size() > 1 && location[1] == ':') return true;  // a drive
  if (location.find('\0') != std::string_view::npos) return true;
  for (std::size_t begin = 0; begin <= location.size();) {
    const std::size_t end = std::min(location.find_first_of("/\\", begin), location.size());
    if (location.substr(begin, end - begin) == "..") return true;
    begin = end + 1;
  }
  return false;
}

}  // namespace

std::optional<std::int64_t> external_number(const Tensor& tensor, std::string_view key) {
  const auto found = tensor.external_data.find(key);
  if (found == tensor.external_data.end()) return std::nullopt;
  const std::string_view text = found->second;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0) return std::nullopt;
  return number;
}

void ExternalData::check(const Tensor& tensor) {
  const auto found = tensor.external_data.find("location");
  const std::string_view location =
      found == tensor.external_data.end() ? std::string_view() : found->second;
  if (leads_out(location)) {
    throw InputError(
        fmt::format("{}: the data of {} is at {}; it must be in a file in the folder of the model, "
                    "given by a relative path without \"..\"",
                    quoted(source_), quoted(tensor.name), quoted(location)));
  }
  if (directory_.empty() || !seen_.emplace(location).second) return;
  struct stat status {};
  const std::string path = fmt::format("{}/{}", directory_, location);
  if (::stat(path.c_str(), &status) != 0) missing_.emplace_back(location);
}

std::optional<std::string> ExternalData::warning() const {
  if (missing_.empty()) return std::nullopt;
  std::vector<std::string> names;
  for (const std::string& name : missing_) names.push_back(quoted(name));
  return fmt::format("{}: {} with weights {} missing ({}); their sizes are taken from their shapes",
                     quoted(source_),
                     missing_.size() == 1 ? "the file" : fmt::format("{} files", missing_.size()),
                     missing_.size() == 1 ? "is" : "are", join_names(names, 4));
}

}  // namespace berth::onnx
