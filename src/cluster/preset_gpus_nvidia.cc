// NVIDIA's GPUs for the data center, oldest first.
#include "cluster/preset_gpus.h"

namespace berth {
namespace {

constexpr double kGiga = 1e9;
constexpr std::int64_t kMebi = 1024 * 1024;
constexpr std::int64_t kGibi = 1024 * kMebi;

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
       .fabric = GpuFabric::mesh,
       .fabric_links = 4,
       .fabric_link_rate = 20 * kGiga,
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
         .fabric = GpuFabric::mesh,
         .fabric_links = 6,
         .fabric_link_rate = 25 * kGiga,
         .infiniband_rate = 12.5 * kGiga,
         .gpus_per_adapter = 2,
         .device = gpu("V100", memory, 500 * kMebi, module_rates, 900, 6),
         .source = "NVIDIA V100 data sheet, SXM2: 15.7 TFLOPS single, 7.8 double precision, 125 "
                   "tensor; " +
                   size + " HBM2 at 900 GB/s, NVLink 300 GB/s (six links of 25 GB/s each way)"});
  }
  return records;
}

// f64 is not in the data sheet: 1/32 of f32.
std::vector<GpuRecord> turing() {
  return {
      {.preset = "T4",
       .era = HostEra::skylake,
       .device = gpu("T4", 16 * kGibi, 1524 * kMebi,
                     {{DType::f32, 8.1}, {DType::f16, 65}, {DType::f64, 0.253}, {DType::i8, 130}},
                     320, 6),
       .source = "NVIDIA T4 data sheet: 8.1 TFLOPS FP32, 65 FP16, 130 TOPS INT8, 16 GB GDDR6, PCIe "
                 "3.0 x16; 320 GB/s from its product brief"},
  };
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
         .fabric_links = 12,  // of a bridge between two cards, which presets do without
         .fabric_link_rate = 25 * kGiga,
         .device = gpu("A100", memory, 1024 * kMebi, rates, large ? 1935 : 1555, 5),
         .source = "NVIDIA A100 data sheet, PCIe: " + peaks +
                   (large ? "80 GB HBM2e at 1,935 GB/s" : "40 GB HBM2 at 1,555 GB/s") +
                   ", PCIe 4.0"});
    records.push_back(
        {.preset = name,
         .form = GpuForm::module,
         .era = HostEra::rome,
         .pcie_generation = 4,
         .fabric = GpuFabric::nvswitch,
         .fabric_links = 12,
         .fabric_link_rate = 25 * kGiga,
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
       .fabric_links = 12,
       .fabric_link_rate = 25 * kGiga,
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
       .fabric = GpuFabric::nvswitch,
       .fabric_links = 18,
       .fabric_link_rate = 25 * kGiga,
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
      // The compute of H100 with another memory.
      {.preset = "H200",
       .era = HostEra::sapphire_rapids,
       .pcie_generation = 5,
       .fabric_links = 18,
       .fabric_link_rate = 25 * kGiga,
       .device = gpu("H200", 141 * kGibi, 2048 * kMebi,
                     {{DType::f32, 60},
                      {DType::tf32, 417.5},
                      {DType::f16, 835.5},
                      {DType::bf16, 835.5},
                      {DType::f8, 1670.5},
                      {DType::f64, 30},
                      {DType::i8, 1670.5}},
                     4800, 4),
       .source = "NVIDIA H200 data sheet, NVL: 60 TFLOPS FP32, 30 FP64; with sparsity 835 TF32, "
                 "1,671 FP16 and BF16, 3,341 FP8 and INT8, halved here; 141 GB HBM3e at 4.8 TB/s, "
                 "PCIe 5.0"},
      {.preset = "H200",
       .form = GpuForm::module,
       .era = HostEra::sapphire_rapids,
       .pcie_generation = 5,
       .fabric = GpuFabric::nvswitch,
       .fabric_links = 18,
       .fabric_link_rate = 25 * kGiga,
       .infiniband_rate = 50 * kGiga,
       .gpus_per_adapter = 1,
       .device = gpu("H200", 141 * kGibi, 2048 * kMebi,
                     {{DType::f32, 67},
                      {DType::tf32, 494.5},
                      {DType::f16, 989.5},
                      {DType::bf16, 989.5},
                      {DType::f8, 1979},
                      {DType::f64, 34},
                      {DType::i8, 1979}},
                     4800, 4),
       .source = "NVIDIA H200 data sheet, SXM: 67 TFLOPS FP32, 34 FP64; with sparsity 989 TF32, "
                 "1,979 FP16 and BF16, 3,958 FP8 and INT8, halved here; 141 GB HBM3e at 4.8 TB/s, "
                 "NVLink 900 GB/s (eighteen links of 25 GB/s each way)"},
  };
}

// The data sheet is of eight GPUs, tensor rates with sparsity: an eighth, and half of that.
std::vector<GpuRecord> blackwell() {
  return {
      {.preset = "B200",
       .form = GpuForm::module,
       .era = HostEra::emerald_rapids,
       .pcie_generation = 5,
       .fabric = GpuFabric::nvswitch,
       .fabric_links = 18,
       .fabric_link_rate = 50 * kGiga,
       .infiniband_rate = 50 * kGiga,
       .gpus_per_adapter = 1,
       .device = gpu("B200", 180 * kGibi, 2048 * kMebi,
                     {{DType::f32, 75},
                      {DType::tf32, 1125},
                      {DType::f16, 2250},
                      {DType::bf16, 2250},
                      {DType::f8, 4500},
                      {DType::f64, 37},
                      {DType::i8, 4500}},
                     8000, 4),
       .source = "NVIDIA HGX B200 data sheet, eight GPUs: 600 TFLOPS FP32, 296 FP64; with sparsity "
                 "18 PFLOPS TF32, 36 FP16 and BF16, 72 FP8 and INT8; NVIDIA DGX B200 data sheet: "
                 "1,440 GB HBM3e at 64 TB/s, NVLink 14.4 TB/s (eighteen links of 50 GB/s each way "
                 "per GPU)"},
  };
}

// Cards of the data center without HBM. f64 is not in their data sheets: 1/64 of f32.
std::vector<GpuRecord> inference_cards() {
  return {
      {.preset = "A10",
       .era = HostEra::rome,
       .pcie_generation = 4,
       .device = gpu("A10", 24 * kGibi, 2304 * kMebi,
                     {{DType::f32, 31.2},
                      {DType::tf32, 62.5},
                      {DType::f16, 125},
                      {DType::bf16, 125},
                      {DType::f64, 0.488},
                      {DType::i8, 250}},
                     600, 5),
       .source = "NVIDIA A10 data sheet, without sparsity: 31.2 TFLOPS FP32, 62.5 TF32, 125 FP16 "
                 "and BF16, 250 TOPS INT8, 24 GB GDDR6 at 600 GB/s, PCIe 4.0 x16"},
      {.preset = "L4",
       .era = HostEra::sapphire_rapids,
       .pcie_generation = 4,
       .device = gpu("L4", 24 * kGibi, 2304 * kMebi,
                     {{DType::f32, 30.3},
                      {DType::tf32, 60},
                      {DType::f16, 121},
                      {DType::bf16, 121},
                      {DType::f8, 242.5},
                      {DType::f64, 0.473},
                      {DType::i8, 242.5}},
                     300, 5),
       .source = "NVIDIA L4 data sheet: 30.3 TFLOPS FP32; with sparsity 120 TF32, 242 FP16 and "
                 "BF16, 485 FP8 and INT8, halved here; 24 GB GDDR6 at 300 GB/s, PCIe 4.0 x16"},
      {.preset = "L40S",
       .era = HostEra::sapphire_rapids,
       .pcie_generation = 4,
       .device = gpu("L40S", 48 * kGibi, 4096 * kMebi,
                     {{DType::f32, 91.6},
                      {DType::tf32, 183},
                      {DType::f16, 362.05},
                      {DType::bf16, 362.05},
                      {DType::f8, 733},
                      {DType::f64, 1.431},
                      {DType::i8, 733}},
                     864, 5),
       .source = "NVIDIA L40S data sheet, without sparsity: 91.6 TFLOPS FP32, 183 TF32, 362.05 "
                 "FP16 and BF16, 733 FP8 and INT8, 48 GB GDDR6 at 864 GB/s, PCIe 4.0 x16"},
  };
}

}  // namespace

std::vector<GpuRecord> nvidia_data_center_gpus() {
  std::vector<GpuRecord> all;
  for (const auto& family :
       {kepler(), pascal(), volta(), turing(), ampere(), inference_cards(), hopper(), blackwell()})
    all.insert(all.end(), family.begin(), family.end());
  return all;
}

}  // namespace berth
