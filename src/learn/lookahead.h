// What lies ahead of the decisions of a list schedule (place/list/unit_schedule.h), and what
// belongs together: facts of the graph that the schedule itself does not see. Computed once per
// problem.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/graph.h"
#include "place/list/unit_schedule.h"

namespace berth::learn {

struct Lookahead {
  // By decision and device: how long the rest of the step takes after the decision's first op,
  // along its longest path, if every op on it then takes the device that is best for it. It is the
  // optimistic cost table of PEFT (Arabnejad and Barbosa, IEEE TPDS 2014). Empty for clusters with
  // more than kMostDevices devices.
  static constexpr std::size_t kMostDevices = 64;
  std::vector<double> rest_seconds;  // decision x device

  // Who else feeds the readers of a unit: branches that join later.
  struct Sibling {
    std::uint32_t unit = 0;
    double bytes = 0;  // that it sends to common readers
  };
  Rows<Sibling> siblings;  // by unit; at most kMostSiblings, those with the most bytes
  static constexpr std::size_t kMostSiblings = 16;

  // O(edges x devices squared + edges x readers of a tensor).
  static Lookahead of(const place::UnitOrder& order, const place::Units& units);
};

}  // namespace berth::learn
