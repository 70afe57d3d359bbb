#include "bounds/work_bound.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "bounds/assignment_dual.h"

namespace berth::bounds {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Collects items and counts those that are equal: rows of seconds by kind and bytes.
class DistinctItems {
 public:
  explicit DistinctItems(std::size_t width) : width_(width), slots_(64, kEmpty) {}

  void add(const std::vector<double>& row) {
    if (2 * (counts_.size() + 1) > slots_.size()) grow();
    std::uint32_t& slot = find(row.data());
    if (slot != kEmpty) {
      counts_[slot] += 1;
      return;
    }
    slot = static_cast<std::uint32_t>(counts_.size());
    counts_.push_back(1);
    rows_.insert(rows_.end(), row.begin(), row.end());
  }

  std::size_t size() const { return counts_.size(); }
  double count(std::size_t item) const { return counts_[item]; }
  const double* row(std::size_t item) const { return rows_.data() + item * width_; }

 private:
  static constexpr std::uint32_t kEmpty = 0xffffffffu;

  std::uint32_t& find(const double* row) {
    std::uint64_t hash = 0;
    for (std::size_t k = 0; k < width_; ++k) {
      // By bits: rows are equal only where the bound cannot tell them apart at all.
      hash = (hash ^ std::bit_cast<std::uint64_t>(row[k])) * 0x9e3779b97f4a7c15u;
      hash ^= hash >> 32;
    }
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
      std::uint32_t& slot = slots_[at];
      if (slot == kEmpty || std::equal(row, row + width_, this->row(slot))) return slot;
    }
  }

  void grow() {
    slots_.assign(2 * slots_.size(), kEmpty);
    for (std::uint32_t item = 0; item < counts_.size(); ++item) find(row(item)) = item;
  }

  std::size_t width_;
  std::vector<double> rows_;
  std::vector<double> counts_;
  std::vector<std::uint32_t> slots_;  // open addressing
};

// Slots and memory of the kinds. Memory is rounded up, by at most the room that the value of the
// dual leaves for rounding.
AssignmentProgram kinds_program(const Problem& problem, const Footprints& footprints,
                                const DeviceKinds& kinds) {
  AssignmentProgram program;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    const DeviceId device = kinds.representatives[k];
    const auto count = static_cast<double>(kinds.counts[k]);
    program.slots.push_back(count * static_cast<double>(problem.cluster().device(device).slots));
    const double bytes = count * static_cast<double>(problem.usable_bytes(device));
    // A kind without any memory takes only items without bytes, by Possible.
    const bool counts = bytes > 0 && bytes < static_cast<double>(footprints.total_resident_bytes);
    program.capacity.push_back(counts ? bytes : kInfinity);
  }
  return program;
}

}  // namespace

WorkBound bound_work(const CostFloors& floors, const Footprints& footprints,
                     const DeviceKinds& kinds, const Counts& counts) {
  const Problem& problem = floors.problem();
  AssignmentProgram program = kinds_program(problem, footprints, kinds);
  const bool with_memory = std::any_of(program.capacity.begin(), program.capacity.end(),
                                       [](double bytes) { return bytes != kInfinity; });
  const Possible possible(problem, footprints, kinds);
  DistinctItems items(kinds.size() + 1);
  std::vector<double> row(kinds.size() + 1);
  for (std::size_t g = 0; g < problem.group_count(); ++g) {
    const GroupId group(g);
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      row[k] = possible(group, k) ? 0 : kInfinity;
      if (row[k] != 0) continue;
      const std::size_t cost_class = problem.device_class(kinds.representatives[k]);
      for (const OpId op : problem.members(group)) {
        if (!counts || counts(op, k)) row[k] += floors.seconds(op, cost_class);
      }
    }
    // Where memory is no matter, bytes would only keep equal rows apart.
    row.back() = with_memory ? static_cast<double>(footprints.resident_bytes[g]) : 0.0;
    items.add(row);
  }
  for (std::size_t i = 0; i < items.size(); ++i) {
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      // Equal items are one item as large as all of them: items may be spread in fractions, so
      // nothing is lost.
      program.seconds.push_back(items.row(i)[k] * items.count(i));
    }
    program.bytes.push_back(items.row(i)[kinds.size()] * items.count(i));
  }

  const AssignmentDual dual = maximise_dual(program);
  WorkBound bound;
  bound.seconds = shrink_for_rounding(dual.seconds, problem.op_count());
  bound.slot_prices = dual.slot_prices;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    if (program.capacity[k] == kInfinity) continue;
    // A price that is not just the noise of the search.
    const bool scarce = dual.byte_prices[k] * program.capacity[k] > 1e-6 * dual.seconds;
    bound.memory_counts = bound.memory_counts || scarce;
  }
  return bound;
}

}  // namespace berth::bounds
