#include "bounds/assignment_dual.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "bounds/small_simplex.h"

namespace berth::bounds {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kMostKinds = 64;
constexpr std::size_t kMostBuckets = 16;
constexpr std::size_t kMostRounds = 200;
constexpr double kMostVisits = 1e9;  // item x kind over all rounds: a few seconds
constexpr double kGap = 1e-10;       // relative
constexpr double kPriceCap = 1e4;    // of memory, in first values of T for the whole capacity
// In place of a price of 0, so that it times an infinite cost is infinite and not undefined.
constexpr double kLeastPrice = 1e-290;

struct Prices {
  std::vector<double> slot;  // y
  std::vector<double> byte;  // z
};

// What a bucket's items come to when each goes to its cheapest kind.
struct Choice {
  double value = 0;
  std::vector<double> seconds;  // by kind
  std::vector<double> bytes;    // by kind
};

class Maximiser {
 public:
  explicit Maximiser(const AssignmentProgram& program)
      : program_(program), kinds_(program.kinds()) {
    for (std::size_t k = 0; k < kinds_; ++k) {
      if (program.capacity[k] != kInfinity) memory_kinds_.push_back(k);
    }
    fill_buckets();
  }

  AssignmentDual run();

 private:
  std::size_t bucket_count() const { return bucket_ends_.size(); }
  void fill_buckets();
  std::vector<Choice> choose(const Prices& prices) const;
  double bound(const std::vector<Choice>& choices, const Prices& prices) const;
  Prices equal_prices() const;
  Prices master_prices(const SmallSimplex& master) const;
  Prices halfway(const Prices& left, const Prices& right) const;
  std::vector<double> column(const Choice& choice, std::size_t bucket) const;
  SmallSimplex first_master(const std::vector<Choice>& choices) const;
  bool add_improving(SmallSimplex& master, const std::vector<Choice>& choices) const;
  AssignmentDual result(const Prices& prices, int rounds) const;

  const AssignmentProgram& program_;
  std::size_t kinds_;
  std::vector<std::size_t> memory_kinds_;  // that have a row for memory
  std::vector<double> rows_;               // items by bucket: seconds by kind, then bytes
  std::vector<std::size_t> bucket_ends_;   // in items
  double scale_ = 1;                       // seconds that count as 1 in the master
};

// Items whose times compare alike between kinds share a bucket: then most of a bucket moves from
// kind to kind together, and few columns describe it.
void Maximiser::fill_buckets() {
  const std::size_t items = program_.items();
  std::vector<std::pair<double, std::size_t>> order(items);
  for (std::size_t i = 0; i < items; ++i) {
    const double* row = program_.seconds.data() + i * kinds_;
    double weighted = 0;
    double total = 0;
    for (std::size_t k = 0; k < kinds_; ++k) {
      // The mean kind, weighted by speed: a key that does not depend on the size of the item, only
      // on how its times compare between kinds.
      const double speed = 1 / std::max(row[k], 1e-290);
      weighted += speed * static_cast<double>(k);
      total += speed;
    }
    order[i] = {total > 0 ? weighted / total : 0.0, i};
  }
  std::sort(order.begin(), order.end());
  rows_.reserve(items * (kinds_ + 1));
  for (const auto& [key, item] : order) {
    const double* row = program_.seconds.data() + item * kinds_;
    rows_.insert(rows_.end(), row, row + kinds_);
    rows_.push_back(program_.bytes[item]);
  }
  const std::size_t buckets = std::min(items, kMostBuckets);
  for (std::size_t b = 1; b <= buckets; ++b) bucket_ends_.push_back(items * b / buckets);
}

std::vector<Choice> Maximiser::choose(const Prices& prices) const {
  std::vector<Choice> choices(bucket_count());
  const double* row = rows_.data();
  std::size_t position = 0;
  for (std::size_t b = 0; b < bucket_count(); ++b) {
    Choice& choice = choices[b];
    choice.seconds.assign(kinds_, 0);
    choice.bytes.assign(kinds_, 0);
    for (; position < bucket_ends_[b]; ++position, row += kinds_ + 1) {
      const double bytes = row[kinds_];
      std::size_t best = 0;
      double best_price = prices.slot[0] * row[0] + prices.byte[0] * bytes;
      for (std::size_t k = 1; k < kinds_; ++k) {
        const double price = prices.slot[k] * row[k] + prices.byte[k] * bytes;
        // Written to compile without branches: which kind wins changes from item to item, and a
        // wrong guess of the processor costs more than the comparison.
        best = price < best_price ? k : best;
        best_price = std::min(price, best_price);
      }
      choice.value += best_price;
      choice.seconds[best] += row[best];
      choice.bytes[best] += bytes;
    }
  }
  return choices;
}

double Maximiser::bound(const std::vector<Choice>& choices, const Prices& prices) const {
  double sum = 0;
  for (const Choice& choice : choices) sum += choice.value;
  for (const std::size_t k : memory_kinds_) sum -= prices.byte[k] * program_.capacity[k];
  return sum;
}

// Prices that are valid for any program: they add up to 1 over all slots, and leave memory out.
Prices Maximiser::equal_prices() const {
  const double slots = std::accumulate(program_.slots.begin(), program_.slots.end(), 0.0);
  return {std::vector<double>(kinds_, 1 / slots), std::vector<double>(kinds_, 0)};
}

// Rows of the master: kinds, then memory of the kinds that have a row, then buckets. Seconds are in
// units of scale_, bytes in capacities.
std::vector<double> Maximiser::column(const Choice& choice, std::size_t bucket) const {
  std::vector<double> entries(kinds_ + memory_kinds_.size() + bucket_count(), 0);
  for (std::size_t k = 0; k < kinds_; ++k) entries[k] = choice.seconds[k] / scale_;
  for (std::size_t m = 0; m < memory_kinds_.size(); ++m) {
    entries[kinds_ + m] = choice.bytes[memory_kinds_[m]] / program_.capacity[memory_kinds_[m]];
  }
  entries[kinds_ + memory_kinds_.size() + bucket] = 1;
  return entries;
}

// The master with one column per bucket: T as large as the busiest kind needs, and a costly way out
// where memory does not suffice.
SmallSimplex Maximiser::first_master(const std::vector<Choice>& choices) const {
  const std::size_t memory_rows = memory_kinds_.size();
  const std::size_t rows = kinds_ + memory_rows + bucket_count();
  std::vector<double> right_side(rows, 1);
  std::fill(right_side.begin(), right_side.begin() + static_cast<std::ptrdiff_t>(kinds_), 0.0);
  SmallSimplex master(std::move(right_side));

  std::vector<std::size_t> basis;
  // The basis is written down, not searched for: T in the row of the busiest kind, slack in the
  // other rows, and one column per bucket. Up to the order of rows it is triangular, so it is
  // regular, and no value is negative.
  std::vector<double> entries(rows, 0);
  for (std::size_t k = 0; k < kinds_; ++k) entries[k] = -program_.slots[k];
  const std::size_t makespan = master.add_column(1, entries);
  std::vector<double> used(kinds_ + memory_rows, 0);
  for (std::size_t b = 0; b < bucket_count(); ++b) {
    const std::vector<double> entries_of_bucket = column(choices[b], b);
    for (std::size_t i = 0; i < used.size(); ++i) used[i] += entries_of_bucket[i];
  }
  std::size_t busiest = 0;
  for (std::size_t k = 1; k < kinds_; ++k) {
    if (used[k] * program_.slots[busiest] > used[busiest] * program_.slots[k]) busiest = k;
  }
  for (std::size_t i = 0; i < kinds_ + memory_rows; ++i) {
    std::fill(entries.begin(), entries.end(), 0.0);
    entries[i] = 1;
    const std::size_t slack = master.add_column(0, entries);
    basis.push_back(i == busiest ? makespan : slack);
    if (i < kinds_) continue;
    // Keeps the master feasible where the first choice needs more bytes than there are. Its cost
    // caps the price of memory.
    entries[i] = -1;
    const std::size_t excess = master.add_column(kPriceCap, entries);
    if (used[i] > 1) basis.back() = excess;
  }
  for (std::size_t b = 0; b < bucket_count(); ++b) {
    basis.push_back(master.add_column(0, column(choices[b], b)));
  }
  master.set_basis(std::move(basis));
  return master;
}

Prices Maximiser::master_prices(const SmallSimplex& master) const {
  Prices prices{std::vector<double>(kinds_, 0), std::vector<double>(kinds_, 0)};
  double total = 0;
  for (std::size_t k = 0; k < kinds_; ++k) {
    // The duals of a master that was stopped early or has rounded need not satisfy the constraints
    // of the dual program. Scaled to a sum of 1 they do, and any such prices give a valid bound.
    prices.slot[k] = std::max(-master.duals()[k], kLeastPrice);
    total += prices.slot[k] * program_.slots[k];
  }
  for (double& price : prices.slot) price /= total;
  for (std::size_t m = 0; m < memory_kinds_.size(); ++m) {
    const std::size_t k = memory_kinds_[m];
    prices.byte[k] =
        std::max(-master.duals()[kinds_ + m], 0.0) * scale_ / program_.capacity[k] / total;
  }
  return prices;
}

Prices Maximiser::halfway(const Prices& left, const Prices& right) const {
  Prices prices = left;
  for (std::size_t k = 0; k < kinds_; ++k) {
    prices.slot[k] = 0.5 * (left.slot[k] + right.slot[k]);
    prices.byte[k] = 0.5 * (left.byte[k] + right.byte[k]);
  }
  return prices;
}

bool Maximiser::add_improving(SmallSimplex& master, const std::vector<Choice>& choices) const {
  bool added = false;
  for (std::size_t b = 0; b < bucket_count(); ++b) {
    const std::vector<double> entries = column(choices[b], b);
    double reduced = 0;
    for (std::size_t i = 0; i < entries.size(); ++i) reduced -= master.duals()[i] * entries[i];
    // Such a column could not enter the basis now. Left out, it also cannot fill the master up; it
    // is found again should prices come back to where it counts.
    if (reduced >= -1e-12) continue;
    master.add_column(0, entries);
    added = true;
  }
  return added;
}

AssignmentDual Maximiser::result(const Prices& prices, int rounds) const {
  return {dual_value(program_, prices.slot, prices.byte), prices.slot, prices.byte, rounds};
}

AssignmentDual Maximiser::run() {
  Prices best = equal_prices();
  if (kinds_ == 0 || program_.items() == 0) return {0, best.slot, best.byte, 0};
  if (kinds_ == 1 || kinds_ > kMostKinds) return result(best, 1);
  std::vector<Choice> choices = choose(best);
  double best_bound = bound(choices, best);
  if (!(best_bound > 0 && best_bound < kInfinity)) return result(best, 1);
  // The simplex compares with absolute tolerances, so values in the master must be near 1.
  scale_ = best_bound;

  SmallSimplex master = first_master(choices);
  const double visits = static_cast<double>(program_.items()) * static_cast<double>(kinds_);
  const auto most_rounds =
      static_cast<int>(std::clamp(kMostVisits / visits, 4.0, static_cast<double>(kMostRounds)));
  int rounds = 1;
  bool smooth = true;
  while (rounds < most_rounds) {
    if (!master.optimise(1000)) break;
    // The master knows only some of the choices, so its value is never below the optimum, as the
    // bound is never above it: between them is all that more rounds could gain.
    if (master.objective() * scale_ - best_bound <= kGap * best_bound) break;
    const Prices next = master_prices(master);
    const Prices tried = smooth ? halfway(best, next) : next;
    choices = choose(tried);
    ++rounds;
    const double value = bound(choices, tried);
    if (value > best_bound) {
      best_bound = value;
      best = tried;
    }
    const bool added = add_improving(master, choices);
    // A round at smoothed prices that adds no column says nothing about the master's own prices, so
    // these are tried before giving up.
    if (!added && !smooth) break;  // the master's own prices are optimal
    smooth = added;
  }
  return result(best, rounds);
}

}  // namespace

AssignmentDual maximise_dual(const AssignmentProgram& program) { return Maximiser(program).run(); }

double dual_value(const AssignmentProgram& program, const std::vector<double>& slot_prices,
                  const std::vector<double>& byte_prices) {
  const std::size_t kinds = program.kinds();
  std::vector<double> prices = slot_prices;
  double all_slots = 0;
  double all_bytes = 0;
  for (std::size_t k = 0; k < kinds; ++k) {
    prices[k] = std::max(prices[k], kLeastPrice);
    all_slots += prices[k] * program.slots[k];
    if (program.capacity[k] != kInfinity) all_bytes += byte_prices[k] * program.capacity[k];
  }
  // Compensated summation (Neumaier 1974): a million items must not cost a million roundings.
  double sum = 0;
  double lost = 0;
  for (std::size_t i = 0; i < program.items(); ++i) {
    const double* row = program.seconds.data() + i * kinds;
    double price = kInfinity;
    for (std::size_t k = 0; k < kinds; ++k) {
      price = std::min(price, prices[k] * row[k] + byte_prices[k] * program.bytes[i]);
    }
    const double next = sum + price;
    lost += std::abs(sum) >= std::abs(price) ? (sum - next) + price : (price - next) + sum;
    sum = next;
  }
  // Each side to its safe side: products and sums of a few terms per kind.
  const double few = (8 + 4 * static_cast<double>(kinds)) * 0x1.0p-53;
  const double value = ((sum + lost) * (1 - few) - all_bytes * (1 + few)) / (all_slots * (1 + few));
  return std::isfinite(value) ? std::max(value, 0.0) : 0.0;
}

}  // namespace berth::bounds
