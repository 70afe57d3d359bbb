#include "bounds/byte_flow.h"

#include <algorithm>

#include "bounds/footprint.h"

namespace berth::bounds {
namespace {

constexpr std::uint32_t kUnseen = 0xffffffffu;

class ByteFlow {
 public:
  ByteFlow(const std::vector<ByteDemand>& demands, const std::vector<std::int64_t>& capacities)
      : demands_(demands), left_(capacities), stored_(demands.size() * capacities.size(), 0) {}

  // Stores what it can of a demand; gives back the rest.
  std::int64_t serve(std::size_t demand) {
    std::int64_t bytes = demands_[demand].bytes;
    while (bytes > 0) {
      const std::size_t store = search(demand);
      if (store == left_.size()) return bytes;
      bytes -= push(demand, store, bytes);
    }
    return 0;
  }
  // After serve() gave back a rest: the demands and stores that the search could reach.
  bool demand_reached(std::size_t demand) const { return demand_seen_[demand] != 0; }
  bool store_reached(std::size_t store) const { return store_from_[store] != kUnseen; }

 private:
  std::int64_t& stored(std::size_t demand, std::size_t store) {
    return stored_[demand * left_.size() + store];
  }

  // Nearest store with room, moving bytes of other demands out of the way; none: left_.size().
  std::size_t search(std::size_t first) {
    demand_seen_.assign(demands_.size(), 0);
    demand_from_.assign(demands_.size(), kUnseen);
    store_from_.assign(left_.size(), kUnseen);
    std::vector<std::size_t> queue = {first};
    demand_seen_[first] = 1;
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const std::size_t demand = queue[head];
      for (std::size_t store = 0; store < left_.size(); ++store) {
        if (!demands_[demand].stores[store] || store_from_[store] != kUnseen) continue;
        store_from_[store] = static_cast<std::uint32_t>(demand);
        // Breadth first, so the path found is a shortest one, which bounds the number of paths by
        // the size of the network whatever the bytes are (Edmonds and Karp 1972).
        if (left_[store] > 0) return store;
        for (std::size_t other = 0; other < demands_.size(); ++other) {
          if (demand_seen_[other] || stored(other, store) == 0) continue;
          demand_seen_[other] = 1;
          demand_from_[other] = static_cast<std::uint32_t>(store);
          queue.push_back(other);
        }
      }
    }
    return left_.size();
  }

  std::int64_t push(std::size_t first, std::size_t last, std::int64_t bytes) {
    bytes = std::min(bytes, left_[last]);
    for (std::size_t store = last, demand = store_from_[store]; demand != first;
         demand = store_from_[store]) {
      store = demand_from_[demand];
      bytes = std::min(bytes, stored(demand, store));
    }
    left_[last] -= bytes;
    // Back along the path: every demand on it takes room in the store it has reached and gives up
    // as much in the one before, where the next demand takes it.
    for (std::size_t store = last;;) {
      const std::size_t demand = store_from_[store];
      stored(demand, store) += bytes;
      if (demand == first) return bytes;
      store = demand_from_[demand];
      stored(demand, store) -= bytes;
    }
  }

  const std::vector<ByteDemand>& demands_;
  std::vector<std::int64_t> left_;    // by store
  std::vector<std::int64_t> stored_;  // demand x store
  std::vector<std::uint8_t> demand_seen_;
  std::vector<std::uint32_t> demand_from_;  // the store whose bytes would be moved
  std::vector<std::uint32_t> store_from_;   // the demand that would use the store
};

}  // namespace

ByteShortage find_shortage(const std::vector<ByteDemand>& demands,
                           const std::vector<std::int64_t>& capacities) {
  ByteShortage shortage;
  shortage.demands.assign(demands.size(), 0);
  shortage.stores.assign(capacities.size(), 0);
  ByteFlow flow(demands, capacities);
  for (std::size_t i = 0; i < demands.size(); ++i) {
    const std::int64_t rest = flow.serve(i);
    if (rest == 0) continue;
    shortage.missing_bytes = add_bytes(shortage.missing_bytes, rest);
    // What the failed search has reached is a minimum cut: every store in it is full, with bytes of
    // demands in it alone, which may go nowhere else. This is the proof that is shown to the user.
    for (std::size_t j = 0; j < demands.size(); ++j) shortage.demands[j] |= flow.demand_reached(j);
    for (std::size_t k = 0; k < capacities.size(); ++k) {
      shortage.stores[k] |= flow.store_reached(k);
    }
  }
  return shortage;
}

}  // namespace berth::bounds
