#include "place/proof/propagation.h"

#include <algorithm>
#include <limits>

namespace berth::place {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

}  // namespace

Propagation::Propagation(const Relaxation& relaxation)
    : problem_(relaxation),
      capacity_(relaxation),
      prefix_(relaxation),
      paths_(relaxation),
      machines_(relaxation.devices),
      channels_(relaxation.problem.cluster().channel_count()) {}

bool Propagation::narrow(Domains& domains, double limit_seconds, double most_passes) {
  const double last_pass = passes_ + most_passes;
  // Sums here may exceed the simulator's by rounding alone. So a device is removed only if its
  // bound exceeds the limit by more than rounding can add.
  ceiling_ = limit_seconds / (1 - problem_.rounding);
  for (;;) {
    const Narrowed memory = capacity_.narrow(domains);
    if (memory == Narrowed::refuted) return false;
    // From the cheapest rule to the most expensive: each is tried only when the one before removes
    // nothing more.
    if (memory == Narrowed::changed) continue;
    passes_ += 1;
    prefix_.run(domains);
    paths_.find(domains, prefix_);
    const Narrowed paths = remove_long_paths(domains);
    if (paths == Narrowed::refuted) return false;
    if (paths == Narrowed::changed && passes_ < last_pass) continue;
    if (!work_fits(domains) || !channels_suffice(domains)) return false;
    const Narrowed loads = remove_overloaded(domains);
    if (loads == Narrowed::refuted) return false;
    if (loads == Narrowed::stable || passes_ >= last_pass) return true;
  }
}

double Propagation::path_seconds(std::size_t group, std::size_t device) const {
  double longest = 0;
  for (const std::uint32_t op : problem_.members.row(group)) {
    longest = std::max(longest, paths_.length(op, device));
  }
  return longest;
}

Narrowed Propagation::remove_long_paths(Domains& domains) const {
  Narrowed result = Narrowed::stable;
  for (std::size_t op = 0; op < problem_.ops; ++op) {
    DeviceSet& domain = domains[problem_.group_of[op]];
    for_each_device(domain, [&](std::size_t d) {
      if (paths_.length(op, d) < ceiling_) return;
      domain &= ~only(d);
      result = Narrowed::changed;
    });
    if (domain == 0) return Narrowed::refuted;
  }
  return result;
}

bounds::Job Propagation::job(std::size_t op, std::size_t device) const {
  return {paths_.start(op, device), problem_.cost(op, device) / problem_.slots[device],
          paths_.tail(op, device)};
}

Narrowed Propagation::remove_overloaded(Domains& domains) {
  for (OneMachine& machine : machines_) machine.clear();
  for (std::size_t op = 0; op < problem_.ops; ++op) {
    const DeviceSet domain = domains[problem_.group_of[op]];
    if (is_single(domain)) machines_[lowest(domain)].add(job(op, lowest(domain)));
  }
  for (OneMachine& machine : machines_) {
    // most_end() is never below least_end() and needs no sorting. It usually is below the ceiling,
    // and then the schedule need not be made.
    if (machine.most_end() >= ceiling_ && machine.least_end() >= ceiling_) return Narrowed::refuted;
  }
  Narrowed result = Narrowed::stable;
  for (std::size_t g = 0; g < problem_.groups; ++g) {
    if (is_single(domains[g])) continue;
    for_each_device(domains[g], [&](std::size_t d) {
      OneMachine& machine = machines_[d];
      const std::size_t decided = machine.size();
      // Shaving: the group is put on the device on trial. If the jobs of the device then take too
      // long, the group cannot be there.
      for (const std::uint32_t op : problem_.members.row(g)) machine.add(job(op, d));
      if (machine.most_end() >= ceiling_ && machine.least_end() >= ceiling_) {
        domains[g] &= ~only(d);
        result = Narrowed::changed;
      }
      machine.shrink(decided);
    });
    if (domains[g] == 0) return Narrowed::refuted;
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
      // A transfer occupies all channels of its route for its whole length, so it is a job on each
      // of them.
      bounds::Job sent{paths_.end(producer, from), problem_.transfer(t, from, to), 0};
      for (const std::uint32_t reader : problem_.readers.row(t)) {
        if (domains[problem_.group_of[reader]] != only(to)) continue;
        sent.tail = std::max(sent.tail, paths_.through(reader, to));
      }
      for (const std::uint32_t channel : problem_.channels.row(from * devices + to)) {
        channels_[channel].add(sent);
      }
    });
  }
  for (OneMachine& channel : channels_) {
    // A single transfer is already part of the paths.
    if (channel.size() < 2) continue;
    if (channel.most_end() >= ceiling_ && channel.least_end() >= ceiling_) return false;
  }
  return true;
}

bool Propagation::work_fits(const Domains& domains) {
  cluster_.clear();
  for (std::size_t op = 0; op < problem_.ops; ++op) {
    bounds::Job whole{kNever, kNever, kNever};
    for_each_device(domains[problem_.group_of[op]], [&](std::size_t d) {
      // Each of the three is the least over devices on its own. No single device may offer all
      // three, but no placement does better in any of them.
      whole.head = std::min(whole.head, paths_.start(op, d));
      whole.work = std::min(whole.work, problem_.cost(op, d) * problem_.slot_prices[d]);
      whole.tail = std::min(whole.tail, paths_.tail(op, d));
    });
    cluster_.add(whole);
  }
  return cluster_.most_end() < ceiling_ || cluster_.least_end() < ceiling_;
}

}  // namespace berth::place
