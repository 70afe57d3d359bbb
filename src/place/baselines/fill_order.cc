#include "place/baselines/fill_order.h"

namespace berth::place {

FillOrder fill_order(const Problem& problem, std::span<const std::int64_t> limits) {
  const Cluster& cluster = problem.cluster();
  FillOrder order;
  for (const bool cpus : {false, true}) {
    for (std::size_t index = 0; index < cluster.device_count(); ++index) {
      const DeviceId device(index);
      if ((cluster.device(device).kind == "cpu") != cpus || limits[index] <= 0) continue;
      order.devices.push_back(device);
      order.accelerator_count += cpus ? 0 : 1;
    }
  }
  if (order.devices.empty()) order.devices.emplace_back(0);
  // Without accelerators the CPUs are what there is to fill.
  if (order.accelerator_count == 0) order.accelerator_count = order.devices.size();
  return order;
}

}  // namespace berth::place
