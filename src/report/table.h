// Text tables with aligned columns: two spaces between columns, a header, no frames. Widths are
// those of a terminal (text.h), so names in any script line up, and cells may carry colour codes.
//
// A line takes at most the width of a page. Where the cells need more, optional columns are left
// out, sentences go on in the next line, and the longest names are shortened; numbers never are.
//
//   Table table({{"device"}, {"peak", Table::Align::right}});
//   table.add_row({"gpu:0", "4.70 GiB"});
//   table.to_text(2);
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/text.h"

namespace berth::report {

class Table {
 public:
  enum class Align { left, right, sentence };
  enum class Room { always, optional };
  struct Column {
    std::string header;
    Align align = Align::left;
    Room room = Room::always;
  };

  explicit Table(std::vector<Column> columns, Ink ink = Ink())
      : columns_(std::move(columns)), ink_(ink) {}

  // Missing cells at the end are empty; a row may not have more cells than there are columns.
  void add_row(std::vector<std::string> cells);
  std::size_t row_count() const { return rows_.size(); }

  // Columns whose header and cells are all empty are left out; lines have no trailing spaces.
  std::string to_text(std::size_t indent = 0) const;

 private:
  std::vector<std::size_t> widths() const;
  void fit(std::vector<std::size_t>& widths, std::size_t room) const;
  std::string row_text(const std::vector<std::string>& cells,
                       const std::vector<std::size_t>& widths, std::size_t indent) const;
  std::string line(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths,
                   std::size_t indent) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
  Ink ink_;
};

}  // namespace berth::report
