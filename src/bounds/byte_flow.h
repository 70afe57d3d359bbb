// Can bytes that may each go to some of several stores be stored at all? This is a maximum flow
// from demands to stores. It is exact when bytes can be split, so the answer "no" is a proof for
// bytes that cannot be.
//
// Demands are served one after the other along shortest augmenting paths (Ford and Fulkerson 1956;
// Edmonds and Karp 1972). When a demand cannot be served, the failed search names a set of demands
// and all stores they may use, which are full with bytes of these demands alone. O(demands x
// stores) per path; both are few, since the caller merges equal ones.
#pragma once

#include <cstdint>
#include <vector>

namespace berth::bounds {

struct ByteDemand {
  std::int64_t bytes = 0;
  std::vector<std::uint8_t> stores;  // by store: whether these bytes may go there
};

struct ByteShortage {
  std::int64_t missing_bytes = 0;     // 0: all can be stored
  std::vector<std::uint8_t> demands;  // by demand: in the set that exceeds its stores
  std::vector<std::uint8_t> stores;   // by store: open to that set
};

ByteShortage find_shortage(const std::vector<ByteDemand>& demands,
                           const std::vector<std::int64_t>& capacities);

}  // namespace berth::bounds
