#include "bounds/fork_join.h"

#include <algorithm>
#include <queue>
#include <utility>

namespace berth::bounds {
namespace {

// The work grows with the fourth power of the number of kinds.
constexpr std::size_t kMostKinds = 6;
constexpr std::size_t kLeastMembers = 8;

class Joiner {
 public:
  Joiner(const PathTable& table, std::size_t most_members, std::size_t most_forks)
      : table_(table),
        region_(table),
        most_members_(most_members),
        most_forks_(most_forks),
        position_(table.problem().op_count()),
        queued_by_(table.problem().op_count()) {
    const auto order = table.problem().graph().topological_order();
    for (std::size_t i = 0; i < order.size(); ++i) position_[order[i].index()] = i;
  }

  // Raises what is known of the join's start, by kind. Says whether anything was.
  bool raise(const PathTable& known, OpId join, std::span<double> starts) {
    region_.start(join);
    queue_ = {};
    queue_before(join, join);
    bool raised = false;
    std::size_t forks = 0;
    while (!queue_.empty() && region_.size() < most_members_ && forks < most_forks_) {
      const OpId op = queue_.top().second;
      queue_.pop();
      const bool fork = region_.fan_out(op) > 1;
      region_.add(op);
      queue_before(op, join);
      // The region takes the op added last for the fork, so it is asked once per fork, as it grows.
      if (!fork || region_.size() < 3) continue;
      ++forks;
      for (std::size_t k = 0; k < starts.size(); ++k) {
        if (!table_.possible(table_.problem().group(join), k)) continue;
        const double seconds = region_.start_of_join(known, k, starts[k]);
        raised = raised || seconds > starts[k];
        starts[k] = std::max(starts[k], seconds);
      }
    }
    return raised;
  }

 private:
  // Ops leave the queue by falling end, and at equal ends by falling topological position. An op
  // never ends after its successors do, so no op leaves before its successors.
  void queue_before(OpId op, OpId join) {
    for (const OpId earlier : table_.problem().graph().predecessors(op)) {
      if (std::exchange(queued_by_[earlier.index()], join) == join) continue;
      queue_.push({{table_.earliest_ends()[earlier.index()], position_[earlier.index()]}, earlier});
    }
  }

  const PathTable& table_;
  ForkRegion region_;
  std::size_t most_members_;
  std::size_t most_forks_;
  std::vector<std::size_t> position_;  // in the topological order
  std::vector<OpId> queued_by_;        // the last join that queued the op
  std::priority_queue<std::pair<std::pair<double, std::size_t>, OpId>> queue_;
};

}  // namespace

std::optional<PathTable> raise_joins(const PathTable& table, const PathTails& tails,
                                     const ForkJoinOptions& options) {
  const Graph& graph = table.problem().graph();
  if (table.kinds().size() > kMostKinds || table.problem().device_count() == 1) return std::nullopt;
  double longest = 0;
  for (const double end : table.earliest_ends()) longest = std::max(longest, end);
  std::vector<std::uint8_t> chosen(graph.op_count(), 0);
  std::size_t joins = 0;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    chosen[i] = graph.predecessors(OpId(i)).size() > 1 &&
                // A join far from the critical path would have to rise by all of its slack before
                // the bound changes.
                tails.through(OpId(i)) >= options.critical_share * longest;
    joins += chosen[i];
  }
  if (joins == 0) return std::nullopt;
  // A graph with many joins gets small regions. Regions of a few ops say nothing that the table
  // does not know, and are not worth the time.
  const auto affordable =
      static_cast<std::size_t>(options.most_visits / static_cast<double>(joins));
  const std::size_t members = std::min(options.most_members, affordable);
  if (members < kLeastMembers) return std::nullopt;

  Joiner joiner(table, members, options.most_forks);
  bool any = false;
  PathTable raised = table.raised([&](const PathTable& known, OpId op, std::span<double> starts) {
    if (chosen[op.index()]) any = joiner.raise(known, op, starts) || any;
  });
  if (!any) return std::nullopt;
  return raised;
}

}  // namespace berth::bounds
