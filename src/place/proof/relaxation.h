// A problem compiled for proofs, in dense arrays: what holds for every plan.
//
// Ops are numbered by their position in topological order, so that one pass forward or backward
// visits every op after those it depends on. Where a group may still go is a set of devices
// (`Domains`), one bit per device; a decided group has a set of one.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "cost/problem.h"

namespace berth::place {

using DeviceSet = std::uint64_t;
using Domains = std::vector<DeviceSet>;  // by group

inline bool is_single(DeviceSet set) { return (set & (set - 1)) == 0; }
inline std::size_t lowest(DeviceSet set) { return static_cast<std::size_t>(std::countr_zero(set)); }
inline DeviceSet only(std::size_t device) { return DeviceSet{1} << device; }
template <class Visit>
void for_each_device(DeviceSet set, const Visit& visit) {
  for (; set != 0; set &= set - 1) visit(lowest(set));
}

// The result of removing devices from domains.
enum class Narrowed { refuted, changed, stable };

struct Relaxation {
  static constexpr std::size_t kMostReachability = 512;

  // A tensor as one op reads it.
  struct Input {
    std::uint32_t tensor;
    std::uint32_t producer;
  };
  struct Memory {
    std::int64_t params = 0;    // all step long
    std::int64_t resident = 0;  // at the end of the step
    std::int64_t passing = 0;   // at some instant, beyond the parameters of its group
  };

  // Whether the tables would have a reasonable size.
  static bool suits(const Problem& problem);

  // Keeps a reference to the problem.
  explicit Relaxation(const Problem& problem);

  double cost(std::size_t op, std::size_t device) const { return costs[op * devices + device]; }
  double transfer(std::size_t tensor, std::size_t from, std::size_t to) const {
    return transfers[tensor * sorts + route_sort[from * devices + to]];
  }

  // The ops before and behind an op, one bit per op.
  bool knows_reachability() const { return !ancestors.empty(); }
  std::span<const std::uint64_t> before(std::size_t op) const {
    return {&ancestors[op * words], words};
  }
  std::span<const std::uint64_t> behind(std::size_t op) const {
    return {&descendants[op * words], words};
  }

  const Problem& problem;
  std::size_t ops = 0;
  std::size_t devices = 0;
  std::size_t groups = 0;
  std::size_t tensors = 0;

  std::vector<std::uint32_t> index_of;      // by op: its position in the graph's list
  std::vector<std::uint32_t> sources;       // ops without predecessors
  std::vector<std::uint32_t> group_of;      // by op
  std::vector<double> costs;                // op x device
  Rows<std::uint32_t> members;              // by group, ascending
  Rows<Input> inputs;                       // by op
  Rows<std::uint32_t> after;                // by op
  Rows<std::uint32_t> later;                // by op: those that come after it
  std::vector<std::uint32_t> output_begin;  // by op, one more at the end: tensors are in its order
  Rows<std::uint32_t> readers;              // by tensor
  std::vector<std::uint32_t> producer;      // by tensor

  std::size_t words = 0;                              // of 64 bits for a set of ops
  std::vector<std::uint64_t> ancestors, descendants;  // op x word; empty for large graphs

  std::size_t sorts = 0;  // of routes, by latency and bandwidth; sort 0: same device
  std::vector<std::uint16_t> route_sort;  // device x device
  std::vector<double> latencies;          // by sort
  std::vector<double> on_wire;            // tensor x sort: without the latency
  std::vector<double> transfers;          // tensor x sort; infinite where there is no route
  Rows<std::uint32_t> channels;           // device x device

  std::vector<double> slots;            // by device
  std::vector<std::int64_t> usable;     // by device
  std::vector<std::int64_t> running;    // by op: while it runs; 0 where it may not last
  std::vector<std::int64_t> own_bytes;  // by tensor; 0 where it shares memory
  std::vector<std::uint8_t> kept;       // by tensor: until the end of the step
  std::vector<Memory> memory;           // by group
  Domains domains;                      // allowed devices that are large enough
  std::vector<double> slot_prices;      // of the work bound: the sum of price x slots is 1
  double rounding = 0;                  // relative error that sums may have
};

}  // namespace berth::place
