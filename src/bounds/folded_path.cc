#include "bounds/folded_path.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace berth::bounds {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
// The work grows with the fourth power of the number of kinds.
constexpr std::size_t kMostKinds = 8;

struct Pair {
  std::size_t first, last;  // places on the path
};

// First and last op of each group on the path, then the most of these that are nested: the longest
// falling subsequence of `last` by rising `first`.
std::vector<Pair> nested_pairs(const Problem& problem, const std::vector<OpId>& path) {
  std::vector<std::size_t> last(problem.group_count(), 0);
  for (std::size_t i = 0; i < path.size(); ++i) last[problem.group(path[i]).index()] = i;
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < path.size(); ++i) {
    std::size_t& other = last[problem.group(path[i]).index()];
    if (other > i) pairs.push_back({i, other});
    other = 0;  // only the first of the group has a pair
  }
  // Patience sorting: O(n log n), where comparing all pairs would be quadratic in paths of
  // thousands of ops.
  std::vector<std::size_t> ends;  // by length: the pair that ends such a sequence, `last` greatest
  std::vector<std::size_t> before(pairs.size(), pairs.size());
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const auto at = std::partition_point(
        ends.begin(), ends.end(), [&](std::size_t end) { return pairs[end].last > pairs[p].last; });
    if (at != ends.begin()) before[p] = *(at - 1);
    if (at == ends.end()) {
      ends.push_back(p);
    } else {
      *at = p;
    }
  }
  std::vector<Pair> nested;
  for (std::size_t p = ends.empty() ? pairs.size() : ends.back(); p < pairs.size(); p = before[p]) {
    nested.push_back(pairs[p]);
  }
  std::reverse(nested.begin(), nested.end());
  return nested;
}

class FoldedPath {
 public:
  FoldedPath(const PathTable& table, const std::vector<OpId>& path)
      : table_(table), path_(path), kinds_(table.kinds().size()) {
    for (std::size_t i = 0; i < path.size(); ++i) {
      add_costs(path[i]);
      if (i + 1 < path.size()) add_edge(path[i], path[i + 1]);
    }
  }

  double seconds(const PathTails& tails, const std::vector<Pair>& pairs) const {
    std::vector<double> inner(kinds_), outer(kinds_);
    // From the innermost pair outwards: F(p) needs F(p + 1) only, so two rows suffice.
    for (std::size_t p = pairs.size(); p-- > 0;) {
      const Pair pair = pairs[p];
      for (std::size_t k = 0; k < kinds_; ++k) {
        const Ends here{k, k, false};
        double least = kNever;
        if (p + 1 == pairs.size()) {
          least = way(pair.first, pair.last, here);
        } else {
          const Pair next = pairs[p + 1];
          least = way(pair.first, next.first, here) + inner[k] + way(next.last, pair.last, here);
          for (std::size_t other = 0; other < kinds_; ++other) {
            // Another device of the same kind, if there is one. The recurrence has to tell it from
            // the device itself, since only there the transfer is saved on both ways.
            if (other == k && table_.kinds().counts[k] == 1) continue;
            least = std::min(least, way(pair.first, next.first, {k, other, true}) + inner[other] +
                                        way(next.last, pair.last, {other, k, true}));
          }
        }
        outer[k] = cost(pair.first, k) + least + cost(pair.last, k);
      }
      std::swap(inner, outer);
    }
    const OpId first = path_[pairs.front().first];
    double least = kNever;
    for (std::size_t k = 0; k < kinds_; ++k) {
      if (inner[k] == kNever) continue;
      // The start in the table knows of what goes before the op; it must not count twice.
      const double counted = cost(pairs.front().first, k) - own_cost(first, k);
      const double start = std::max(0.0, table_.start(first, k) - counted);
      least = std::min(least, start + inner[k] + tails.tail(path_[pairs.front().last], k));
    }
    return least == kNever ? 0 : least;
  }

 private:
  // Where a way begins and ends.
  struct Ends {
    std::size_t from_kind, to_kind;
    bool apart;  // on two devices
  };

  double own_cost(OpId op, std::size_t kind) const {
    return table_.possible(table_.problem().group(op), kind) ? table_.cost(op, kind) : kNever;
  }
  // With what becomes ready together with the op and goes first.
  double cost(std::size_t place, std::size_t kind) const { return costs_[place * kinds_ + kind]; }

  void add_costs(OpId op) {
    for (std::size_t k = 0; k < kinds_; ++k) {
      double seconds = own_cost(op, k);
      if (table_.one_slot(k)) {
        for (const OpId companion : table_.queues().companions(op)) {
          if (table_.queues().goes_first(companion, op)) seconds += table_.cost(companion, k);
        }
      }
      costs_.push_back(seconds);
    }
  }

  void add_edge(OpId from, OpId to) {
    const Problem& problem = table_.problem();
    const Graph& graph = problem.graph();
    std::int64_t bytes = -1;
    for (const TensorId tensor : graph.inputs(to)) {
      // Of several tensors the largest: the op waits for all of them, and the time of a route grows
      // with the bytes.
      if (graph.producer(tensor) == from) bytes = std::max(bytes, graph.bytes(tensor));
    }
    const bool together = problem.group(from) == problem.group(to);
    for (std::size_t k = 0; k < kinds_; ++k) {
      double wait = 0;
      if (table_.one_slot(k)) {
        for (const OpId companion : table_.queues().companions(from)) {
          if (table_.queues().goes_between(from, companion, to)) wait += table_.cost(companion, k);
        }
      }
      waits_.push_back(wait);
    }
    const std::size_t base = crossings_.size();
    crossings_.resize(base + kinds_ * kinds_, together || bytes >= 0 ? kNever : 0.0);
    if (together || bytes < 0) return;
    for (std::size_t k = 0; k < kinds_; ++k) {
      for (const Arc& arc : table_.routed().arrivals.row(k)) {
        double& seconds = crossings_[base + arc.from_kind * kinds_ + k];
        seconds = std::min(seconds, arc.arrival_seconds(0, bytes));
      }
    }
  }

  // States of an op on a way: on the device where it begins (0), on that where it ends (1; not used
  // where both are one), or on yet another device of kind state - 2.
  std::size_t kind_of(std::size_t state, Ends ends) const {
    return state == 0 ? ends.from_kind : state == 1 ? ends.to_kind : state - 2;
  }
  bool exists(std::size_t state, Ends ends) const {
    if (state == 0) return true;
    if (state == 1) return ends.apart;
    const std::size_t kind = state - 2;
    const std::size_t taken =
        (kind == ends.from_kind ? 1u : 0u) + (ends.apart && kind == ends.to_kind ? 1u : 0u);
    return table_.kinds().counts[kind] > taken;
  }
  double edge_seconds(std::size_t place, std::size_t from, std::size_t to, Ends ends) const {
    const std::size_t from_kind = kind_of(from, ends);
    const double crossing = crossings_[(place * kinds_ + from_kind) * kinds_ + kind_of(to, ends)];
    if (from != to) return crossing;
    const double wait = waits_[place * kinds_ + from_kind];
    // States from 2 on name a kind, not one device: both ops may share a device of it or be on two.
    return from < 2 ? wait : std::min(wait, crossing);
  }

  // From the end of one op of the path to the start of a later one.
  double way(std::size_t from, std::size_t to, Ends ends) const {
    const std::size_t states = kinds_ + 2;
    std::vector<double> now(states, kNever), next(states);
    now[0] = 0;
    for (std::size_t place = from; place < to; ++place) {
      for (std::size_t b = 0; b < states; ++b) {
        next[b] = kNever;
        if (!exists(b, ends)) continue;
        for (std::size_t a = 0; a < states; ++a) {
          if (now[a] == kNever) continue;
          next[b] = std::min(next[b], now[a] + edge_seconds(place, a, b, ends));
        }
        if (place + 1 < to) next[b] += cost(place + 1, kind_of(b, ends));
      }
      std::swap(now, next);
    }
    return now[ends.apart ? 1 : 0];
  }

  const PathTable& table_;
  const std::vector<OpId>& path_;
  std::size_t kinds_;
  std::vector<double> costs_;      // place x kind
  std::vector<double> waits_;      // edge x kind: on one device
  std::vector<double> crossings_;  // edge x kind x kind: between devices
};

}  // namespace

double folded_seconds(const PathTable& table, const PathTails& tails,
                      const std::vector<OpId>& path) {
  if (table.kinds().size() > kMostKinds) return 0;
  const std::vector<Pair> pairs = nested_pairs(table.problem(), path);
  if (pairs.empty()) return 0;
  return FoldedPath(table, path).seconds(tails, pairs);
}

}  // namespace berth::bounds
