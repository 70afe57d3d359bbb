// Compares a run of `berth bench search` with an earlier one: every figure as new over old, so that
// the effect of a change of the search is visible per pair and in the geometric mean.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json_writer.h"
#include "experiments/search_results.h"

namespace berth::experiments {

// One figure, new over old. Worse means a step longer or a lower bound smaller by more than 1%; for
// evaluations per second, which also depend on the load of the machine, by more than 10%.
struct SearchChange {
  enum class Kind { level, better, worse, absent };
  Kind kind = Kind::absent;
  std::optional<double> ratio = {};
  std::string words = {};  // where there is no ratio: "new", "fits now", "fits no more", "-"
};

struct SearchAgainst {
  struct Pair {
    std::string name;
    bool is_new = false;
    std::vector<SearchChange> changes = {};  // one per column
  };
  std::vector<std::string> columns;  // auto by budget, the best placer, bound, evaluations/s
  std::vector<Pair> pairs;           // those of the new run
  std::vector<std::optional<double>> means;  // geometric, one per column; empty without ratios
  std::vector<std::string> placers;          // sentences on placers that moved by more than 1%
  std::size_t worse = 0;                     // figures that are
  std::size_t not_run = 0;                   // pairs of the old run that are not in the new one
};

// Throws InputError when the two have no budget in common; `source` names the old one. Can be
// called with an empty new run, to find this out before an hour has passed.
void require_comparable(const SearchRun& now, const SearchRun& old, const std::string& source);

SearchAgainst compare_runs(const SearchRun& now, const SearchRun& old);

std::string against_text(const SearchAgainst& against, const std::string& source, report::Ink ink);
// As the object "against".
void write_against(JsonWriter& json, const SearchAgainst& against, const std::string& source);

}  // namespace berth::experiments
