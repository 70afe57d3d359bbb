// Accelerators of AMD and Intel, and Apple's machines.
#include <fmt/format.h>

#include "cluster/preset_gpus.h"

namespace berth {
namespace {

constexpr double kGiga = 1e9;
constexpr std::int64_t kMebi = 1024 * 1024;
constexpr std::int64_t kGibi = 1024 * kMebi;

std::vector<GpuRecord> instinct() {
  return {
      // One of the two dies of a module, which frameworks see as two GPUs. Plain f32 products run
      // on the matrix cores. Links between modules differ from server to server and are left out.
      {.preset = "MI250X",
       .form = GpuForm::module,
       .era = HostEra::rome,
       .pcie_generation = 4,
       .fabric = GpuFabric::pairs,
       .fabric_name = "Infinity Fabric",
       .fabric_links = 4,
       .fabric_link_rate = 50 * kGiga,
       .fabric_share = 0.80,
       .device = gpu("MI250X", 64 * kGibi, 1024 * kMebi,
                     {{DType::f32, 47.85},
                      {DType::f16, 191.5},
                      {DType::bf16, 191.5},
                      {DType::f64, 23.95},
                      {DType::i8, 191.5}},
                     1638.4, 6),
       .source = "AMD Instinct MI250X data sheet: a module of two dies with 95.7 TFLOPS FP32 "
                 "matrix, 47.9 FP64 vector, 383 FP16, BF16 and INT8, 128 GB HBM2e at 3.2768 TB/s; "
                 "halved here. AMD CDNA 2 white paper: four Infinity Fabric links of 50 GB/s each "
                 "way between the dies; 80% is used here"},
      {.preset = "MI300X",
       .form = GpuForm::module,
       .era = HostEra::sapphire_rapids,
       .pcie_generation = 5,
       .fabric = GpuFabric::all_to_all,
       .fabric_name = "Infinity Fabric",
       .fabric_links = 7,
       .fabric_link_rate = 64 * kGiga,
       .fabric_share = 0.80,
       .device = gpu("MI300X", 192 * kGibi, 2048 * kMebi,
                     {{DType::f32, 163.4},
                      {DType::tf32, 653.7},
                      {DType::f16, 1307.4},
                      {DType::bf16, 1307.4},
                      {DType::f8, 2614.9},
                      {DType::f64, 81.7},
                      {DType::i8, 2614.9}},
                     5300, 5),
       .source =
           "AMD Instinct MI300X data sheet, without sparsity: 163.4 TFLOPS FP32, 81.7 FP64, "
           "653.7 TF32, 1,307.4 FP16 and BF16, 2,614.9 FP8 and INT8, 192 GB HBM3 at 5.3 TB/s, "
           "seven Infinity Fabric links of 64 GB/s each way, PCIe 5.0; 80% of a link is used "
           "here"},
  };
}

std::vector<GpuRecord> gaudi() {
  return {
      // No rate of FP32 products is in the documents at hand: half of the BF16 vector rate.
      {.preset = "Gaudi3",
       .form = GpuForm::module,
       .era = HostEra::sapphire_rapids,
       .pcie_generation = 5,
       .fabric = GpuFabric::all_to_all,
       .fabric_name = "RoCE",
       .fabric_links = 21,
       .fabric_link_rate = 25 * kGiga,
       .fabric_share = 0.95,
       .device = gpu("Gaudi3", 128 * kGibi, 2048 * kMebi,
                     {{DType::f32, 14.35}, {DType::bf16, 1835}, {DType::f8, 1835}}, 3670, 8),
       .source = "Intel Gaudi 3 AI Accelerator, Hot Chips 2024: 1,835 TFLOPS BF16 and FP8 matrix, "
                 "28.7 BF16 vector, 128 GB HBM2e at 3.67 TB/s, PCIe 5.0 x16, 24 ports of 200 Gb/s "
                 "Ethernet, three to each of seven neighbours; 95% is used here. The f32 rate is "
                 "half of the vector rate, because no other is published"},
  };
}

// One memory for CPU and GPU. A plan keeps what each holds apart, so the memory is split as macOS
// does it by default: the GPU may have three quarters, the CPU keeps the rest. A copy between them
// reads and writes the one memory, at half its bandwidth.
struct AppleChip {
  std::string_view name;
  std::int64_t memory_gibi = 0;
  double gigabytes_per_second = 0;
  int gpu_cores = 0;
  double gpu_gigahertz = 0;
  int performance_cores = 0;
  double cpu_gigahertz = 0;
};

GpuRecord apple(const AppleChip& chip) {
  const double rate = 256.0 * chip.gpu_cores * chip.gpu_gigahertz / 1e3;  // 128 lanes a core
  const double cpu_rate = 32.0 * chip.performance_cores * chip.cpu_gigahertz / 1e3;
  Device cpu =
      gpu(fmt::format("{} CPU", chip.name), chip.memory_gibi * kGibi / 4, 4 * kGibi,
          {{DType::f32, cpu_rate}, {DType::f64, cpu_rate / 2}}, chip.gigabytes_per_second / 2, 2);
  cpu.kind = "cpu";
  return {.preset = chip.name,
          .form = GpuForm::unified,
          .host_cpu = cpu,
          .device = gpu(std::string(chip.name), chip.memory_gibi * kGibi * 3 / 4, 512 * kMebi,
                        {{DType::f32, rate}, {DType::f16, rate}, {DType::bf16, rate}},
                        chip.gigabytes_per_second, 10),
          .source = fmt::format(
              "Apple {} specifications, largest: {} GPU cores, {} performance cores, {} GB at {} "
              "GB/s, split here 3 : 1 between GPU and CPU. Clocks ({} and {} GHz) are as users "
              "measure them: Apple publishes none. FP16 is as fast as FP32; there is no FP64",
              chip.name, chip.gpu_cores, chip.performance_cores, chip.memory_gibi,
              chip.gigabytes_per_second, chip.gpu_gigahertz, chip.cpu_gigahertz)};
}

std::vector<GpuRecord> apple_machines() {
  // There was no M4 Ultra: the Mac Studio of that year came with M4 Max and M3 Ultra.
  constexpr AppleChip kChips[] = {
      {"M2-Max", 96, 400, 38, 1.4, 8, 3.5},    {"M2-Ultra", 192, 800, 76, 1.4, 16, 3.5},
      {"M3-Max", 128, 400, 40, 1.4, 12, 4.05}, {"M3-Ultra", 512, 819, 80, 1.4, 24, 4.05},
      {"M4-Max", 128, 546, 40, 1.68, 12, 4.5},
  };
  std::vector<GpuRecord> records;
  for (const AppleChip& chip : kChips) records.push_back(apple(chip));
  return records;
}

}  // namespace

std::vector<GpuRecord> other_gpus() {
  std::vector<GpuRecord> all = instinct();
  for (const auto& family : {gaudi(), apple_machines()})
    all.insert(all.end(), family.begin(), family.end());
  return all;
}

}  // namespace berth
