#include "bounds/interval_bound.h"

#include <algorithm>
#include <limits>

namespace berth::bounds {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr std::size_t kGrid = 64;  // heads and tails
constexpr int kMostRounds = 6;

// The head, the tail and the costs of an op wherever it is.
class Windows {
 public:
  Windows(const PathTable& heads, const PathTails& tails) : table_(heads), tails_(tails) {
    const Problem& problem = heads.problem();
    heads_.assign(problem.op_count(), kNever);
    least_tails_.assign(problem.op_count(), kNever);
    for (std::size_t i = 0; i < problem.op_count(); ++i) {
      for (std::size_t k = 0; k < heads.kinds().size(); ++k) {
        if (!heads.possible(problem.group(OpId(i)), k)) continue;
        // The kinds of the least head and the least tail may differ. That may make the choice of a
        // window worse, never wrong: what counts in it is decided kind by kind (counts()).
        heads_[i] = std::min(heads_[i], heads.start(OpId(i), k));
        least_tails_[i] = std::min(least_tails_[i], tails.tail(OpId(i), k));
      }
      longest_head_ = std::max(longest_head_, heads_[i]);
      longest_tail_ = std::max(longest_tail_, least_tails_[i]);
    }
  }

  struct Window {
    double head = 0;
    double tail = 0;
    double value = 0;
  };

  // The window of the grid with the largest value at these prices per second and kind.
  Window best_at(const std::vector<double>& prices) const {
    const double head_step = longest_head_ / static_cast<double>(kGrid);
    const double tail_step = longest_tail_ / static_cast<double>(kGrid);
    const auto cell = [](double seconds, double step) {
      return step > 0 ? std::min(kGrid, static_cast<std::size_t>(seconds / step)) : 0;
    };
    // Priced work by cell, then summed over all cells with heads and tails no less.
    std::vector<double> sums((kGrid + 2) * (kGrid + 2), 0);
    const auto at = [](std::size_t head, std::size_t tail) { return head * (kGrid + 2) + tail; };
    for (std::size_t i = 0; i < heads_.size(); ++i) {
      if (heads_[i] == kNever || least_tails_[i] == kNever) continue;
      sums[at(cell(heads_[i], head_step), cell(least_tails_[i], tail_step))] +=
          least_price(OpId(i), prices);
    }
    Window best;
    for (std::size_t head = kGrid + 1; head-- > 0;) {
      for (std::size_t tail = kGrid + 1; tail-- > 0;) {
        double& sum = sums[at(head, tail)];
        // Inclusion and exclusion, from the largest cells down: every window of the grid in one
        // addition.
        sum += sums[at(head + 1, tail)] + sums[at(head, tail + 1)] - sums[at(head + 1, tail + 1)];
        const double head_seconds = static_cast<double>(head) * head_step;
        const double tail_seconds = static_cast<double>(tail) * tail_step;
        if (sum <= 0 || head_seconds + tail_seconds + sum <= best.value) continue;
        best = {head_seconds, tail_seconds, head_seconds + tail_seconds + sum};
      }
    }
    return best;
  }

  // As narrow as the ops in it allow.
  Window narrowed(const Window& window) const {
    Window narrow{kNever, kNever, window.value};
    for (std::size_t i = 0; i < heads_.size(); ++i) {
      if (heads_[i] < window.head || least_tails_[i] < window.tail) continue;
      narrow.head = std::min(narrow.head, heads_[i]);
      narrow.tail = std::min(narrow.tail, least_tails_[i]);
    }
    return narrow.head == kNever || narrow.tail == kNever ? window : narrow;
  }

  bool counts(OpId op, std::size_t kind, const Window& window) const {
    return table_.start(op, kind) >= window.head && tails_.tail(op, kind) >= window.tail;
  }
  std::size_t count_ops(const Window& window) const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < heads_.size(); ++i) {
      count += heads_[i] >= window.head && least_tails_[i] >= window.tail;
    }
    return count;
  }

 private:
  double least_price(OpId op, const std::vector<double>& prices) const {
    double least = kNever;
    for (std::size_t k = 0; k < prices.size(); ++k) {
      if (!table_.possible(table_.problem().group(op), k)) continue;
      least = std::min(least, prices[k] * table_.cost(op, k));
    }
    return least;
  }

  const PathTable& table_;
  const PathTails& tails_;
  std::vector<double> heads_, least_tails_;  // by op: least over kinds
  double longest_head_ = 0, longest_tail_ = 0;
};

}  // namespace

IntervalBound bound_interval(const CostFloors& floors, const Footprints& footprints,
                             const PathTable& heads, const PathTails& tails) {
  const Windows windows(heads, tails);
  std::vector<double> prices = bound_work(floors, footprints, heads.kinds()).slot_prices;
  IntervalBound best;
  for (int round = 0; round < kMostRounds; ++round) {
    // The grid rounds heads and tails down. The narrowed window holds the same ops and leaves them
    // less time.
    const Windows::Window window = windows.narrowed(windows.best_at(prices));
    if (window.value <= best.seconds) break;
    const WorkBound work =
        bound_work(floors, footprints, heads.kinds(),
                   [&](OpId op, std::size_t kind) { return windows.counts(op, kind, window); });
    const double seconds = window.head + window.tail + work.seconds;
    if (work.seconds <= 0 || seconds <= best.seconds) break;
    best = {seconds, window.head, window.tail, windows.count_ops(window)};
    // The prices of the whole step value work by where all ops compete. Those of the window value
    // it by where its own ops do, and may prefer another window.
    prices = work.slot_prices;
  }
  best.seconds = shrink_for_rounding(best.seconds, 256 * floors.problem().op_count());
  return best;
}

}  // namespace berth::bounds
