#include <algorithm>
#include <cassert>
#include <cmath>

#include "cluster/preset_devices.h"

namespace berth {
namespace {

constexpr double kTera = 1e12;
constexpr double kGiga = 1e9;
constexpr std::int64_t kMebi = 1024 * 1024;
constexpr std::int64_t kGibi = 1024 * kMebi;

using Rates = std::vector<std::pair<DType, double>>;

Device gpu(std::string model, std::int64_t memory, std::int64_t reserved, const Rates& tera_flops,
           double gigabytes_per_second, double launch_microseconds) {
  Device device;
  device.kind = "gpu";
  device.model = std::move(model);
  device.memory_bytes = memory;
  device.reserved_bytes = reserved;
  // Rounded, so that 4.29 becomes 4290000000000 and not a neighbour of it.
  for (const auto& [dtype, rate] : tera_flops)
    device.flops.emplace_back(dtype, std::round(rate * kTera));
  device.bandwidth = gigabytes_per_second * kGiga;
  device.launch_seconds = launch_microseconds / 1e6;
  return device;
}

std::vector<GpuRecord> kepler() {
  return {
      // At the base clock of 745 MHz: boost clocks of the K40 have to be set by hand.
      {.preset = "K40",
       .device = gpu("K40", 12 * kGibi, 768 * kMebi + 300 * kMebi,
                     {{DType::f32, 4.29}, {DType::f64, 1.43}}, 288, 10),
       .source = "NVIDIA Tesla K40 data sheet: 4.29 TFLOPS single and 1.43 double precision, 12 GB "
                 "GDDR5 at 288 GB/s, PCIe 3.0 x16"},
      // One of the two GPUs of a board, with its automatic boost.
      {.preset = "K80",
       .device = gpu("K80", 12 * kGibi, 768 * kMebi + 300 * kMebi,
                     {{DType::f32, 4.37}, {DType::f64, 1.455}}, 240, 10),
       .source =
           "NVIDIA Tesla K80 data sheet: a board of two GPUs with 8.74 TFLOPS single and 2.91 "
           "double precision (boost), 24 GB GDDR5 at 480 GB/s, PCIe 3.0 x16; halved here"},
  };
}

std::vector<GpuRecord> pascal() {
  const std::string card =
      "NVIDIA Tesla P100 data sheet, PCIe: 9.3 TFLOPS single, 18.7 half and 4.7 double precision; ";
  const Rates card_rates = {{DType::f32, 9.3}, {DType::f16, 18.7}, {DType::f64, 4.7}};
  return {
      {.preset = "P100",
       .era = HostEra::broadwell,
       .device = gpu("P100", 16 * kGibi, 500 * kMebi, card_rates, 732, 8),
       .source = card + "16 GB HBM2 at 732 GB/s"},
      {.preset = "P100",
       .form = GpuForm::module,
       .era = HostEra::broadwell,
       .fabric = NvlinkFabric::mesh,
       .nvlinks = 4,
       .nvlink_rate = 20 * kGiga,
       .infiniband_rate = 12.5 * kGiga,
       .gpus_per_adapter = 2,
       .device = gpu("P100", 16 * kGibi, 500 * kMebi,
                     {{DType::f32, 10.6}, {DType::f16, 21.2}, {DType::f64, 5.3}}, 732, 8),
       .source = "NVIDIA Tesla P100 data sheet, NVLink: 10.6 TFLOPS single, 21.2 half and 5.3 "
                 "double precision, 16 GB HBM2 at 732 GB/s, four links of 20 GB/s each way"},
      {.preset = "P100-12GB",
       .era = HostEra::broadwell,
       .device = gpu("P100", 12 * kGibi, 500 * kMebi, card_rates, 549, 8),
       .source = card + "12 GB HBM2 at 549 GB/s"},
  };
}

// i8 of Volta is not in the data sheet: its four-way dot product runs at four times the f32 rate.
std::vector<GpuRecord> volta() {
  const Rates card_rates = {{DType::f32, 14}, {DType::f16, 112}, {DType::f64, 7}, {DType::i8, 56}};
  const Rates module_rates = {
      {DType::f32, 15.7}, {DType::f16, 125}, {DType::f64, 7.8}, {DType::i8, 62.8}};
  std::vector<GpuRecord> records;
  for (const bool large : {false, true}) {
    const std::string size = large ? "32 GB" : "16 GB";
    const std::int64_t memory = (large ? 32 : 16) * kGibi;
    const std::string_view name = large ? "V100-32GB" : "V100";
    records.push_back(
        {.preset = name,
         .era = HostEra::skylake,
         .device = gpu("V100", memory, 500 * kMebi, card_rates, 900, 6),
         .source =
             "NVIDIA V100 data sheet, PCIe: 14 TFLOPS single, 7 double precision, 112 tensor; " +
             size + " HBM2 at 900 GB/s"});
    records.push_back(
        {.preset = name,
         .form = GpuForm::module,
         .era = HostEra::skylake,
         .fabric = NvlinkFabric::mesh,
         .nvlinks = 6,
         .nvlink_rate = 25 * kGiga,
         .infiniband_rate = 12.5 * kGiga,
         .gpus_per_adapter = 2,
         .device = gpu("V100", memory, 500 * kMebi, module_rates, 900, 6),
         .source = "NVIDIA V100 data sheet, SXM2: 15.7 TFLOPS single, 7.8 double precision, 125 "
                   "tensor; " +
                   size + " HBM2 at 900 GB/s, NVLink 300 GB/s (six links of 25 GB/s each way)"});
  }
  return records;
}

std::vector<GpuRecord> ampere() {
  const Rates rates = {{DType::f32, 19.5}, {DType::tf32, 156}, {DType::f16, 312},
                       {DType::bf16, 312}, {DType::f64, 9.7},  {DType::i8, 624}};
  const std::string peaks =
      "19.5 TFLOPS FP32, 9.7 FP64, 156 TF32, 312 FP16 and BF16, 624 TOPS INT8; ";
  std::vector<GpuRecord> records;
  for (const bool large : {false, true}) {
    const std::string_view name = large ? "A100-80GB" : "A100";
    const std::int64_t memory = (large ? 80 : 40) * kGibi;
    records.push_back(
        {.preset = name,
         .era = HostEra::rome,
         .pcie_generation = 4,
         .device = gpu("A100", memory, 1024 * kMebi, rates, large ? 1935 : 1555, 5),
         .source = "NVIDIA A100 data sheet, PCIe: " + peaks +
                   (large ? "80 GB HBM2e at 1,935 GB/s" : "40 GB HBM2 at 1,555 GB/s") +
                   ", PCIe 4.0"});
    records.push_back(
        {.preset = name,
         .form = GpuForm::module,
         .era = HostEra::rome,
         .pcie_generation = 4,
         .fabric = NvlinkFabric::nvswitch,
         .nvlinks = 12,
         .nvlink_rate = 25 * kGiga,
         .infiniband_rate = 25 * kGiga,
         .gpus_per_adapter = 1,
         .device = gpu("A100", memory, 1024 * kMebi, rates, large ? 2039 : 1555, 5),
         .source = "NVIDIA A100 data sheet, SXM: " + peaks +
                   (large ? "80 GB HBM2e at 2,039 GB/s" : "40 GB HBM2 at 1,555 GB/s") +
                   ", NVLink 600 GB/s (twelve links of 25 GB/s each way)"});
  }
  return records;
}

std::vector<GpuRecord> hopper() {
  // The data sheet gives tensor rates with sparsity; half of them is dense.
  return {
      {.preset = "H100",
       .era = HostEra::sapphire_rapids,
       .pcie_generation = 5,
       .device = gpu("H100", 80 * kGibi, 1024 * kMebi,
                     {{DType::f32, 51},
                      {DType::tf32, 378},
                      {DType::f16, 756.5},
                      {DType::bf16, 756.5},
                      {DType::f8, 1513},
                      {DType::f64, 26},
                      {DType::i8, 1513}},
                     2000, 4),
       .source = "NVIDIA H100 data sheet, PCIe: 51 TFLOPS FP32, 26 FP64; with sparsity 756 TF32, "
                 "1,513 FP16 and BF16, 3,026 FP8 and INT8; 80 GB HBM2e at 2 TB/s, PCIe 5.0"},
      {.preset = "H100",
       .form = GpuForm::module,
       .era = HostEra::sapphire_rapids,
       .pcie_generation = 5,
       .fabric = NvlinkFabric::nvswitch,
       .nvlinks = 18,
       .nvlink_rate = 25 * kGiga,
       .infiniband_rate = 50 * kGiga,
       .gpus_per_adapter = 1,
       .device = gpu("H100", 80 * kGibi, 1024 * kMebi,
                     {{DType::f32, 67},
                      {DType::tf32, 494.5},
                      {DType::f16, 989.5},
                      {DType::bf16, 989.5},
                      {DType::f8, 1979},
                      {DType::f64, 34},
                      {DType::i8, 1979}},
                     3350, 4),
       .source =
           "NVIDIA H100 data sheet, SXM: 67 TFLOPS FP32, 34 FP64; with sparsity 989 TF32, "
           "1,979 FP16 and BF16, 3,958 FP8 and INT8; 80 GB HBM3 at 3.35 TB/s, NVLink 900 GB/s "
           "(eighteen links of 25 GB/s each way)"},
  };
}

// GeForce halves the tensor rate when accumulating in f32, which training does.
std::vector<GpuRecord> geforce() {
  return {
      {.preset = "RTX3090",
       .era = HostEra::workstation,
       .pcie_generation = 4,
       .device = gpu("RTX3090", 24 * kGibi, 768 * kMebi,
                     {{DType::f32, 35.6},
                      {DType::tf32, 35.6},
                      {DType::f16, 71},
                      {DType::bf16, 71},
                      {DType::f64, 0.556},
                      {DType::i8, 284}},
                     936, 5),
       .source = "NVIDIA Ampere GA102 white paper, GeForce RTX 3090: 35.6 TFLOPS FP32 and TF32, 71 "
                 "FP16 with FP32 accumulation and BF16, 284 TOPS INT8, 24 GB GDDR6X at 936 GB/s; "
                 "FP64 is 1/64 of FP32"},
      {.preset = "RTX3060",
       .era = HostEra::workstation,
       .pcie_generation = 4,
       .device = gpu("RTX3060", 12 * kGibi, 768 * kMebi,
                     {{DType::f32, 12.7},
                      {DType::tf32, 12.7},
                      {DType::f16, 25.5},
                      {DType::bf16, 25.5},
                      {DType::f64, 0.199},
                      {DType::i8, 102}},
                     360, 5),
       .source =
           "NVIDIA GeForce RTX 3060 specifications: 3,584 cores at 1.78 GHz boost, 12 GB GDDR6, "
           "192 bit at 15 Gb/s; tensor rates in the proportions of the GA102 white paper"},
      {.preset = "RTX3050-laptop",
       .era = HostEra::laptop,
       .pcie_generation = 3,  // 4.0 x8, which is as fast as 3.0 x16
       .device = gpu("RTX3050-laptop", 4 * kGibi, 512 * kMebi,
                     {{DType::f32, 4.33},
                      {DType::tf32, 4.33},
                      {DType::f16, 8.66},
                      {DType::bf16, 8.66},
                      {DType::f64, 0.068},
                      {DType::i8, 34.6}},
                     192, 6),
       .source = "NVIDIA GeForce RTX 30 laptop comparison, RTX 3050: 2,048 cores at 1,057 MHz (the "
                 "least of its boost range), 4 GB GDDR6, 128 bit at 12 Gb/s; tensor rates in the "
                 "proportions of the GA102 white paper"},
  };
}

}  // namespace

const std::vector<GpuRecord>& gpu_records() {
  static const std::vector<GpuRecord> records = [] {
    std::vector<GpuRecord> all;
    for (const auto& family : {kepler(), pascal(), volta(), ampere(), hopper(), geforce()})
      all.insert(all.end(), family.begin(), family.end());
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

double effective_nvlink_rate(const GpuRecord& gpu) { return std::round(0.92 * gpu.nvlink_rate); }

double effective_infiniband_rate(const GpuRecord& gpu) {
  return std::round(0.95 * gpu.infiniband_rate);
}

}  // namespace berth
