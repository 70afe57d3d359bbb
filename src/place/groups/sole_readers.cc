#include "place/groups/sole_readers.h"

#include <algorithm>
#include <numeric>

namespace berth::place {
namespace {

constexpr std::uint32_t kNone = 0xffffffffu;

class SoleReaders {
 public:
  explicit SoleReaders(const Problem& problem)
      : problem_(problem), parents_(problem.group_count()), next_(problem.group_count(), kNone) {
    std::iota(parents_.begin(), parents_.end(), 0u);
  }

  std::vector<std::uint32_t> run() {
    const std::vector<std::uint32_t> order = last_first();
    while (join_round(order)) list_members();
    for (std::uint32_t& part : parents_) part = find(part);
    return std::move(parents_);
  }

 private:
  // Groups by their last op in the topological order, the latest first.
  std::vector<std::uint32_t> last_first() const {
    std::vector<std::uint32_t> order;
    std::vector<std::uint8_t> seen(parents_.size(), 0);
    const std::span<const OpId> ops = problem_.graph().topological_order();
    for (auto op = ops.rbegin(); op != ops.rend(); ++op) {
      const std::size_t group = problem_.group(*op).index();
      if (seen[group] != 0) continue;
      seen[group] = 1;
      order.push_back(static_cast<std::uint32_t>(group));
    }
    return order;
  }

  bool join_round(const std::vector<std::uint32_t>& order) {
    bool joined = false;
    for (const std::uint32_t group : order) {
      // Members are visited through the group that leads their part.
      if (!leads_[group]) continue;
      const std::uint32_t reader = sole_reader(group);
      if (reader == kNone || device_set(reader) != device_set(group)) continue;
      parents_[find(group)] = reader;
      joined = true;
    }
    return joined;
  }

  // The only part that reads from the part which `group` led when the round began, or kNone. Groups
  // that have joined this part since feed nothing outside of it, so they are not looked at.
  std::uint32_t sole_reader(std::uint32_t group) {
    const Graph& graph = problem_.graph();
    const std::uint32_t own = find(group);
    std::uint32_t sole = kNone;
    for (std::uint32_t member = group; member != kNone; member = next_[member]) {
      for (const OpId op : problem_.members(GroupId(member))) {
        for (std::size_t k = 0; k < graph.output_count(op); ++k) {
          for (const OpId consumer : graph.consumers(graph.output(op, k))) {
            const std::uint32_t reader =
                find(static_cast<std::uint32_t>(problem_.group(consumer).index()));
            if (reader == own || reader == sole) continue;
            if (sole != kNone) return kNone;
            sole = reader;
          }
        }
      }
    }
    return sole;
  }

  // Links the groups of every part to the one that leads it.
  void list_members() {
    std::fill(next_.begin(), next_.end(), kNone);
    std::fill(leads_.begin(), leads_.end(), std::uint8_t{0});
    for (std::uint32_t group = 0; group < parents_.size(); ++group) {
      const std::uint32_t lead = find(group);
      leads_[lead] = 1;
      if (group == lead) continue;
      next_[group] = next_[lead];
      next_[lead] = group;
    }
  }

  std::uint32_t find(std::uint32_t group) {
    // Union-find with path halving.
    while (parents_[group] != group) group = parents_[group] = parents_[parents_[group]];
    return group;
  }
  std::size_t device_set(std::uint32_t group) const { return problem_.device_set(GroupId(group)); }

  const Problem& problem_;
  std::vector<std::uint32_t> parents_;  // towards the group that leads the part
  std::vector<std::uint32_t> next_;     // of the same part when the round began
  std::vector<std::uint8_t> leads_ = std::vector<std::uint8_t>(parents_.size(), 1);
};

}  // namespace

std::vector<std::uint32_t> join_sole_readers(const Problem& problem) {
  return SoleReaders(problem).run();
}

}  // namespace berth::place
