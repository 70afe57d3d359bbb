// Devices as input, not as fixed outputs: the embedding of a device is a learned slot (number
// modulo 64, to tell equal devices apart) plus, with full features, a projection of what the device
// is. So one policy works for clusters of any size, although slots that training did not use keep
// their initial values.
#pragma once

#include "learn/nets/module.h"

namespace berth::learn {

class DeviceTable : public Module {
 public:
  static constexpr std::int64_t kSlots = 64;
  static constexpr std::int64_t kWidth = 32;

  DeviceTable() = default;
  explicit DeviceTable(bool full);

  // [devices, kWidth]; `features`: [devices, Features::kDevices], read with full features only.
  Tensor operator()(std::int64_t devices, const Tensor& features) const;

 private:
  bool full_ = false;
  Tensor slots_;  // [kSlots, kWidth]
  Linear projection_;
};

}  // namespace berth::learn
