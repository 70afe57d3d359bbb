// Lays out text for a terminal of 80 columns: tables with aligned columns and wrapped lists. Widths
// are counted in code points, which is right except for wide East Asian characters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace berth::report {

inline constexpr std::size_t kTerminalColumns = 80;

std::size_t text_width(std::string_view text);

// Text of a file made safe for the terminal: as `quoted`, without the quotes.
std::string plain_text(std::string_view text);

// "1 device", "12,345 devices".
std::string counted(std::size_t count, std::string_view one, std::string_view many);

// The heading followed by the items, separated by commas, wrapped within the columns and indented
// below the first, up to this many lines; the rest is counted.
std::string wrapped_list(std::string_view heading, const std::vector<std::string>& items,
                         std::size_t most_lines);

class TextTable {
 public:
  enum Side { left, right };
  explicit TextTable(std::vector<Side> columns) : columns_(std::move(columns)) {}

  // One cell per column.
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  // Columns are two blanks apart and empty ones are left out; no line ends in blanks.
  std::string text() const;

 private:
  std::vector<Side> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace berth::report
