#include "place/proof/propagation.h"

#include <algorithm>
#include <limits>

#include "sim/footprint.h"

namespace berth {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

}  // namespace

Propagation::Propagation(const Relaxation& relaxation)
    : problem_(relaxation),
      ends_(relaxation.ops * relaxation.devices, kNever),
      least_ends_(relaxation.ops, 0),
      arrivals_(relaxation.tensors * relaxation.devices, kNever),
      tails_(relaxation.ops * relaxation.devices, 0),
      through_(relaxation.ops * relaxation.devices, kNever),
      least_through_(relaxation.ops, 0),
      params_(relaxation.devices),
      residents_(relaxation.devices),
      passing_(relaxation.devices),
      machines_(relaxation.devices),
      channels_(relaxation.problem.cluster().channel_count()) {}

bool Propagation::narrow(Domains& domains, double limit_seconds) {
  ceiling_ = limit_seconds / (1 - problem_.rounding);
  for (;;) {
    const Result memory = remove_overfull(domains);
    if (memory == Result::refuted) return false;
    if (memory == Result::changed) continue;
    passes_ += 1;
    find_heads(domains);
    find_tails(domains);
    const Result chains = remove_long_chains(domains);
    if (chains == Result::refuted) return false;
    if (chains == Result::changed) continue;
    if (!work_fits(domains) || !channels_suffice(domains)) return false;
    const Result loads = remove_overloaded(domains);
    if (loads == Result::refuted) return false;
    if (loads == Result::stable) return true;
  }
}

double Propagation::chain_seconds(std::size_t group, std::size_t device) const {
  double longest = 0;
  for (const std::uint32_t op : problem_.members.row(group)) {
    const std::size_t at = op * problem_.devices + device;
    longest = std::max(longest, ends_[at] + tails_[at]);
  }
  return longest;
}

void Propagation::find_heads(const Domains& domains) {
  const std::size_t devices = problem_.devices;
  for (std::size_t op = 0; op < problem_.ops; ++op) {
    const std::uint32_t group = problem_.group_of[op];
    const DeviceSet domain = domains[group];
    double* const ends = &ends_[op * devices];
    double least = kNever;
    for_each_device(domain, [&](std::size_t d) {
      double start = 0;
      for (const Relaxation::Input& input : problem_.inputs.row(op)) {
        const bool together = problem_.group_of[input.producer] == group;
        start = std::max(start, together ? ends_[input.producer * devices + d]
                                         : arrivals_[input.tensor * devices + d]);
      }
      for (const std::uint32_t earlier : problem_.after.row(op)) {
        const bool together = problem_.group_of[earlier] == group;
        start = std::max(start, together ? ends_[earlier * devices + d] : least_ends_[earlier]);
      }
      ends[d] = start + problem_.cost(op, d);
      least = std::min(least, ends[d]);
    });
    least_ends_[op] = least;
    for (std::uint32_t t = problem_.output_begin[op]; t < problem_.output_begin[op + 1]; ++t) {
      for (std::size_t to = 0; to < devices; ++to) {
        double arrival = kNever;
        for_each_device(domain, [&](std::size_t from) {
          arrival = std::min(arrival, ends[from] + problem_.transfer(t, from, to));
        });
        arrivals_[t * devices + to] = arrival;
      }
    }
  }
}

void Propagation::find_tails(const Domains& domains) {
  const std::size_t devices = problem_.devices;
  for (std::size_t op = problem_.ops; op-- > 0;) {
    const std::uint32_t group = problem_.group_of[op];
    double least = kNever;
    for_each_device(domains[group], [&](std::size_t d) {
      double tail = 0;
      for (std::uint32_t t = problem_.output_begin[op]; t < problem_.output_begin[op + 1]; ++t) {
        for (const std::uint32_t reader : problem_.readers.row(t)) {
          const double* const through = &through_[reader * devices];
          if (problem_.group_of[reader] == group) {
            tail = std::max(tail, through[d]);
            continue;
          }
          double shortest = kNever;
          for_each_device(domains[problem_.group_of[reader]], [&](std::size_t to) {
            shortest = std::min(shortest, problem_.transfer(t, d, to) + through[to]);
          });
          tail = std::max(tail, shortest);
        }
      }
      for (const std::uint32_t later : problem_.later.row(op)) {
        const bool together = problem_.group_of[later] == group;
        tail = std::max(tail, together ? through_[later * devices + d] : least_through_[later]);
      }
      tails_[op * devices + d] = tail;
      through_[op * devices + d] = tail + problem_.cost(op, d);
      least = std::min(least, through_[op * devices + d]);
    });
    least_through_[op] = least;
  }
}

Propagation::Result Propagation::remove_long_chains(Domains& domains) const {
  Result result = Result::stable;
  for (std::size_t op = 0; op < problem_.ops; ++op) {
    DeviceSet& domain = domains[problem_.group_of[op]];
    for_each_device(domain, [&](std::size_t d) {
      const std::size_t at = op * problem_.devices + d;
      if (ends_[at] + tails_[at] < ceiling_) return;
      domain &= ~only(d);
      result = Result::changed;
    });
    if (domain == 0) return Result::refuted;
  }
  return result;
}

Propagation::Result Propagation::remove_overfull(Domains& domains) {
  std::fill(params_.begin(), params_.end(), 0);
  std::fill(residents_.begin(), residents_.end(), 0);
  std::fill(passing_.begin(), passing_.end(), 0);
  for (std::size_t g = 0; g < problem_.groups; ++g) {
    if (domains[g] == 0) return Result::refuted;
    if (!is_single(domains[g])) continue;
    const std::size_t d = lowest(domains[g]);
    params_[d] = add_bytes(params_[d], problem_.memory[g].params);
    residents_[d] = add_bytes(residents_[d], problem_.memory[g].resident);
    passing_[d] = std::max(passing_[d], problem_.memory[g].passing);
  }
  for (std::size_t d = 0; d < problem_.devices; ++d) {
    const std::int64_t most = std::max(add_bytes(params_[d], passing_[d]), residents_[d]);
    if (most > problem_.usable[d]) return Result::refuted;
  }
  Result result = Result::stable;
  for (std::size_t g = 0; g < problem_.groups; ++g) {
    if (is_single(domains[g])) continue;
    const Relaxation::Memory& memory = problem_.memory[g];
    for_each_device(domains[g], [&](std::size_t d) {
      const std::int64_t passing = std::max(passing_[d], memory.passing);
      const std::int64_t running = add_bytes(add_bytes(params_[d], memory.params), passing);
      const std::int64_t kept = add_bytes(residents_[d], memory.resident);
      if (std::max(running, kept) <= problem_.usable[d]) return;
      domains[g] &= ~only(d);
      result = Result::changed;
    });
    if (domains[g] == 0) return Result::refuted;
  }
  return result;
}

Task Propagation::task(std::size_t op, std::size_t device) const {
  const std::size_t at = op * problem_.devices + device;
  const double cost = problem_.cost(op, device);
  return {std::max(0.0, ends_[at] - cost), cost / problem_.slots[device], tails_[at]};
}

Propagation::Result Propagation::remove_overloaded(Domains& domains) {
  for (OneMachine& machine : machines_) machine.clear();
  for (std::size_t op = 0; op < problem_.ops; ++op) {
    const DeviceSet domain = domains[problem_.group_of[op]];
    if (is_single(domain)) machines_[lowest(domain)].add(task(op, lowest(domain)));
  }
  for (OneMachine& machine : machines_) {
    if (machine.most_end() >= ceiling_ && machine.least_end() >= ceiling_) return Result::refuted;
  }
  Result result = Result::stable;
  for (std::size_t g = 0; g < problem_.groups; ++g) {
    if (is_single(domains[g])) continue;
    for_each_device(domains[g], [&](std::size_t d) {
      OneMachine& machine = machines_[d];
      const std::size_t decided = machine.size();
      for (const std::uint32_t op : problem_.members.row(g)) machine.add(task(op, d));
      if (machine.most_end() >= ceiling_ && machine.least_end() >= ceiling_) {
        domains[g] &= ~only(d);
        result = Result::changed;
      }
      machine.shrink(decided);
    });
    if (domains[g] == 0) return Result::refuted;
  }
  return result;
}

bool Propagation::channels_suffice(const Domains& domains) {
  for (OneMachine& channel : channels_) channel.clear();
  const std::size_t devices = problem_.devices;
  for (std::size_t t = 0; t < problem_.tensors; ++t) {
    const std::uint32_t producer = problem_.producer[t];
    const DeviceSet source = domains[problem_.group_of[producer]];
    if (!is_single(source)) continue;
    const std::size_t from = lowest(source);
    DeviceSet destinations = 0;
    for (const std::uint32_t reader : problem_.readers.row(t)) {
      const DeviceSet domain = domains[problem_.group_of[reader]];
      if (is_single(domain)) destinations |= domain;
    }
    for_each_device(destinations & ~source, [&](std::size_t to) {
      Task sent{ends_[producer * devices + from], problem_.transfer(t, from, to), 0};
      for (const std::uint32_t reader : problem_.readers.row(t)) {
        if (domains[problem_.group_of[reader]] != only(to)) continue;
        sent.tail = std::max(sent.tail, through_[reader * devices + to]);
      }
      for (const std::uint32_t channel : problem_.channels.row(from * devices + to)) {
        channels_[channel].add(sent);
      }
    });
  }
  for (OneMachine& channel : channels_) {
    if (channel.size() < 2) continue;
    if (channel.most_end() >= ceiling_ && channel.least_end() >= ceiling_) return false;
  }
  return true;
}

bool Propagation::work_fits(const Domains& domains) {
  cluster_.clear();
  const std::size_t devices = problem_.devices;
  for (std::size_t op = 0; op < problem_.ops; ++op) {
    Task whole{kNever, kNever, kNever};
    for_each_device(domains[problem_.group_of[op]], [&](std::size_t d) {
      const double cost = problem_.cost(op, d);
      whole.head = std::min(whole.head, ends_[op * devices + d] - cost);
      whole.length = std::min(whole.length, cost * problem_.slot_prices[d]);
      whole.tail = std::min(whole.tail, tails_[op * devices + d]);
    });
    cluster_.add(whole);
  }
  return cluster_.most_end() < ceiling_ || cluster_.least_end() < ceiling_;
}

}  // namespace berth
