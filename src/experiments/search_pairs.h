// The problems on which the search is measured (`berth bench search`): a workload and a cluster
// each, and the reason for it. The list is in search_pairs.cc and nowhere else.
//
// Problems used for tuning are not reported on: docs/results/tuning-split.md defines the split;
// is_for_tuning() and the tests enforce it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace berth::experiments {

struct SearchPair {
  std::string workload;  // as on the command line, "zoo:nmt:layers=4"
  std::string cluster;
  std::string why;

  std::string name() const { return workload + " on " + cluster; }
  bool operator==(const SearchPair& other) const { return name() == other.name(); }
};

// Twelve, none of them for tuning.
const std::vector<SearchPair>& pinned_pairs();

// Those and the rest: every workload on the clusters of its papers, or of its users today.
const std::vector<SearchPair>& all_pairs();

// Problems on this cluster may be used for tuning, so what is measured there is no evidence.
bool is_for_tuning(std::string_view cluster);

}  // namespace berth::experiments
