#include "place/proof/capacity.h"

#include <algorithm>

#include "bounds/footprint.h"

namespace berth::place {
namespace {

constexpr std::size_t kMostSubsetDevices = 6;  // all subsets of devices are checked

bool contains(std::span<const std::uint64_t> set, std::size_t op) {
  return (set[op / 64] >> op % 64 & 1) != 0;
}

}  // namespace

Capacity::Capacity(const Relaxation& relaxation)
    : problem_(relaxation),
      params_(relaxation.devices),
      residents_(relaxation.devices),
      passing_(relaxation.devices) {
  std::int64_t everything = 0;
  for (const Relaxation::Memory& memory : relaxation.memory) {
    everything = bounds::add_bytes(everything, memory.params);
  }
  for (const std::int64_t bytes : relaxation.running)
    everything = bounds::add_bytes(everything, bytes);
  for (const std::int64_t bytes : relaxation.own_bytes)
    everything = bounds::add_bytes(everything, bytes);
  // A device that could hold the whole graph is never closed. If this is true of all devices,
  // memory need not be checked at any node.
  for (const std::int64_t usable : relaxation.usable) limited_ |= usable < everything;
  if (limited_ && relaxation.knows_reachability()) find_waiting();
}

void Capacity::find_waiting() {
  waiting_.begins = {0};
  for (std::uint32_t op = 0; op < problem_.ops; ++op) {
    for (std::uint32_t t = 0; t < problem_.tensors && problem_.running[op] > 0; ++t) {
      const std::uint32_t producer = problem_.producer[t];
      const auto readers = problem_.readers.row(t);
      const bool own =
          producer == op || std::find(readers.begin(), readers.end(), op) != readers.end();
      if (own || problem_.own_bytes[t] == 0) continue;
      const bool read_later =
          std::any_of(readers.begin(), readers.end(),
                      [&](std::uint32_t reader) { return contains(problem_.behind(op), reader); });
      if (!read_later && problem_.kept[t] == 0) continue;
      // That producer and reader come before and after the op is known from the graph, so it is
      // found once. Whether they are on the op's device depends on the placement and is checked per
      // node.
      if (contains(problem_.before(op), producer)) waiting_.items.push_back(t);
    }
    waiting_.begins.push_back(static_cast<std::uint32_t>(waiting_.items.size()));
  }
}

// What is certainly on the device of a decided op while it runs, beside its own tensors.
std::int64_t Capacity::waiting_bytes(const Domains& domains, std::size_t op,
                                     DeviceSet device) const {
  const auto here = [&](std::uint32_t other) {
    return domains[problem_.group_of[other]] == device;
  };
  std::int64_t bytes = 0;
  for (const std::uint32_t tensor : waiting_.row(op)) {
    const bool made_here = here(problem_.producer[tensor]);
    bool there = made_here;
    bool needed = made_here && problem_.kept[tensor] != 0;
    for (const std::uint32_t reader : problem_.readers.row(tensor)) {
      if (!here(reader)) continue;
      // A reader here that comes before the op has had the tensor brought to this device, if it was
      // not made here.
      there = there || contains(problem_.before(op), reader);
      needed = needed || contains(problem_.behind(op), reader);
    }
    if (there && needed) bytes = bounds::add_bytes(bytes, problem_.own_bytes[tensor]);
  }
  return bytes;
}

void Capacity::sum_up(const Domains& domains) {
  std::fill(params_.begin(), params_.end(), 0);
  std::fill(residents_.begin(), residents_.end(), 0);
  std::fill(passing_.begin(), passing_.end(), 0);
  for (std::size_t g = 0; g < problem_.groups; ++g) {
    if (!is_single(domains[g])) continue;
    const std::size_t d = lowest(domains[g]);
    params_[d] = bounds::add_bytes(params_[d], problem_.memory[g].params);
    residents_[d] = bounds::add_bytes(residents_[d], problem_.memory[g].resident);
    // The largest, not the sum: the worst instants of two groups need not coincide.
    passing_[d] = std::max(passing_[d], problem_.memory[g].passing);
  }
  for (std::size_t op = 0; op < problem_.ops && waiting_.size() > 0; ++op) {
    const DeviceSet domain = domains[problem_.group_of[op]];
    if (!is_single(domain) || waiting_.row(op).empty()) continue;
    std::int64_t& passing = passing_[lowest(domain)];
    passing = std::max(passing,
                       bounds::add_bytes(problem_.running[op], waiting_bytes(domains, op, domain)));
  }
}

bool Capacity::subsets_fit(const Domains& domains) const {
  if (problem_.devices > kMostSubsetDevices) return true;
  // Hall's condition for bytes: what can go only to a set of devices must fit in that set. No
  // single device need be over for this to fail.
  for (DeviceSet subset = 1; subset < only(problem_.devices); ++subset) {
    std::int64_t room_running = 0;
    std::int64_t room_kept = 0;
    for_each_device(subset, [&](std::size_t d) {
      // Two sums, because the two peaks are at different times: parameters are there while an op
      // runs, kept outputs are all there only at the end.
      room_running = bounds::add_bytes(room_running, problem_.usable[d] - passing_[d]);
      room_kept = bounds::add_bytes(room_kept, problem_.usable[d]);
    });
    std::int64_t params = 0;
    std::int64_t residents = 0;
    for (std::size_t g = 0; g < problem_.groups; ++g) {
      if ((domains[g] & ~subset) != 0) continue;
      params = bounds::add_bytes(params, problem_.memory[g].params);
      residents = bounds::add_bytes(residents, problem_.memory[g].resident);
    }
    if (params > room_running || residents > room_kept) return false;
  }
  return true;
}

Narrowed Capacity::narrow(Domains& domains) {
  for (const DeviceSet domain : domains) {
    if (domain == 0) return Narrowed::refuted;
  }
  if (!limited_) return Narrowed::stable;
  sum_up(domains);
  for (std::size_t d = 0; d < problem_.devices; ++d) {
    const std::int64_t most = std::max(bounds::add_bytes(params_[d], passing_[d]), residents_[d]);
    if (most > problem_.usable[d]) return Narrowed::refuted;
  }
  if (!subsets_fit(domains)) return Narrowed::refuted;
  Narrowed result = Narrowed::stable;
  for (std::size_t g = 0; g < problem_.groups; ++g) {
    // Decided groups are already in the sums and would be counted twice.
    if (is_single(domains[g])) continue;
    const Relaxation::Memory& memory = problem_.memory[g];
    for_each_device(domains[g], [&](std::size_t d) {
      const std::int64_t passing = std::max(passing_[d], memory.passing);
      const std::int64_t running =
          bounds::add_bytes(bounds::add_bytes(params_[d], memory.params), passing);
      const std::int64_t kept = bounds::add_bytes(residents_[d], memory.resident);
      if (std::max(running, kept) <= problem_.usable[d]) return;
      domains[g] &= ~only(d);
      result = Narrowed::changed;
    });
    if (domains[g] == 0) return Narrowed::refuted;
  }
  return result;
}

}  // namespace berth::place
