// The moves of a chain. Each changes the state, or leaves it as it is when it finds nothing to do.
// The caller undoes what is not accepted.
#include <algorithm>
#include <cmath>

#include "place/search/annealer.h"
#include "place/search/priorities.h"

namespace berth::place {

void Annealer::propose(Kind kind, const Family& family) {
  switch (kind) {
    case Kind::move:
      return move_anywhere(family);
    case Kind::swap:
      return swap_two(family);
    case Kind::shift:
      return shift_a_cut();
    case Kind::unload:
      return unload_busiest(family);
    case Kind::make_room:
      return make_room(family);
    case Kind::join:
      return join_on_path(family);
    case Kind::relieve:
      return relieve_path(family);
    case Kind::overtake:
      if (hot_spots_.overtakings.empty()) return;
      return overtake(hot_spots_.overtakings.draw(random_));
    case Kind::reorder:
      return reorder();
  }
}

std::uint32_t Annealer::random_block(const Family& family) {
  return static_cast<std::uint32_t>(random_.below(family.blocks.size()));
}

DeviceId Annealer::random_allowed(GroupId group) {
  const auto allowed = landscape_.problem.allowed_devices(group);
  return allowed[random_.below(allowed.size())];
}

// The device of one of its neighbours, or any device it may use.
DeviceId Annealer::near_or_anywhere(GroupId group) {
  // Half and half: going to a neighbour saves transfers, but only the other half can reach a device
  // that no neighbour uses.
  const auto neighbours = landscape_.graph.neighbours(group);
  if (neighbours.empty() || random_.chance(0.5)) return random_allowed(group);
  return state_.device(neighbours[random_.below(neighbours.size())].group);
}

void Annealer::move_block(const Family& family, std::uint32_t block, DeviceId device) {
  for (const GroupId group : family.blocks.row(block)) state_.move(group, device);
}

void Annealer::move_with_block(const Family& family, GroupId group, DeviceId device) {
  const std::uint32_t block = family.block_of[group.index()];
  if (block != Family::kNone) move_block(family, block, device);
}

void Annealer::move_anywhere(const Family& family) {
  const std::uint32_t block = random_block(family);
  const auto groups = family.blocks.row(block);
  move_block(family, block, near_or_anywhere(groups[random_.below(groups.size())]));
}

void Annealer::swap_two(const Family& family) {
  const std::uint32_t one = random_block(family);
  const std::uint32_t other = random_block(family);
  const DeviceId from = state_.device(family.blocks.row(one).front());
  const DeviceId to = state_.device(family.blocks.row(other).front());
  // The groups of a block may be on several devices; the first one represents the block.
  if (one == other || from == to) return;
  move_block(family, one, to);
  move_block(family, other, from);
}

// Groups that follow one another in topological order move to the device of the one before (or
// after) them, so that a cut of the sequence moves.
void Annealer::shift_a_cut() {
  const std::vector<GroupId>& order = landscape_.order;
  std::size_t at = random_.below(order.size());
  const bool forwards = random_.chance(0.5);
  const DeviceId device = state_.device(order[at]);
  // Uniform in the logarithm: short and long shifts are equally likely.
  const double longest = std::log2(static_cast<double>(order.size()));
  const auto length = static_cast<std::size_t>(std::exp2(random_.uniform() * longest));
  const auto advance = [&] {
    if (forwards) return ++at < order.size();
    return at-- > 0;
  };
  // Go to where the device changes, then take over the groups behind the cut.
  while (state_.device(order[at]) == device) {
    if (!advance()) return;
  }
  for (std::size_t i = 0; i < length; ++i) {
    state_.move(order[at], device);
    if (!advance()) return;
  }
}

// A random block whose first group is on the device, or kNone.
std::uint32_t Annealer::block_on(const Family& family, DeviceId device) {
  // Drawn by rejection: a list of blocks per device would have to be updated at every step. If the
  // device has few blocks the draws may fail, and the move then does nothing.
  constexpr int kTries = 16;
  for (int i = 0; i < kTries; ++i) {
    const std::uint32_t block = random_block(family);
    if (state_.device(family.blocks.row(block).front()) == device) return block;
  }
  return Family::kNone;
}

// Moves a block from the busiest device to a random one.
void Annealer::unload_busiest(const Family& family) {
  const auto busiest = std::max_element(busy_seconds_.begin(), busy_seconds_.end());
  const DeviceId device(static_cast<std::size_t>(busiest - busy_seconds_.begin()));
  const std::uint32_t block = block_on(family, device);
  if (block == Family::kNone) return;
  move_block(family, block, random_allowed(family.blocks.row(block).front()));
}

// Moves a block from the fullest device to the one with most room or to a random one; half of the
// time in exchange for a block from there, which may be smaller.
void Annealer::make_room(const Family& family) {
  if (fits_) return;
  const auto [fullest, emptiest] = std::minmax_element(room_bytes_.begin(), room_bytes_.end());
  const DeviceId full(static_cast<std::size_t>(fullest - room_bytes_.begin()));
  const std::uint32_t block = block_on(family, full);
  if (block == Family::kNone) return;
  DeviceId goal(static_cast<std::size_t>(emptiest - room_bytes_.begin()));
  if (random_.chance(0.5)) goal = random_allowed(family.blocks.row(block).front());
  const std::uint32_t other = random_.chance(0.5) ? block_on(family, goal) : Family::kNone;
  move_block(family, block, goal);
  if (other != Family::kNone && other != block) move_block(family, other, full);
}

// Puts two groups on one device between which the critical path has a transfer.
void Annealer::join_on_path(const Family& family) {
  if (hot_spots_.meetings.empty()) return;
  const Meeting& meeting = hot_spots_.meetings.draw(random_);
  // Either end may be the one that should move: nothing in the path says which.
  const bool to_other = random_.chance(0.5);
  const GroupId moved = to_other ? meeting.one : meeting.other;
  const GroupId goal = to_other ? meeting.other : meeting.one;
  move_with_block(family, moved, state_.device(goal));
}

// Moves a group away from a device that the critical path waits for.
void Annealer::relieve_path(const Family& family) {
  if (hot_spots_.crowdings.empty()) return;
  const GroupId group = hot_spots_.crowdings.draw(random_).group;
  move_with_block(family, group, near_or_anywhere(group));
}

// Lets an op of the critical path go before one that it waited for.
void Annealer::overtake(const Overtaking& overtaking) {
  state_.raise_over(overtaking.op, overtaking.over);
}

// Sets all priorities: from the last timeline, or by the longest path to the end.
void Annealer::reorder() {
  if (!landscape_.request.tasks.schedule) return;
  if (random_.chance(0.5) && !learned_priorities_.empty()) {
    return state_.set_priorities(learned_priorities_);
  }
  state_.set_priorities(priorities_by_way_to_end(landscape_.problem, state_.plan()));
}

}  // namespace berth::place
