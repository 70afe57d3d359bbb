#include "report/table.h"

#include <algorithm>
#include <cassert>

namespace berth::report {
namespace {

constexpr std::size_t kGap = 2;        // between columns
constexpr std::size_t kLeastName = 8;  // what is left of a name still tells something
constexpr std::size_t kLeastSentence = 24;

// The name in a cell, shortened; colours are around it.
std::string shortened(const std::string& cell, std::size_t width) {
  if (visible_width(cell) <= width) return cell;
  if (cell.front() != '\x1b') return plain_name(cell, width);
  const std::size_t begin = cell.find('m') + 1;
  const std::size_t end = cell.rfind('\x1b');
  return cell.substr(0, begin) + plain_name(cell.substr(begin, end - begin), width) +
         cell.substr(end);
}

std::vector<std::string> lines_of(const std::string& sentence, std::size_t width) {
  std::vector<std::string> lines;
  const std::string text = wrap_text(sentence, width, 0);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

// Without empty columns and the gaps next to them.
std::size_t total(const std::vector<std::size_t>& widths) {
  std::size_t sum = 0;
  for (const std::size_t width : widths) {
    if (width > 0) sum += width + (sum > 0 ? kGap : 0);
  }
  return sum;
}

}  // namespace

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

void Table::fit(std::vector<std::size_t>& widths, std::size_t room) const {
  for (std::size_t c = columns_.size(); c-- > 0 && total(widths) > room;) {
    if (columns_[c].room == Room::optional) widths[c] = 0;
  }
  const auto narrow = [&](Align align, std::size_t least) {
    while (total(widths) > room) {
      std::size_t* widest = nullptr;
      for (std::size_t c = 0; c < columns_.size(); ++c) {
        const std::size_t floor = std::max(least, visible_width(columns_[c].header));
        if (columns_[c].align != align || widths[c] <= floor) continue;
        if (!widest || widths[c] > *widest) widest = &widths[c];
      }
      if (!widest) return;
      *widest -= 1;
    }
  };
  narrow(Align::sentence, kLeastSentence);
  narrow(Align::left, kLeastName);
}

std::string Table::line(const std::vector<std::string>& cells,
                        const std::vector<std::size_t>& widths, std::size_t indent) const {
  std::string out(indent, ' ');
  bool first = true;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    if (widths[c] == 0) continue;
    if (!first) out.append(kGap, ' ');
    first = false;
    const std::size_t width = visible_width(cells[c]);
    const std::size_t padding = widths[c] > width ? widths[c] - width : 0;
    if (columns_[c].align == Align::right) out.append(padding, ' ');
    out += cells[c];
    if (columns_[c].align != Align::right) out.append(padding, ' ');
  }
  out.erase(out.find_last_not_of(' ') + 1);
  return out + "\n";
}

std::string Table::row_text(const std::vector<std::string>& cells,
                            const std::vector<std::size_t>& widths, std::size_t indent) const {
  // Sentences may go on below; all other cells stand in the first line.
  std::vector<std::vector<std::string>> lines(1, std::vector<std::string>(cells.size()));
  for (std::size_t c = 0; c < cells.size(); ++c) {
    if (columns_[c].align != Align::sentence) {
      const bool name = columns_[c].align == Align::left;
      lines[0][c] = name && widths[c] > 0 ? shortened(cells[c], widths[c]) : cells[c];
      continue;
    }
    const std::vector<std::string> parts = lines_of(cells[c], widths[c]);
    lines.resize(std::max(lines.size(), parts.size()), std::vector<std::string>(cells.size()));
    for (std::size_t i = 0; i < parts.size(); ++i) lines[i][c] = parts[i];
  }
  std::string out;
  for (const std::vector<std::string>& each : lines) out += line(each, widths, indent);
  return out;
}

std::string Table::to_text(std::size_t indent) const {
  std::vector<std::size_t> widths = this->widths();
  fit(widths, kPageColumns - std::min(indent, kPageColumns));
  std::vector<std::string> headers;
  bool has_headers = false;
  for (const Column& column : columns_) {
    headers.push_back(ink_.dim(column.header));
    has_headers = has_headers || !column.header.empty();
  }
  std::string out;
  if (has_headers) out += line(headers, widths, indent);
  for (const auto& row : rows_) out += row_text(row, widths, indent);
  return out;
}

}  // namespace berth::report
