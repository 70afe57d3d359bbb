#include "cli/live_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/terminal.h"

namespace berth::cli {
namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// Lines of the terminal that one of the text takes when it is wider.
int height_of(std::string_view line) {
  const int width = std::max(1, terminal_width());
  return std::max(1, (static_cast<int>(report::visible_width(line)) + width - 1) / width);
}

}  // namespace

void LiveText::show(std::string_view text) {
  if (!console_.live()) return;
  clear();
  // One line for what is to come below, one for the cursor: what has scrolled away stays.
  const int most = terminal_height() - 2;
  const std::vector<std::string_view> lines = lines_of(text);
  std::size_t first = lines.size();
  while (first > 0 && lines_ + height_of(lines[first - 1]) <= most) {
    lines_ += height_of(lines[--first]);
  }
  std::string out;
  for (std::size_t i = first; i < lines.size(); ++i) out += fmt::format("{}\n", lines[i]);
  console_.answer(out);
  console_.flush();
}

void LiveText::clear() {
  if (lines_ == 0) return;
  console_.answer(fmt::format("\r\x1b[{}A\x1b[J", lines_));
  console_.flush();
  lines_ = 0;
}

}  // namespace berth::cli
