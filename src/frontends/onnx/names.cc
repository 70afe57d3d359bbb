#include "frontends/onnx/names.h"

#include <fmt/format.h>

#include "base/utf8.h"

namespace berth::onnx {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// "0", "layer.0", "layer_0": a number alone or behind a separator.
bool is_numbered(std::string_view component) {
  std::size_t digits = 0;
  while (digits < component.size() && is_digit(component[component.size() - 1 - digits])) ++digits;
  if (digits == 0) return false;
  if (digits == component.size()) return true;
  const char before = component[component.size() - 1 - digits];
  return before == '.' || before == '_';
}

}  // namespace

std::string printable(std::string_view text) {
  if (find_invalid_utf8(text) == std::string_view::npos) return std::string(text);
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = decode_utf8(text, at).length;
    out += length == 0 ? std::string_view("?") : text.substr(at, length);
    at += length == 0 ? 1 : length;
  }
  return out;
}

std::string UniqueNames::claim(std::string_view wanted, std::string_view hint) {
  std::string name = printable(wanted);
  if (taken_.insert(name).second) return name;
  if (!hint.empty()) {
    std::string longer = fmt::format("{}/{}", name, printable(hint));
    if (taken_.insert(longer).second) return longer;
  }
  // Counted per name, so that many equal names do not try all numbers from 2 on again.
  int& count = counts_.try_emplace(name, 1).first->second;
  for (;;) {
    std::string numbered = fmt::format("{}#{}", name, ++count);
    if (taken_.insert(numbered).second) return numbered;
  }
}

std::string layer_of(std::string_view op_name) {
  std::string label;
  std::string_view previous;
  // The last component is the op itself, whose number counts ops and not layers.
  for (std::size_t begin = 0;;) {
    const std::size_t slash = op_name.find('/', begin);
    if (slash == std::string_view::npos) return "";
    const std::string_view component = op_name.substr(begin, slash - begin);
    begin = slash + 1;
    if (component.empty()) continue;
    // `layer1/layer1.0` says the same thing twice.
    const bool repeats = !previous.empty() && component.size() > previous.size() &&
                         component.starts_with(previous) && component[previous.size()] == '.';
    if (repeats) label.resize(label.size() - previous.size());
    if (!label.empty() && label.back() != '.') label += '.';
    label += printable(component);
    if (is_numbered(component)) return label;
    previous = component;
  }
}

}  // namespace berth::onnx
