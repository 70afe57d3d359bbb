#include "place/repair/memory_repair.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <queue>

#include "place/baselines/single.h"
#include "place/groups/group_footprint.h"
#include "place/repair/route_repair.h"

namespace berth::place {
namespace {

constexpr int kMostRounds = 16;
constexpr int kMostRoundsWithoutGain = 4;
constexpr std::uint8_t kMostMovesOfAGroup = 3;
constexpr double kMostDescentEvaluations = 500;
constexpr double kMostDescentOps = 1e7;  // simulated, about a second

bool fits(const Outcome& outcome) { return outcome.routable && outcome.feasible; }

class MemoryRepair {
 public:
  MemoryRepair(const RepairInputs& inputs, Evaluator& evaluator)
      : problem_(inputs.problem),
        graph_(inputs.graph),
        costs_(inputs.costs),
        evaluator_(evaluator),
        routed_(fully_routed(inputs.problem.cluster())),
        footprints_(group_footprints(inputs.problem)) {}

  bool run(GroupDevices devices, Outcome outcome) {
    // The rounds may have made the plan worse when they give up. The later methods start from the
    // plan that was to be repaired.
    const GroupDevices original = devices;
    moves_.assign(devices.size(), 0);
    std::int64_t least_over = outcome.over_bytes;
    int without_gain = 0;
    for (int round = 0; round < kMostRounds && !evaluator_.exhausted(); ++round) {
      learn(devices, outcome);
      if (!move_groups(devices)) break;
      outcome = evaluator_.consider(plan_of(problem_, devices));
      if (!outcome.routable) break;
      if (outcome.feasible) return true;
      without_gain = outcome.over_bytes < least_over ? 0 : without_gain + 1;
      least_over = std::min(least_over, outcome.over_bytes);
      // One round may make it worse and the next better, since a device that receives a group may
      // be over itself. Many rounds without gain in a row are hopeless.
      if (without_gain == kMostRoundsWithoutGain) break;
    }
    // If the evaluator already knows a plan that fits (a start plan), the rest is not worth its
    // time.
    if (evaluator_.exhausted() || fits(evaluator_.best_outcome())) return false;
    construct_within_memory(problem_, evaluator_, [&](std::span<const std::int64_t> limits) {
      return plan_of(problem_, refill(original, limits));
    });
    if (fits(evaluator_.best_outcome()) || descend()) return true;
    if (!evaluator_.exhausted()) consider_each_alone(problem_, evaluator_, all_devices());
    return fits(evaluator_.best_outcome());
  }

 private:
  struct Move {
    double score = 0;  // seconds per byte of relief
    GroupId group;
    DeviceId to;
    // The least score on top; ties: the lowest group.
    bool operator<(const Move& other) const {
      return score != other.score ? score > other.score : group > other.group;
    }
  };

  // From the simulation: how full devices are, and which share of their outputs exists at once.
  void learn(const GroupDevices& devices, const Outcome& outcome) {
    const std::size_t count = problem_.device_count();
    std::vector<double> params(count, 0), outputs(count, 0);
    for (std::size_t group = 0; group < devices.size(); ++group) {
      params[devices[group].index()] += footprints_[group].param_bytes;
      outputs[devices[group].index()] += footprints_[group].output_bytes;
    }
    room_.resize(count);
    live_share_.assign(count, -1);
    double dynamic_sum = 0, output_sum = 0;
    for (std::size_t device = 0; device < count; ++device) {
      const double peak = static_cast<double>(outcome.peak_bytes[device]);
      room_[device] = static_cast<double>(problem_.usable_bytes(DeviceId(device))) - peak;
      const double dynamic = std::max(0.0, peak - params[device]);
      dynamic_sum += dynamic;
      output_sum += outputs[device];
      // The outcome tells the peak, not what was alive then. That each group has its share of it is
      // a guess, which the next simulation corrects.
      if (outputs[device] > 0) live_share_[device] = std::min(1.0, dynamic / outputs[device]);
    }
    mean_share_ = output_sum > 0 ? std::min(1.0, dynamic_sum / output_sum) : 1.0;
    for (double& share : live_share_) share = share < 0 ? mean_share_ : share;
  }

  double relief(GroupId group, DeviceId device) const {
    const GroupFootprint& bytes = footprints_[group.index()];
    return bytes.param_bytes + live_share_[device.index()] * bytes.output_bytes;
  }

  // Bytes to and from neighbours, by the neighbour's device, into neighbour_bytes_.
  void gather_neighbours(GroupId group, const GroupDevices& devices) {
    neighbour_bytes_.assign(problem_.device_count(), 0);
    for (const GroupEdge& edge : graph_.neighbours(group)) {
      neighbour_bytes_[devices[edge.group.index()].index()] += edge.bytes;
    }
  }

  bool has_routes(GroupId group, DeviceId to, const GroupDevices& devices) const {
    if (routed_) return true;
    return std::ranges::all_of(graph_.neighbours(group), [&](const GroupEdge& edge) {
      const DeviceId other = devices[edge.group.index()];
      return other == to || problem_.cluster().route(to, other).exists();
    });
  }

  // Seconds lost by the move; neighbour_bytes_ is that of the group.
  double loss(GroupId group, DeviceId from, DeviceId to) const {
    const double compute = costs_.seconds(group, to) - costs_.seconds(group, from);
    const Route route = problem_.cluster().route(from, to);
    if (!route.exists()) return compute;
    const double cut = neighbour_bytes_[from.index()] - neighbour_bytes_[to.index()];
    return compute + cut / route.bandwidth;
  }

  // The best way to move the group off its device; Move::to is none when there is no way.
  Move best_move(GroupId group, const GroupDevices& devices) {
    const DeviceId from = devices[group.index()];
    const double freed = relief(group, from);
    Move best{std::numeric_limits<double>::infinity(), group, DeviceId::none()};
    // Without a limit two devices could send a group back and forth until the rounds are over.
    if (freed <= 0 || moves_[group.index()] == kMostMovesOfAGroup) return best;
    gather_neighbours(group, devices);
    const double all = std::accumulate(neighbour_bytes_.begin(), neighbour_bytes_.end(), 0.0);
    for (const DeviceId to : problem_.allowed_devices(group)) {
      if (to == from) continue;
      // Tensors of neighbours on other devices are copied along, and often take more room than the
      // group.
      const double copies = live_share_[to.index()] * (all - neighbour_bytes_[to.index()]);
      if (room_[to.index()] < relief(group, to) + copies) continue;
      const double score = loss(group, from, to) / freed;
      if (score < best.score && has_routes(group, to, devices)) best = {score, group, to};
    }
    return best;
  }

  bool move_groups(GroupDevices& devices) {
    bool moved = false;
    for (std::size_t device = 0; device < room_.size(); ++device) {
      if (room_[device] < 0) moved = unload(DeviceId(device), devices) || moved;
    }
    return moved;
  }

  bool unload(DeviceId device, GroupDevices& devices) {
    std::priority_queue<Move> queue;
    for (std::size_t index = 0; index < devices.size(); ++index) {
      if (devices[index] != device) continue;
      const Move move = best_move(GroupId(index), devices);
      if (move.to.valid()) queue.push(move);
    }
    bool moved = false;
    while (!queue.empty() && room_[device.index()] < 0) {
      const Move claimed = queue.top();
      queue.pop();
      // Earlier moves have changed neighbours and room. A move that has become more expensive goes
      // back into the queue.
      const Move move = best_move(claimed.group, devices);
      if (!move.to.valid()) continue;
      if (move.score > claimed.score) {
        queue.push(move);
        continue;
      }
      apply(move, devices);
      moved = true;
    }
    return moved;
  }

  void apply(const Move& move, GroupDevices& devices) {
    DeviceId& device = devices[move.group.index()];
    room_[device.index()] += relief(move.group, device);
    room_[move.to.index()] -= relief(move.group, move.to);
    device = move.to;
    ++moves_[move.group.index()];
  }

  GroupDevices refill(const GroupDevices& original, std::span<const std::int64_t> limits) {
    std::vector<double> size(original.size());
    for (std::size_t group = 0; group < size.size(); ++group) {
      size[group] = footprints_[group].param_bytes + mean_share_ * footprints_[group].output_bytes;
    }
    std::vector<std::size_t> order(original.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    // Largest first, as in bin packing: small groups fill what is left, large ones would not fit
    // there.
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t left, std::size_t right) { return size[left] > size[right]; });
    GroupDevices devices = original;
    std::vector<double> room(limits.begin(), limits.end());
    for (double& bytes : room) {  // a limit of 0 closes the device
      if (bytes == 0) bytes = -std::numeric_limits<double>::infinity();
    }
    for (const std::size_t group : order) {
      devices[group] = room_for(GroupId(group), size[group], devices, room);
      room[devices[group].index()] -= size[group];
    }
    if (!routed_) repair_routes(problem_, graph_, devices);
    return devices;
  }

  // Where it was, else the cheapest allowed device with room, else the one with most room.
  DeviceId room_for(GroupId group, double size, const GroupDevices& devices,
                    const std::vector<double>& room) {
    const DeviceId from = devices[group.index()];
    if (room[from.index()] >= size) return from;
    gather_neighbours(group, devices);
    DeviceId cheapest, roomiest;
    double least_loss = 0;
    for (const DeviceId to : problem_.allowed_devices(group)) {
      if (!roomiest.valid() || room[to.index()] > room[roomiest.index()]) roomiest = to;
      if (room[to.index()] < size) continue;
      const double lost = loss(group, from, to);
      if (!cheapest.valid() || lost < least_loss) {
        cheapest = to;
        least_loss = lost;
      }
    }
    return cheapest.valid() ? cheapest : roomiest;
  }

  std::vector<DeviceId> all_devices() const {
    std::vector<DeviceId> devices;
    for (std::size_t index = 0; index < problem_.device_count(); ++index) {
      devices.emplace_back(index);
    }
    return devices;
  }

  // Single moves off the devices that are over, as long as they bring the bytes over down.
  bool descend() {
    GroupDevices devices(problem_.group_count());
    for (std::size_t group = 0; group < devices.size(); ++group) {
      const OpId first = problem_.members(GroupId(group)).front();
      devices[group] = evaluator_.best_plan().placement[first.index()];
    }
    Outcome outcome = evaluator_.consider(plan_of(problem_, devices));
    evaluations_left_ = std::min(kMostDescentEvaluations,
                                 kMostDescentOps / static_cast<double>(problem_.op_count()));
    for (bool helped = true; helped && outcome.routable && !outcome.feasible;) {
      helped = false;
      for (std::size_t group = 0; group < devices.size() && !outcome.feasible; ++group) {
        if (is_over(outcome, devices[group])) {
          helped = relocate(GroupId(group), devices, outcome) || helped;
        }
      }
    }
    return fits(outcome);
  }

  bool is_over(const Outcome& outcome, DeviceId device) const {
    return outcome.peak_bytes[device.index()] > problem_.usable_bytes(device);
  }

  // Moves the group where fewest bytes are over; false, and nothing moved, when none helps.
  bool relocate(GroupId group, GroupDevices& devices, Outcome& outcome) {
    const DeviceId from = devices[group.index()];
    DeviceId best = from;
    for (const DeviceId to : problem_.allowed_devices(group)) {
      if (to == from || !has_routes(group, to, devices)) continue;
      if (evaluations_left_ < 1 || evaluator_.exhausted()) break;
      evaluations_left_ -= 1;
      devices[group.index()] = to;
      const Outcome& moved = evaluator_.consider(plan_of(problem_, devices));
      // Judged by simulation: when this is tried, the estimates above have failed.
      if (!better(moved, outcome)) continue;
      outcome = moved;
      best = to;
    }
    devices[group.index()] = best;
    return best != from;
  }

  const Problem& problem_;
  const GroupGraph& graph_;
  const GroupCosts& costs_;
  Evaluator& evaluator_;
  bool routed_;
  std::vector<GroupFootprint> footprints_;
  std::vector<std::uint8_t> moves_;  // by group: how often it was moved
  std::vector<double> room_;         // by device: usable bytes less the peak
  std::vector<double> live_share_;   // by device: of its outputs, how much lives at the peak
  double mean_share_ = 1;
  std::vector<double> neighbour_bytes_;
  double evaluations_left_ = 0;
};

}  // namespace

bool repair_memory(const RepairInputs& inputs, Evaluator& evaluator, GroupDevices devices,
                   const Outcome& outcome) {
  if (!outcome.routable) return false;
  // By value: the evaluator overwrites its last answer.
  return MemoryRepair(inputs, evaluator).run(std::move(devices), Outcome(outcome));
}

}  // namespace berth::place
