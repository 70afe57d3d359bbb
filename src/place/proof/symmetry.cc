#include "place/proof/symmetry.h"

#include <algorithm>
#include <map>

namespace berth::place {
namespace {

bool alike_in_use(const Relaxation& problem, std::size_t left, std::size_t right) {
  if (problem.slots[left] != problem.slots[right]) return false;
  if (problem.usable[left] != problem.usable[right]) return false;
  for (const DeviceSet domain : problem.domains) {
    if ((domain >> left & 1) != (domain >> right & 1)) return false;
  }
  for (std::size_t op = 0; op < problem.ops; ++op) {
    if (problem.cost(op, left) != problem.cost(op, right)) return false;
  }
  return true;
}

bool routes_correspond(const Relaxation& problem, std::size_t left, std::size_t right) {
  const auto exchanged = [&](std::size_t device) {
    return device == left ? right : device == right ? left : device;
  };
  // In both directions, or two channels could map to one, and transfers would wait for each other
  // that did not before.
  std::map<std::uint32_t, std::uint32_t> forth, back;  // channels
  for (std::size_t from = 0; from < problem.devices; ++from) {
    for (std::size_t to = 0; to < problem.devices; ++to) {
      const std::size_t route = from * problem.devices + to;
      const std::size_t image = exchanged(from) * problem.devices + exchanged(to);
      if (problem.route_sort[route] != problem.route_sort[image]) return false;
      const auto here = problem.channels.row(route);
      const auto there = problem.channels.row(image);
      if (here.size() != there.size()) return false;
      for (std::size_t i = 0; i < here.size(); ++i) {
        if (forth.try_emplace(here[i], there[i]).first->second != there[i]) return false;
        if (back.try_emplace(there[i], here[i]).first->second != here[i]) return false;
      }
    }
  }
  return true;
}

// Whether no transfer to the device waits for another of the same op to elsewhere.
bool reached_apart(const Relaxation& problem, std::size_t device) {
  for (std::size_t from = 0; from < problem.devices; ++from) {
    if (from == device) continue;
    const auto channels = problem.channels.row(from * problem.devices + device);
    for (std::size_t to = 0; to < problem.devices; ++to) {
      if (to == device) continue;
      const auto others = problem.channels.row(from * problem.devices + to);
      if (std::find_first_of(channels.begin(), channels.end(), others.begin(), others.end()) !=
          channels.end()) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace

Symmetry::Symmetry(const Relaxation& relaxation) : twins_(relaxation.devices, 0) {
  for (std::size_t left = 0; left < relaxation.devices; ++left) {
    if (!reached_apart(relaxation, left)) continue;
    for (std::size_t right = left + 1; right < relaxation.devices; ++right) {
      if (!alike_in_use(relaxation, left, right) || !reached_apart(relaxation, right) ||
          !routes_correspond(relaxation, left, right)) {
        continue;
      }
      twins_[left] |= only(right);
      twins_[right] |= only(left);
    }
  }
}

DeviceSet Symmetry::representatives(const Domains& domains, std::size_t group) const {
  DeviceSet chosen = 0;
  for_each_device(domains[group], [&](std::size_t d) {
    // Exchanging twins must turn this partial placement into itself. Then every completion with the
    // group on one has a completion with it on the other, of the same step time.
    DeviceSet same = chosen & twins_[d];
    for (std::size_t g = 0; g < domains.size() && same != 0; ++g) {
      const DeviceSet domain = domains[g];
      // Keeps the twins that this group treats as it treats the device.
      same &= (domain >> d & 1) != 0 ? domain : ~domain;
    }
    if (same == 0) chosen |= only(d);
  });
  return chosen;
}

}  // namespace berth::place
