// Tables of the literature, to see ours beside: step times in seconds as printed there, with the
// workload and the cluster that come closest here. A figure that could not be read in its source is
// marked, and so is what the efficiencies of the cost model were fitted to.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace berth {

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
};

struct PublishedRow {
  std::string task;
  std::string workload;
  std::string cluster;
  std::vector<PublishedCell> cells;  // one a column, at most
};

struct PublishedTable {
  std::string name;
  std::string title;
  std::string source;
  std::vector<PublishedColumn> columns;
  std::vector<PublishedRow> rows;
  std::vector<std::string> notes;
};

const std::vector<PublishedTable>& published_tables();
const PublishedTable& find_published_table(std::string_view name);  // throws InputError

}  // namespace berth
