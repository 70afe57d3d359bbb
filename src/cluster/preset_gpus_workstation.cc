// NVIDIA's GPUs for desktops and workstations.
#include <fmt/format.h>

#include "cluster/preset_gpus.h"

namespace berth {
namespace {

constexpr std::int64_t kMebi = 1024 * 1024;
constexpr std::int64_t kGibi = 1024 * kMebi;
constexpr double kBridgeLinkRate = 14.0625e9;  // four of them: 56.25 GB/s each way

// What NVIDIA's specifications give of a GeForce; the rest follows from it.
struct GeForce {
  std::string_view name;
  int cores = 0;
  double boost_gigahertz = 0;
  std::int64_t memory_gibi = 0;
  int memory_bits = 0;
  double memory_gigabits = 0;  // a second and pin
  int pcie_lanes = 16;
};

// GeForce halves the tensor rate when accumulating in f32, which training does: TF32 is then as
// fast as FP32, FP16 and BF16 twice, FP8 four and INT8 eight times as fast (GeForce RTX 4090 in the
// Ada white paper: 82.6, 82.6, 165.2, 330.3, 660.6; RTX 5090 in the RTX Blackwell white paper:
// 104.8, 104.8, 209.5, 419, 838).
GpuRecord geforce(const GeForce& card, bool blackwell) {
  const double rate = 2 * card.cores * card.boost_gigahertz / 1e3;
  const double bandwidth = card.memory_bits / 8.0 * card.memory_gigabits;
  return {
      .preset = card.name,
      .era = blackwell ? HostEra::workstation_ddr5 : HostEra::workstation,
      .pcie_generation = blackwell ? 5 : 4,
      .pcie_lanes = card.pcie_lanes,
      .device = gpu(std::string(card.name), card.memory_gibi * kGibi, 768 * kMebi,
                    {{DType::f32, rate},
                     {DType::tf32, rate},
                     {DType::f16, 2 * rate},
                     {DType::bf16, 2 * rate},
                     {DType::f8, 4 * rate},
                     {DType::f64, rate / 64},
                     {DType::i8, 8 * rate}},
                    bandwidth, 5),
      .source = fmt::format(
          "NVIDIA GeForce {} specifications: {} cores at {} GHz boost, {} GB, {} bit at {} Gb/s; "
          "dense tensor rates with FP32 accumulation in the proportions of the {} white paper; "
          "FP64 is 1/64 of FP32",
          card.name, card.cores, card.boost_gigahertz, card.memory_gibi, card.memory_bits,
          card.memory_gigabits, blackwell ? "RTX Blackwell" : "Ada")};
}

std::vector<GpuRecord> ada_and_blackwell() {
  constexpr GeForce kAda[] = {
      {"RTX4060", 3072, 2.46, 8, 128, 17, 8},          {"RTX4060Ti", 4352, 2.535, 8, 128, 18, 8},
      {"RTX4060Ti-16GB", 4352, 2.535, 16, 128, 18, 8}, {"RTX4070", 5888, 2.475, 12, 192, 21},
      {"RTX4070-Super", 7168, 2.475, 12, 192, 21},     {"RTX4070Ti", 7680, 2.61, 12, 192, 21},
      {"RTX4070Ti-Super", 8448, 2.61, 16, 256, 21},    {"RTX4080", 9728, 2.505, 16, 256, 22.4},
      {"RTX4080-Super", 10240, 2.55, 16, 256, 23},     {"RTX4090", 16384, 2.52, 24, 384, 21},
  };
  constexpr GeForce kBlackwell[] = {
      {"RTX5060", 3840, 2.497, 8, 128, 28, 8},         {"RTX5060Ti", 4608, 2.572, 8, 128, 28, 8},
      {"RTX5060Ti-16GB", 4608, 2.572, 16, 128, 28, 8}, {"RTX5070", 6144, 2.512, 12, 192, 28},
      {"RTX5070Ti", 8960, 2.452, 16, 256, 28},         {"RTX5080", 10752, 2.617, 16, 256, 30},
      {"RTX5090", 21760, 2.407, 32, 512, 28},
  };
  std::vector<GpuRecord> records;
  for (const GeForce& card : kAda) records.push_back(geforce(card, false));
  for (const GeForce& card : kBlackwell) records.push_back(geforce(card, true));
  return records;
}

// f64 is 1/64 of f32.
std::vector<GpuRecord> workstation() {
  return {
      {.preset = "A6000",
       .era = HostEra::workstation,
       .pcie_generation = 4,
       .fabric_links = 4,
       .fabric_link_rate = kBridgeLinkRate,
       .device = gpu("A6000", 48 * kGibi, 1024 * kMebi,
                     {{DType::f32, 38.7},
                      {DType::tf32, 77.4},
                      {DType::f16, 154.8},
                      {DType::bf16, 154.8},
                      {DType::f64, 0.605},
                      {DType::i8, 309.7}},
                     768, 5),
       .source = "NVIDIA Ampere GA102 white paper, RTX A6000, without sparsity: 38.7 TFLOPS FP32, "
                 "77.4 TF32, 154.8 FP16 and BF16, 309.7 TOPS INT8, 48 GB GDDR6 at 768 GB/s, PCIe "
                 "4.0 x16; its NVLink bridge is not used in presets"},
      {.preset = "RTX6000-Ada",
       .era = HostEra::workstation,
       .pcie_generation = 4,
       .device = gpu("RTX6000-Ada", 48 * kGibi, 1024 * kMebi,
                     {{DType::f32, 91.1},
                      {DType::tf32, 182.1},
                      {DType::f16, 364.25},
                      {DType::bf16, 364.25},
                      {DType::f8, 728.5},
                      {DType::f64, 1.423},
                      {DType::i8, 728.5}},
                     960, 5),
       .source =
           "NVIDIA RTX 6000 Ada Generation data sheet: 91.1 TFLOPS FP32, 1,457 FP8 with "
           "sparsity, the other dense tensor rates in the proportions of the Ada white paper; "
           "48 GB GDDR6 at 960 GB/s, PCIe 4.0 x16"},
  };
}

std::vector<GpuRecord> ampere() {
  return {
      {.preset = "RTX3090",
       .era = HostEra::workstation,
       .pcie_generation = 4,
       .fabric_links = 4,  // of a bridge between two cards, which presets do without
       .fabric_link_rate = kBridgeLinkRate,
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

std::vector<GpuRecord> nvidia_workstation_gpus() {
  std::vector<GpuRecord> all = ampere();
  for (const auto& family : {workstation(), ada_and_blackwell()})
    all.insert(all.end(), family.begin(), family.end());
  return all;
}

}  // namespace berth
