#include "cluster/preset_gpus.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace berth {
namespace {

constexpr double kTera = 1e12;
constexpr double kGiga = 1e9;

}  // namespace

Device gpu(std::string model, std::int64_t memory_bytes, std::int64_t reserved_bytes,
           const Rates& tera_flops, double gigabytes_per_second, double launch_microseconds) {
  Device device;
  device.kind = "gpu";
  device.model = std::move(model);
  device.memory_bytes = memory_bytes;
  device.reserved_bytes = reserved_bytes;
  // Rounded, so that 4.29 becomes 4290000000000 and not a neighbour of it.
  for (const auto& [dtype, rate] : tera_flops)
    device.flops.emplace_back(dtype, std::round(rate * kTera));
  device.bandwidth = std::round(gigabytes_per_second * kGiga);
  device.launch_seconds = launch_microseconds / 1e6;
  return device;
}

const std::vector<GpuRecord>& gpu_records() {
  static const std::vector<GpuRecord> records = [] {
    std::vector<GpuRecord> all;
    for (const auto& vendor : {nvidia_data_center_gpus(), nvidia_workstation_gpus(), other_gpus()})
      all.insert(all.end(), vendor.begin(), vendor.end());
    return all;
  }();
  return records;
}

const GpuRecord* find_gpu(std::string_view preset, GpuForm form) {
  for (const GpuRecord& record : gpu_records())
    if (record.preset == preset && record.form == form) return &record;
  return nullptr;
}

std::vector<std::string> gpu_names() {
  std::vector<std::string> names;
  for (const GpuRecord& record : gpu_records())
    if (std::find(names.begin(), names.end(), record.preset) == names.end())
      names.emplace_back(record.preset);
  return names;
}

double effective_pcie_rate(int generation) {
  // 80% of 15.75, 31.5 and 63 GB/s: 16 lanes of 8, 16 and 32 GT/s in 128b/130b coding.
  assert(generation >= 3 && generation <= 5);
  return 12.6 * kGiga * (1 << (generation - 3));
}

double effective_pcie_rate(const GpuRecord& gpu, int slot_generation) {
  return effective_pcie_rate(std::min(gpu.pcie_generation, slot_generation)) * gpu.pcie_lanes / 16;
}

double effective_fabric_rate(const GpuRecord& gpu) {
  return std::round(gpu.fabric_share * gpu.fabric_link_rate);
}

double effective_infiniband_rate(const GpuRecord& gpu) {
  return std::round(0.95 * gpu.infiniband_rate);
}

}  // namespace berth
