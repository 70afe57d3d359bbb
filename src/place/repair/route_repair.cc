#include "place/repair/route_repair.h"

#include <algorithm>
#include <cstdint>

namespace berth::place {
namespace {

constexpr std::size_t kMostTakenBack = 2000;
constexpr std::size_t kMostWishes = 16;

bool reaches(const Cluster& cluster, DeviceId left, DeviceId right) {
  return left == right || cluster.route(left, right).exists();
}

bool is_legal(const Cluster& cluster, const GroupGraph& graph, const GroupDevices& devices) {
  for (std::size_t index = 0; index < devices.size(); ++index) {
    for (const GroupEdge& edge : graph.neighbours(GroupId(index))) {
      if (!reaches(cluster, devices[index], devices[edge.group.index()])) return false;
    }
  }
  return true;
}

class RouteSearch {
 public:
  RouteSearch(const Problem& problem, const GroupGraph& graph)
      : graph_(graph),
        device_count_(problem.device_count()),
        words_((problem.device_count() + 63) / 64),
        reach_(device_count_ * words_, 0),
        possible_(graph.group_count() * words_, 0),
        queued_(graph.group_count(), 0) {
    for (std::size_t from = 0; from < device_count_; ++from) {
      for (std::size_t to = 0; to < device_count_; ++to) {
        if (reaches(problem.cluster(), DeviceId(from), DeviceId(to))) {
          reach_[from * words_ + to / 64] |= bit(to);
        }
      }
    }
    for (std::size_t group = 0; group < graph.group_count(); ++group) {
      for (const DeviceId device : problem.allowed_devices(GroupId(group))) {
        possible_[group * words_ + device.index() / 64] |= bit(device.index());
      }
      enqueue(group);
    }
    // Arc consistency (Mackworth 1977): a device stays possible only while every neighbour has one
    // that it reaches.
    consistent_ = propagate();
    trail_.clear();  // what the pins rule out stays ruled out
  }

  // False when no placement at all is legal.
  bool consistent() const { return consistent_; }

  // Fills `decided` with a legal placement near the wish; false when it gave up.
  bool solve(const GroupDevices& wish, GroupDevices& decided) {
    decided.assign(wish.size(), DeviceId::none());
    decisions_.clear();
    std::size_t taken_back = 0;
    for (std::size_t group = 0; group < wish.size();) {
      const DeviceId device = choose(group, wish[group], decided);
      decisions_.push_back({group, device, trail_.size()});
      if (decide(group, device)) {
        decided[group++] = device;
        continue;
      }
      if (++taken_back > kMostTakenBack || !take_back(decided, group)) {
        undo(0);
        return false;
      }
    }
    undo(0);
    return true;
  }

 private:
  struct Change {
    std::size_t word;
    std::uint64_t before;
  };
  struct Decision {
    std::size_t group;
    DeviceId device;
    std::size_t trail_size;  // before it
  };

  static std::uint64_t bit(std::size_t device) { return std::uint64_t{1} << (device % 64); }
  bool is_possible(std::size_t group, DeviceId device) const {
    return (possible_[group * words_ + device.index() / 64] & bit(device.index())) != 0;
  }

  void enqueue(std::size_t group) {
    if (queued_[group] != 0) return;
    queued_[group] = 1;
    queue_.push_back(group);
  }

  void set_word(std::size_t word, std::uint64_t value) {
    // The old word is enough to undo: decisions are taken back in reverse order, so no copy of the
    // whole table is made per decision.
    trail_.push_back({word, possible_[word]});
    possible_[word] = value;
  }

  bool decide(std::size_t group, DeviceId device) {
    for (std::size_t word = 0; word < words_; ++word) {
      const std::uint64_t only = word == device.index() / 64 ? bit(device.index()) : 0;
      if (possible_[group * words_ + word] != only) {
        set_word(group * words_ + word, only);
        enqueue(group);
      }
    }
    return propagate();
  }

  // Removes devices that neighbours no longer support; false when a group has none left.
  bool propagate() {
    bool alive = true;
    while (!queue_.empty()) {
      const std::size_t group = queue_.back();
      queue_.pop_back();
      queued_[group] = 0;
      // The queue is emptied even after a contradiction, or the next decision would begin with
      // groups of this one.
      if (alive) alive = narrow_neighbours(group);
    }
    return alive;
  }

  bool narrow_neighbours(std::size_t group) {
    support_.assign(words_, 0);
    for (std::size_t device = 0; device < device_count_; ++device) {
      if (!is_possible(group, DeviceId(device))) continue;
      for (std::size_t word = 0; word < words_; ++word) {
        support_[word] |= reach_[device * words_ + word];
      }
    }
    for (const GroupEdge& edge : graph_.neighbours(GroupId(group))) {
      std::uint64_t left = 0;
      for (std::size_t word = 0; word < words_; ++word) {
        const std::size_t place = edge.group.index() * words_ + word;
        const std::uint64_t narrowed = possible_[place] & support_[word];
        if (narrowed != possible_[place]) {
          set_word(place, narrowed);
          enqueue(edge.group.index());
        }
        left |= narrowed;
      }
      if (left == 0) return false;
    }
    return true;
  }

  DeviceId choose(std::size_t group, DeviceId wish, const GroupDevices& decided) const {
    // As near to the plan as it can be; else where most of the bytes of its neighbours are.
    if (is_possible(group, wish)) return wish;
    std::vector<double> pull(device_count_, 0);
    for (const GroupEdge& edge : graph_.neighbours(GroupId(group))) {
      const DeviceId device = decided[edge.group.index()];
      if (device.valid()) pull[device.index()] += edge.bytes;
    }
    DeviceId best;
    for (std::size_t index = 0; index < device_count_; ++index) {
      if (!is_possible(group, DeviceId(index))) continue;
      if (!best.valid() || pull[index] > pull[best.index()]) best = DeviceId(index);
    }
    return best;
  }

  // Undoes decisions until one has an alternative. Its device is removed from the group, which
  // becomes the next to decide. The removal is recorded in the trail of the decision before, so it
  // is undone with that.
  bool take_back(GroupDevices& decided, std::size_t& group) {
    while (!decisions_.empty()) {
      const Decision last = decisions_.back();
      decisions_.pop_back();
      undo(last.trail_size);
      decided[last.group] = DeviceId::none();
      const std::size_t word = last.group * words_ + last.device.index() / 64;
      set_word(word, possible_[word] & ~bit(last.device.index()));
      enqueue(last.group);
      if (has_any(last.group) && propagate()) {
        group = last.group;
        return true;
      }
      propagate();  // empties the queue
    }
    return false;
  }

  bool has_any(std::size_t group) const {
    std::uint64_t left = 0;
    for (std::size_t word = 0; word < words_; ++word) left |= possible_[group * words_ + word];
    return left != 0;
  }

  void undo(std::size_t trail_size) {
    for (; trail_.size() > trail_size; trail_.pop_back()) {
      possible_[trail_.back().word] = trail_.back().before;
    }
  }

  const GroupGraph& graph_;
  std::size_t device_count_;
  std::size_t words_;                    // of 64 devices
  std::vector<std::uint64_t> reach_;     // device x words
  std::vector<std::uint64_t> possible_;  // group x words
  std::vector<std::uint64_t> support_;
  std::vector<std::size_t> queue_;
  std::vector<std::uint8_t> queued_;
  std::vector<Change> trail_;
  std::vector<Decision> decisions_;
  bool consistent_ = false;
};

}  // namespace

bool repair_routes(const Problem& problem, const GroupGraph& graph, GroupDevices& devices) {
  if (is_legal(problem.cluster(), graph, devices)) return true;
  RouteSearch search(problem, graph);
  if (!search.consistent()) return false;
  GroupDevices decided;
  if (search.solve(devices, decided)) {
    devices = std::move(decided);
    return true;
  }
  // Far from the plan but nearly always legal: as much as possible on one device.
  for (std::size_t wish = 0; wish < std::min(kMostWishes, problem.device_count()); ++wish) {
    if (search.solve(GroupDevices(devices.size(), DeviceId(wish)), decided)) {
      devices = std::move(decided);
      return true;
    }
  }
  return false;
}

}  // namespace berth::place
