// The devices of the built-in clusters: GPUs by model and form, and the host machines of their
// time. Figures are peaks from the vendors' documents, named in `source` of each record; how much
// of a peak a kernel reaches is part of the cost model. Where no document has a figure, it is our
// own:
//
//  - launch times, round figures for one kernel from a framework's stream, falling with the years;
//  - reserved memory: what the driver keeps of the nominal size (ECC takes 1/16 on Kepler, T4, A10,
//    L4 and L40S) and a process's context; on hosts, the operating system;
//  - peaks of CPUs: cores x base clock x flops per cycle, over all sockets, which frameworks see as
//    one device. Clocks under wide vectors are lower.
//
// Rates of tensor cores are dense (no sparsity) and accumulate in f32. f32 is the rate of the plain
// cores; a framework that lets f32 matrix products run as TF32 has the dtype tf32. A dtype that is
// missing runs at the f32 rate (Device::flops_for).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/cluster.h"

namespace berth {

// Ours, as preset_machines.h says: what a small copy takes per link, driver included.
inline constexpr double kPcieLinkSeconds = 5 / 1e6;
inline constexpr double kNvlinkSeconds = 8 / 1e6;
inline constexpr double kNvswitchLinkSeconds = 4 / 1e6;

// How a GPU sits in its host: a card on PCIe alone, a module that has links to others besides, or
// on one chip with the CPU, sharing its memory.
enum class GpuForm { card, module, unified };

// How modules are joined: as in DGX-1 (preset_machines.h), by NVSwitch, any two directly, or the
// two of a package.
enum class GpuFabric { none, mesh, nvswitch, all_to_all, pairs };

// Host machines, oldest first: a host of mixed cards is the one its newest card asks for.
enum class HostEra {
  haswell,
  broadwell,
  skylake,
  laptop,
  workstation,
  rome,
  workstation_ddr5,
  sapphire_rapids,
  emerald_rapids
};

struct GpuRecord {
  std::string_view
      preset;  // the name in presets, "P100-12GB"; the model of `device` may be shorter
  GpuForm form = GpuForm::card;
  HostEra era = HostEra::haswell;
  int pcie_generation = 3;
  int pcie_lanes = 16;
  GpuFabric fabric = GpuFabric::none;
  std::string_view fabric_name = "NVLink";
  int fabric_links = 0;         // of one GPU; of a card, those of a bridge to another
  double fabric_link_rate = 0;  // nominal, of one link, one way
  double fabric_share = 0.92;   // of it that a copy sees
  double infiniband_rate = 0;   // nominal, of the adapters such machines come with; 0: none
  int gpus_per_adapter = 0;
  std::optional<Device> host_cpu = {};  // of a unified machine
  Device device;                        // without a name
  std::string source;
};

struct HostRecord {
  HostEra era = HostEra::haswell;
  int pcie_generation = 3;
  Device device;  // without a name
  std::string source;
};

const std::vector<GpuRecord>& gpu_records();
const HostRecord& host_record(HostEra era);

// The record of a preset's model in a form; nullptr when there is none.
const GpuRecord* find_gpu(std::string_view preset, GpuForm form);
// Names of the models, in order of age.
std::vector<std::string> gpu_names();

// What a copy sees of a link: 80% of a PCIe x16 slot's nominal rate (headers, flow control, chip
// sets), 92% of NVLink (91% measured on P100 and 96% on V100 by Dell's HPC lab in PowerEdge C4130),
// 95% of InfiniBand and Ethernet, 80% of Infinity Fabric (ours, for want of a measurement at hand).
double effective_pcie_rate(int generation);
// In a slot of that generation, which may be below its own.
double effective_pcie_rate(const GpuRecord& gpu, int slot_generation);
double effective_fabric_rate(const GpuRecord& gpu);  // of one link
double effective_infiniband_rate(const GpuRecord& gpu);

}  // namespace berth
