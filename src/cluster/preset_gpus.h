// The records of GPUs by vendor; preset_devices.h says what the figures mean.
#pragma once

#include <utility>
#include <vector>

#include "cluster/preset_devices.h"

namespace berth {

// Rates in TFLOPS.
using Rates = std::vector<std::pair<DType, double>>;

Device gpu(std::string model, std::int64_t memory_bytes, std::int64_t reserved_bytes,
           const Rates& tera_flops, double gigabytes_per_second, double launch_microseconds);

std::vector<GpuRecord> nvidia_data_center_gpus();
std::vector<GpuRecord> nvidia_workstation_gpus();  // GeForce and RTX
std::vector<GpuRecord> other_gpus();               // AMD, Intel, Apple

}  // namespace berth
