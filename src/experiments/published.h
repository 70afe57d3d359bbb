// Tables of the literature for comparison: step times in seconds as printed there, with the closest
// workload and cluster here. Marked are figures that could not be read in their source, and figures
// that the efficiencies of the cost model were fitted to.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bounds/bounds.h"

namespace berth::experiments {

struct PublishedCell {
  enum class Kind { absent, seconds, out_of_memory };
  enum class Use { other, fitted, checked };  // by the cost model's efficiencies
  Kind kind = Kind::absent;
  double seconds = 0;
  Use use = Use::other;
  bool verified = true;
};

struct PublishedColumn {
  std::string header;
  std::string method;  // ours that stands beside it; empty: none yet
  Tasks tasks = {};    // the papers decide placement alone
};

struct PublishedRow {
  std::string task;
  std::string workload;
  std::string cluster;
  std::vector<PublishedCell> cells;  // one per column, at most
  // Of the learned method over the human expert as printed, where it is: 0.606.
  std::optional<double> printed_reduction = {};
};

struct PublishedTable {
  std::string name;
  std::string title;
  std::string source;
  std::string learned;  // header of the column of the paper's own method
  std::vector<PublishedColumn> columns;
  std::vector<PublishedRow> rows;
  std::vector<std::string> notes;
};

inline constexpr const char* kHumanColumn = "human";

// Absent beyond the cells a row has.
const PublishedCell& published_cell(const PublishedRow& row, std::size_t column);

const std::vector<PublishedTable>& published_tables();
// Throws InputError that lists the tables, and with them the other benchmarks there are.
const PublishedTable& find_published_table(std::string_view name,
                                           const std::vector<std::string>& others = {});

}  // namespace berth::experiments
