#include <algorithm>
#include <map>

#include "learn/features.h"

namespace berth::learn {
namespace {

constexpr std::size_t kMostTypes = 200;

}  // namespace

Vocabulary::Vocabulary(std::span<const Problem* const> problems) {
  std::map<std::string_view, std::size_t> counts;
  for (const Problem* problem : problems) {
    const Graph& graph = problem->graph();
    for (std::size_t op = 0; op < graph.op_count(); ++op) ++counts[graph.op_type(OpId(op))];
  }
  std::vector<std::pair<std::string_view, std::size_t>> ranked(counts.begin(), counts.end());
  // The map has sorted them by name.
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& left, const auto& right) { return left.second > right.second; });
  for (std::size_t i = 0; i < std::min(kMostTypes, ranked.size()); ++i) {
    types_.emplace_back(ranked[i].first);
  }
}

std::size_t Vocabulary::number(std::string_view type) const {
  const auto found = std::find(types_.begin(), types_.end(), type);
  return found == types_.end() ? 0 : static_cast<std::size_t>(found - types_.begin()) + 1;
}

}  // namespace berth::learn
