#include "report/table.h"

#include <algorithm>
#include <cassert>

namespace berth {

void Table::add_row(std::vector<std::string> cells) {
  assert(cells.size() <= columns_.size());
  cells.resize(columns_.size());
  rows_.push_back(std::move(cells));
}

std::vector<std::size_t> Table::widths() const {
  std::vector<std::size_t> widths(columns_.size());
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    widths[c] = visible_width(columns_[c].header);
    for (const auto& row : rows_) widths[c] = std::max(widths[c], visible_width(row[c]));
  }
  return widths;
}

std::string Table::line(const std::vector<std::string>& cells,
                        const std::vector<std::size_t>& widths, std::size_t indent) const {
  std::string out(indent, ' ');
  bool first = true;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    if (widths[c] == 0) continue;
    if (!first) out += "  ";
    first = false;
    const std::size_t padding = widths[c] - visible_width(cells[c]);
    if (columns_[c].align == Align::right) out.append(padding, ' ');
    out += cells[c];
    if (columns_[c].align == Align::left) out.append(padding, ' ');
  }
  out.erase(out.find_last_not_of(' ') + 1);
  return out + "\n";
}

std::string Table::to_text(std::size_t indent) const {
  const std::vector<std::size_t> widths = this->widths();
  std::vector<std::string> headers;
  bool has_headers = false;
  for (const Column& column : columns_) {
    headers.push_back(ink_.dim(column.header));
    has_headers = has_headers || !column.header.empty();
  }
  std::string out;
  if (has_headers) out += line(headers, widths, indent);
  for (const auto& row : rows_) out += line(row, widths, indent);
  return out;
}

}  // namespace berth
