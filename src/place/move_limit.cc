#include "place/move_limit.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace berth::place {
namespace {

// 0.07 x 100 is slightly above 7 in binary; without this margin 8 of 100 ops would have to stay.
constexpr double kRounding = 1e-6;

}  // namespace

std::size_t count_lost(const MoveLimit& move_limit) {
  return static_cast<std::size_t>(
      std::count(move_limit.devices.begin(), move_limit.devices.end(), DeviceId::none()));
}

MoveLimit keeping_of(std::vector<DeviceId> now, double keep) {
  assert(keep >= 0 && keep <= 1);
  MoveLimit move_limit{.devices = std::move(now)};
  const std::size_t remaining = move_limit.devices.size() - count_lost(move_limit);
  const double stay = std::ceil(keep * static_cast<double>(remaining) - kRounding);
  move_limit.most_moved = remaining - static_cast<std::size_t>(std::max(0.0, stay));
  return move_limit;
}

std::size_t count_moved(const MoveLimit& move_limit, const Plan& plan) {
  std::size_t moved = 0;
  for (std::size_t op = 0; op < move_limit.devices.size(); ++op) {
    const DeviceId before = move_limit.devices[op];
    if (before.valid() && plan.placement[op] != before) ++moved;
  }
  return moved;
}

}  // namespace berth::place
