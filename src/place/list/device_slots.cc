#include "place/list/device_slots.h"

#include <algorithm>
#include <limits>

namespace berth::place {
namespace {

// Devices with more slots are rare, and more than this hardly matter.
constexpr std::size_t kMostSlots = 64;

}  // namespace

DeviceSlots::DeviceSlots(const Problem& problem) : slots_(problem.device_count()) {
  for (std::size_t device = 0; device < slots_.size(); ++device) {
    const auto slots = static_cast<std::size_t>(problem.cluster().device(DeviceId(device)).slots);
    slots_[device].resize(std::min(slots, kMostSlots));
  }
}

DeviceSlots::Start DeviceSlots::earliest(DeviceId device, double ready_seconds,
                                         double length_seconds) const {
  Start best{.seconds = std::numeric_limits<double>::infinity()};
  const std::vector<IdleGaps>& slots = slots_[device.index()];
  for (std::size_t slot = 0; slot < slots.size(); ++slot) {
    const double seconds = slots[slot].earliest(ready_seconds, length_seconds);
    if (seconds < best.seconds) best = {seconds, slot};
  }
  return best;
}

}  // namespace berth::place
