#include "report/text_layout.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/quantity.h"

namespace berth::report {

std::size_t text_width(std::string_view text) {
  // Bytes that do not continue a code point.
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

std::string plain_text(std::string_view text) {
  const std::string safe = quoted(text);
  return safe.substr(1, safe.size() - 2);
}

std::string counted(std::size_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", format_count(count), count == 1 ? one : many);
}

std::string wrapped_list(std::string_view heading, const std::vector<std::string>& items,
                         std::size_t most_lines) {
  const std::string indent(text_width(heading), ' ');
  std::string out(heading);
  std::size_t column = indent.size();
  std::size_t lines = 1;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::size_t width = text_width(items[i]) + 1;  // with the comma
    if (i > 0 && column + 1 + width > kTerminalColumns) {
      out += '\n';
      out += indent;
      column = indent.size();
      if (lines++ == most_lines)
        return out + fmt::format("and {} more\n", format_count(items.size() - i));
    } else if (i > 0) {
      out += ' ';
      ++column;
    }
    out += items[i];
    if (i + 1 < items.size()) out += ',';
    column += width;
  }
  return out + '\n';
}

std::string TextTable::text() const {
  std::vector<std::size_t> widths(columns_.size(), 0);
  for (const auto& row : rows_)
    for (std::size_t i = 0; i < columns_.size(); ++i)
      widths[i] = std::max(widths[i], text_width(row[i]));
  std::string out;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (widths[i] == 0) continue;
      if (i > 0) line += "  ";
      const std::string blanks(widths[i] - text_width(row[i]), ' ');
      line += columns_[i] == left ? row[i] + blanks : blanks + row[i];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

}  // namespace berth::report
