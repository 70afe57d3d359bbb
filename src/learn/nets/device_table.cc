#include "learn/nets/device_table.h"

#include "learn/features.h"

namespace berth::learn {

DeviceTable::DeviceTable(bool full)
    : full_(full), slots_(parameter("slots", glorot(kSlots, kWidth))) {
  if (full) {
    projection_ = part("projection", Linear(static_cast<std::int64_t>(Features::kDevices), kWidth));
  }
}

Tensor DeviceTable::operator()(std::int64_t devices, const Tensor& features) const {
  // Modulo: a cluster with more devices than slots shares them.
  const Tensor table = slots_.index_select(0, torch::arange(devices, at::kLong).remainder(kSlots));
  return full_ ? table + projection_(features) : table;
}

}  // namespace berth::learn
