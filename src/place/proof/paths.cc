#include "place/proof/paths.h"

#include <algorithm>
#include <limits>

namespace berth::place {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

}  // namespace

Paths::Paths(const Relaxation& relaxation)
    : problem_(relaxation),
      starts_(relaxation.ops * relaxation.devices, kNever),
      least_ends_(relaxation.ops, 0),
      arrivals_(relaxation.tensors * relaxation.devices, kNever),
      certain_(relaxation.tensors, 0),
      tails_(relaxation.ops * relaxation.devices, 0),
      through_(relaxation.ops * relaxation.devices, kNever),
      least_through_(relaxation.ops, 0),
      channel_free_(relaxation.problem.cluster().channel_count(), 0),
      channel_stamp_(relaxation.problem.cluster().channel_count(), 0),
      device_lists_(relaxation.devices) {}

void Paths::find(const Domains& domains, const Prefix& prefix) {
  for (std::size_t t = 0; t < problem_.tensors; ++t) {
    certain_[t] = 0;
    for (const std::uint32_t reader : problem_.readers.row(t)) {
      const DeviceSet domain = domains[problem_.group_of[reader]];
      if (is_single(domain)) certain_[t] |= domain;
    }
  }
  find_starts(domains, prefix);
  find_tails(domains);
}

// When each output of the op reaches each device, counted from the op's end on device `from`.
void Paths::find_offsets(std::size_t op, std::size_t from) {
  const std::size_t devices = problem_.devices;
  const std::uint32_t first = problem_.output_begin[op];
  const std::uint32_t last = problem_.output_begin[op + 1];
  offsets_.resize(std::max(offsets_.size(), (last - first) * devices));
  // A stamp instead of clearing: this is called for every op and device of a pass, and most ops use
  // few of the channels.
  ++stamp_;
  // By output, then by destination: the order in which the rules reserve the transfers.
  for (std::uint32_t t = first; t < last; ++t) {
    const DeviceSet certain = certain_[t];
    for (std::size_t to = 0; to < devices; ++to) {
      double& offset = offsets_[(t - first) * devices + to];
      offset = 0;
      if (to == from) continue;
      const auto channels = problem_.channels.row(from * devices + to);
      for (const std::uint32_t channel : channels) {
        if (channel_stamp_[channel] == stamp_) offset = std::max(offset, channel_free_[channel]);
      }
      offset += problem_.transfer(t, from, to);
      // Only a transfer that happens in every completion may hold up later ones. Others get their
      // own time but take no channel.
      if ((certain & only(to)) == 0) continue;
      for (const std::uint32_t channel : channels) {
        channel_free_[channel] = offset;
        channel_stamp_[channel] = stamp_;
      }
    }
  }
}

// Decided inputs from elsewhere that share a channel arrive one after the other.
double Paths::receipts(const Domains& domains, std::size_t op, std::size_t device) {
  const std::size_t devices = problem_.devices;
  const auto inputs = problem_.inputs.row(op);
  if (inputs.size() < 2) return 0;
  double latest = 0;
  // Each input in turn is taken as the first one sent among those that share one of its channels.
  for (const Relaxation::Input& first : inputs) {
    const DeviceSet source = domains[problem_.group_of[first.producer]];
    if (!is_single(source) || source == only(device)) continue;
    const double sent = end(first.producer, lowest(source));
    for (const std::uint32_t channel : problem_.channels.row(lowest(source) * devices + device)) {
      double seconds = sent;
      for (const Relaxation::Input& other : inputs) {
        const DeviceSet place = domains[problem_.group_of[other.producer]];
        if (!is_single(place) || place == only(device)) continue;
        // Inputs sent earlier may have passed already. All that are sent no earlier than the first
        // have to pass the channel after it, one at a time.
        if (end(other.producer, lowest(place)) < sent) continue;
        const auto channels = problem_.channels.row(lowest(place) * devices + device);
        if (std::find(channels.begin(), channels.end(), channel) == channels.end()) continue;
        seconds += problem_.transfer(other.tensor, lowest(place), device);
      }
      latest = std::max(latest, seconds);
    }
  }
  return latest;
}

void Paths::insert(List& list, const Entry& entry) {
  const auto place = std::find_if(list.rbegin(), list.rend(), [&](const Entry& other) {
    return other.seconds >= entry.seconds;
  });
  list.insert(place.base(), entry);
}

// The list is in falling order, so all ops of a prefix start no earlier than its last entry.
double Paths::load(const List& list, std::span<const std::uint64_t> related) {
  double sum = 0;
  double most = 0;
  for (const Entry& entry : list) {
    if ((related[entry.op / 64] >> (entry.op % 64) & 1) == 0) continue;
    sum += entry.length;
    // All ops so far start no earlier than this one and run one after the other, so the last of
    // them ends no earlier than that.
    most = std::max(most, entry.seconds + sum);
  }
  return most;
}

double Paths::priced(std::size_t op, DeviceSet domain) const {
  double least = kNever;
  for_each_device(domain, [&](std::size_t d) {
    least = std::min(least, problem_.cost(op, d) * problem_.slot_prices[d]);
  });
  return least;
}

// How early the op can start on the device, by what it waits for.
double Paths::start_on(const Domains& domains, const Prefix& prefix, std::size_t op,
                       std::size_t device) {
  // It has already started, at this time in every completion.
  if (prefix.start(op) >= 0) return prefix.start(op);
  const std::uint32_t group = problem_.group_of[op];
  double start = std::max(prefix.device_floor(device), receipts(domains, op, device));
  for (const Relaxation::Input& input : problem_.inputs.row(op)) {
    const bool together = problem_.group_of[input.producer] == group;
    start = std::max(start,
                     together ? end(input.producer, device) : arrivals_[at(input.tensor, device)]);
  }
  for (const std::uint32_t earlier : problem_.after.row(op)) {
    const bool together = problem_.group_of[earlier] == group;
    start = std::max(start, together ? end(earlier, device) : least_ends_[earlier]);
  }
  if (!problem_.knows_reachability()) return start;
  return std::max(start, load(device_lists_[device], problem_.before(op)));
}

// When the outputs of the op arrive everywhere, if it runs on device `from`.
void Paths::send(const Prefix& prefix, std::size_t op, std::size_t from) {
  const std::uint32_t first = problem_.output_begin[op];
  const std::uint32_t last = problem_.output_begin[op + 1];
  if (first == last) return;
  const double ended = end(op, from);
  find_offsets(op, from);
  for (std::uint32_t t = first; t < last; ++t) {
    for (std::size_t to = 0; to < problem_.devices; ++to) {
      double seconds = ended + offset(t - first, to);
      if (prefix.arrival(t, to) >= 0) {
        seconds = prefix.arrival(t, to);
      } else if (to != from) {
        for (const std::uint32_t channel : problem_.channels.row(from * problem_.devices + to)) {
          seconds =
              std::max(seconds, prefix.channel_floor(channel) + problem_.transfer(t, from, to));
        }
      }
      // The producer may be on any device that is left to it, so the earliest arrival over all of
      // them holds.
      arrivals_[at(t, to)] = std::min(arrivals_[at(t, to)], seconds);
    }
  }
}

void Paths::find_starts(const Domains& domains, const Prefix& prefix) {
  const bool related = problem_.knows_reachability();
  for (List& list : device_lists_) list.clear();
  cluster_list_.clear();
  std::fill(arrivals_.begin(), arrivals_.end(), kNever);
  for (std::size_t op = 0; op < problem_.ops; ++op) {
    const DeviceSet domain = domains[problem_.group_of[op]];
    const double by_work = related ? load(cluster_list_, problem_.before(op)) : 0;
    double least_start = kNever;
    double least_end = kNever;
    for_each_device(domain, [&](std::size_t d) {
      const double start = std::max(by_work, start_on(domains, prefix, op, d));
      starts_[at(op, d)] = start;
      least_start = std::min(least_start, start);
      least_end = std::min(least_end, end(op, d));
      send(prefix, op, d);
    });
    least_ends_[op] = least_end;
    if (!related) continue;
    const auto number = static_cast<std::uint32_t>(op);
    // At the prices of the work bound the whole cluster does one second of work per second, so it
    // is one machine like any device.
    insert(cluster_list_, {least_start, priced(op, domain), number});
    if (is_single(domain)) {
      const std::size_t d = lowest(domain);
      insert(device_lists_[d], {least_start, problem_.cost(op, d) / problem_.slots[d], number});
    }
  }
}

double Paths::tail_of(const Domains& domains, std::size_t op, std::size_t device) {
  const std::uint32_t group = problem_.group_of[op];
  const std::uint32_t first = problem_.output_begin[op];
  find_offsets(op, device);
  double tail = 0;
  for (std::uint32_t t = first; t < problem_.output_begin[op + 1]; ++t) {
    for (const std::uint32_t reader : problem_.readers.row(t)) {
      const double* const through = &through_[reader * problem_.devices];
      if (problem_.group_of[reader] == group) {
        tail = std::max(tail, through[device]);
        continue;
      }
      double shortest = kNever;
      for_each_device(domains[problem_.group_of[reader]], [&](std::size_t to) {
        shortest = std::min(shortest, offset(t - first, to) + through[to]);
      });
      tail = std::max(tail, shortest);
    }
  }
  for (const std::uint32_t later : problem_.later.row(op)) {
    const bool together = problem_.group_of[later] == group;
    tail = std::max(tail, together ? through_[at(later, device)] : least_through_[later]);
  }
  return tail;
}

void Paths::find_tails(const Domains& domains) {
  const bool related = problem_.knows_reachability();
  for (List& list : device_lists_) list.clear();
  cluster_list_.clear();
  for (std::size_t op = problem_.ops; op-- > 0;) {
    const DeviceSet domain = domains[problem_.group_of[op]];
    const double by_work = related ? load(cluster_list_, problem_.behind(op)) : 0;
    double least_tail = kNever;
    double least_through = kNever;
    for_each_device(domain, [&](std::size_t d) {
      double tail = std::max(by_work, tail_of(domains, op, d));
      if (related) tail = std::max(tail, load(device_lists_[d], problem_.behind(op)));
      tails_[at(op, d)] = tail;
      through_[at(op, d)] = tail + problem_.cost(op, d);
      least_tail = std::min(least_tail, tail);
      least_through = std::min(least_through, through_[at(op, d)]);
    });
    least_through_[op] = least_through;
    if (!related) continue;
    const auto number = static_cast<std::uint32_t>(op);
    insert(cluster_list_, {least_tail, priced(op, domain), number});
    if (is_single(domain)) {
      const std::size_t d = lowest(domain);
      insert(device_lists_[d], {least_tail, problem_.cost(op, d) / problem_.slots[d], number});
    }
  }
}

}  // namespace berth::place
