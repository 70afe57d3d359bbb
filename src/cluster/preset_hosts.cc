#include <cassert>
#include <cmath>

#include "cluster/preset_devices.h"

namespace berth {
namespace {

constexpr double kGiga = 1e9;
constexpr std::int64_t kGibi = 1024ll * 1024 * 1024;
constexpr double kLaunchSeconds = 2e-6;

struct Processor {
  std::string model;
  int cores = 0;  // over all sockets
  double base_gigahertz = 0;
  int f32_flops_per_cycle = 0;      // of one core: vector lanes x multiply-add units x 2
  double gigabytes_per_second = 0;  // of memory, over all sockets
  std::int64_t memory_gibi = 0;
  std::int64_t reserved_gibi = 0;
};

Device cpu(const Processor& processor) {
  const double cycles = std::round(processor.cores * processor.base_gigahertz * kGiga);
  Device device;
  device.kind = "cpu";
  device.model = processor.model;
  device.memory_bytes = processor.memory_gibi * kGibi;
  device.reserved_bytes = processor.reserved_gibi * kGibi;
  device.flops = {{DType::f32, cycles * processor.f32_flops_per_cycle},
                  {DType::f64, cycles * processor.f32_flops_per_cycle / 2}};
  device.bandwidth = std::round(processor.gigabytes_per_second * kGiga);
  device.launch_seconds = kLaunchSeconds;
  return device;
}

std::vector<HostRecord> make_hosts() {
  std::vector<HostRecord> hosts = {
      {.era = HostEra::haswell,
       .device = cpu({"Xeon E5-2690 v3", 24, 2.6, 32, 2 * 68.0, 256, 4}),
       .source = "Intel Xeon E5-2690 v3 specifications: 12 cores at 2.6 GHz, AVX2, 68 GB/s; two "
                 "sockets, 256 GB"},
      {.era = HostEra::broadwell,
       .device = cpu({"Xeon E5-2698 v4", 40, 2.2, 32, 2 * 76.8, 512, 4}),
       .source =
           "NVIDIA DGX-1 system architecture: two Xeon E5-2698 v4 (20 cores at 2.2 GHz, AVX2, "
           "76.8 GB/s), 512 GB"},
      {.era = HostEra::skylake,
       .device = cpu({"Xeon Platinum 8168", 48, 2.7, 64, 2 * 128.0, 768, 4}),
       .source =
           "Intel Xeon Platinum 8168 specifications (the processor of NVIDIA DGX-2): 24 cores "
           "at 2.7 GHz, AVX-512, six channels of DDR4-2666; two sockets, 768 GB"},
      {.era = HostEra::laptop,
       .device = cpu({"Core i7-11800H", 8, 2.3, 32, 51.2, 16, 4}),
       .source = "Intel Core i7-11800H specifications: 8 cores at 2.3 GHz, two channels of "
                 "DDR4-3200; 16 GB"},
      {.era = HostEra::workstation,
       .pcie_generation = 4,
       .device = cpu({"Threadripper PRO 3975WX", 32, 3.5, 32, 204.8, 128, 4}),
       .source =
           "AMD Ryzen Threadripper PRO 3975WX specifications: 32 cores at 3.5 GHz, AVX2, eight "
           "channels of DDR4-3200, PCIe 4.0; 128 GB"},
      {.era = HostEra::rome,
       .pcie_generation = 4,
       .device = cpu({"EPYC 7742", 128, 2.25, 32, 2 * 204.8, 1024, 8}),
       .source = "NVIDIA DGX A100 data sheet: two AMD EPYC 7742 (64 cores at 2.25 GHz, AVX2, 204.8 "
                 "GB/s), 1 TB, eight 200 Gb/s HDR InfiniBand adapters"},
      {.era = HostEra::workstation_ddr5,
       .pcie_generation = 5,
       .device = cpu({"Threadripper PRO 7975WX", 32, 4.0, 32, 332.8, 256, 4}),
       .source =
           "AMD Ryzen Threadripper PRO 7975WX specifications: 32 cores at 4.0 GHz, eight channels "
           "of DDR5-5200, PCIe 5.0; AVX-512 runs in two halves, so as many flops per cycle as "
           "AVX2; 256 GB"},
      {.era = HostEra::sapphire_rapids,
       .pcie_generation = 5,
       .device = cpu({"Xeon Platinum 8480C", 112, 2.0, 64, 2 * 307.2, 2048, 8}),
       .source =
           "NVIDIA DGX H100 data sheet: two Xeon Platinum 8480C (56 cores at 2.0 GHz, AVX-512 "
           "and AMX, eight channels of DDR5-4800), 2 TB, eight 400 Gb/s NDR InfiniBand "
           "adapters"},
  };
  hosts.push_back(
      {.era = HostEra::emerald_rapids,
       .pcie_generation = 5,
       .device = cpu({"Xeon Platinum 8570", 112, 2.1, 64, 2 * 358.4, 2048, 8}),
       .source = "NVIDIA DGX B200 data sheet: two Xeon Platinum 8570 (56 cores at 2.1 GHz, AVX-512 "
                 "and AMX, eight channels of DDR5-5600), 2 TB or more, eight 400 Gb/s InfiniBand "
                 "adapters"});
  // Matrix tiles (AMX) do 2,048 bf16 or 4,096 i8 operations a cycle and core (Intel 64 and IA-32
  // Architectures Optimization Reference Manual).
  for (HostRecord& host : hosts) {
    if (host.era < HostEra::sapphire_rapids) continue;
    const double cycles = host.device.flops.front().second / 64;
    host.device.flops.emplace_back(DType::bf16, cycles * 2048);
    host.device.flops.emplace_back(DType::i8, cycles * 4096);
  }
  return hosts;
}

}  // namespace

const HostRecord& host_record(HostEra era) {
  static const std::vector<HostRecord> hosts = make_hosts();
  for (const HostRecord& host : hosts)
    if (host.era == era) return host;
  assert(false && "every era has a host");
  return hosts.front();
}

}  // namespace berth
