#include "place/groups/device_sample.h"

#include "base/random.h"

namespace berth::place {
namespace {

constexpr std::size_t kMostDevices = 1024;

}  // namespace

std::vector<DeviceId> device_sample(std::span<const DeviceId> devices) {
  if (devices.size() <= kMostDevices) return {devices.begin(), devices.end()};
  Random random(1);
  std::vector<DeviceId> sample;
  for (std::size_t i = 0; i < kMostDevices; ++i) {
    const std::size_t begin = i * devices.size() / kMostDevices;
    const std::size_t end = (i + 1) * devices.size() / kMostDevices;
    sample.push_back(devices[begin + random.below(end - begin)]);
  }
  return sample;
}

}  // namespace berth::place
