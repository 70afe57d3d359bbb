#include "cluster/preset_machines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "cluster/assembly.h"

namespace berth {
namespace {

constexpr double kInfinibandLinkSeconds = 7.5 / 1e6;
constexpr int kMostDirectlyJoined = 8;

// NVLinks between the eight GPUs of a DGX-1 with V100 (its system architecture white paper; as
// `nvidia-smi topo -m` prints it). P100 has the same pairs, with one link each.
struct CubeEdge {
  int from;
  int to;
  int links;
};
constexpr CubeEdge kHybridCubeMesh[] = {
    {0, 1, 1}, {0, 2, 1}, {0, 3, 2}, {0, 4, 2}, {1, 2, 2}, {1, 3, 1}, {1, 5, 2}, {2, 3, 2},
    {2, 6, 1}, {3, 7, 1}, {4, 5, 1}, {4, 6, 1}, {4, 7, 2}, {5, 6, 2}, {5, 7, 1}, {6, 7, 2}};

using Vertex = Assembly::Vertex;

struct PlacedGpu {
  const GpuRecord* record;
  Vertex vertex;
};

HostEra host_era(const PresetName& preset) {
  HostEra era = preset.parts.front().gpu->era;
  for (const PresetName::Part& part : preset.parts) era = std::max(era, part.gpu->era);
  return era;
}

bool uses_nvswitch(const GpuRecord& gpu, int gpus_per_host) {
  return gpu.fabric == GpuFabric::nvswitch || (gpu.fabric == GpuFabric::mesh && gpus_per_host > 8);
}

class HostBuilder {
 public:
  HostBuilder(Assembly& assembly, const PresetName& preset, std::string prefix)
      : assembly_(assembly),
        host_(host_record(host_era(preset))),
        first_gpu_(*preset.parts.front().gpu),
        prefix_(std::move(prefix)) {
    cpu_ = assembly_.add_device(first_gpu_.host_cpu.value_or(host_.device), prefix_ + "cpu:0");
    for (const PresetName::Part& part : preset.parts)
      for (int i = 0; i < part.count; ++i) add_gpu(*part.gpu);
  }

  void join_by_pcie() {
    const int count = static_cast<int>(gpus_.size());
    if (first_gpu_.form == GpuForm::unified) {  // a copy reads and writes the same memory
      // A copy within one memory reads and writes it, so it gets half of the bandwidth.
      assembly_.link(cpu_, gpus_[0].vertex, std::floor(first_gpu_.device.bandwidth / 2),
                     kPcieLinkSeconds);
      return;
    }
    if (count == 1) {
      // The latency of two links, as through a switch, so that all machines agree on a copy to the
      // CPU.
      assembly_.link(cpu_, gpus_[0].vertex, pcie_rate(*gpus_[0].record), 2 * kPcieLinkSeconds);
      return;
    }
    const bool boards = first_gpu_.preset == "K80";
    const bool modules = first_gpu_.form == GpuForm::module;
    const int gpus_per_switch = boards || modules || count <= 4 ? 2 : 4;
    const double uplink = effective_pcie_rate(host_.pcie_generation);
    for (int i = 0; i < count; ++i) {
      if (i % gpus_per_switch == 0) {
        pcie_.push_back(assembly_.add_switch(
            fmt::format("{}{}:{}", prefix_, boards ? "board" : "pcie", pcie_.size())));
        assembly_.link(cpu_, pcie_.back(), uplink, kPcieLinkSeconds);
      }
      assembly_.link(gpus_[i].vertex, pcie_.back(), pcie_rate(*gpus_[i].record), kPcieLinkSeconds);
    }
    if (uses_nvswitch(first_gpu_, count)) return;  // GPUs reach each other by a wider path
    if (pcie_.size() == 2) {
      assembly_.link(pcie_[0], pcie_[1], uplink, kPcieLinkSeconds);
    } else if (pcie_.size() > 2) {
      const Vertex bridge = assembly_.add_switch(prefix_ + "host");
      for (const Vertex pcie : pcie_) assembly_.link(pcie, bridge, uplink, kPcieLinkSeconds / 2);
    }
  }

  void join_by_fabric() {
    const int count = static_cast<int>(gpus_.size());
    if (count == 1 || first_gpu_.fabric == GpuFabric::none) return;
    const double rate = effective_fabric_rate(first_gpu_);
    if (uses_nvswitch(first_gpu_, count)) {
      const Vertex nvswitch = assembly_.add_switch(prefix_ + "nvswitch");
      for (const PlacedGpu& gpu : gpus_)
        assembly_.link(gpu.vertex, nvswitch, first_gpu_.fabric_links * rate, kNvswitchLinkSeconds);
      return;
    }
    const auto join = [&](int from, int to, int links) {
      if (from < count && to < count)
        assembly_.link(gpus_[from].vertex, gpus_[to].vertex, links * rate, kNvlinkSeconds);
    };
    if (first_gpu_.fabric == GpuFabric::pairs) {
      for (int from = 0; from < count; from += 2) join(from, from + 1, first_gpu_.fabric_links);
      return;
    }
    if (first_gpu_.fabric == GpuFabric::all_to_all) {
      for (int from = 0; from < count; ++from)
        for (int to = from + 1; to < count; ++to)
          // The links of a module are divided over seven peers even if fewer are there.
          join(from, to, first_gpu_.fabric_links / (kMostDirectlyJoined - 1));
      return;
    }
    const bool single_links = first_gpu_.fabric_links < 6;
    if (count > 4) {
      for (const CubeEdge& edge : kHybridCubeMesh)
        join(edge.from, edge.to, single_links ? 1 : edge.links);
    } else {
      for (int from = 0; from < count; ++from)
        for (int to = from + 1; to < count; ++to) join(from, to, single_links ? 1 : 2);
    }
  }

  void join_to(Vertex infiniband) {
    const double rate = effective_infiniband_rate(first_gpu_);
    if (first_gpu_.gpus_per_adapter > 1 && !pcie_.empty()) {
      for (const Vertex pcie : pcie_)
        // Less the PCIe link that the route has besides, so that GPU to GPU takes the same 15 us.
        assembly_.link(pcie, infiniband, rate, kInfinibandLinkSeconds - kPcieLinkSeconds);
      return;
    }
    assembly_.link(cpu_, infiniband, rate, kInfinibandLinkSeconds);
    for (const PlacedGpu& gpu : gpus_)
      assembly_.link(gpu.vertex, infiniband, rate, kInfinibandLinkSeconds);
  }

 private:
  void add_gpu(const GpuRecord& gpu) {
    gpus_.push_back(
        {&gpu, assembly_.add_device(gpu.device, fmt::format("{}gpu:{}", prefix_, gpus_.size()))});
  }
  // A slot is as fast as the slower of card and host.
  double pcie_rate(const GpuRecord& gpu) const {
    return effective_pcie_rate(gpu, host_.pcie_generation);
  }

  Assembly& assembly_;
  const HostRecord& host_;
  const GpuRecord& first_gpu_;
  std::string prefix_;
  Vertex cpu_;
  std::vector<PlacedGpu> gpus_;
  std::vector<Vertex> pcie_;
};

}  // namespace

Cluster build_preset(const PresetName& preset, std::string name) {
  assert(preset.valid());
  Assembly assembly;
  const Vertex infiniband = preset.infiniband ? assembly.add_switch("ib") : Vertex{};
  for (int i = 0; i < preset.hosts; ++i) {
    HostBuilder host(assembly, preset, preset.infiniband ? fmt::format("host{}/", i) : "");
    host.join_by_pcie();
    host.join_by_fabric();
    if (preset.infiniband) host.join_to(infiniband);
  }
  return assembly.finish(std::move(name));
}

std::string summarize_preset(const PresetName& preset) {
  const GpuRecord& gpu = *preset.parts.front().gpu;
  const HostRecord& host = host_record(host_era(preset));
  std::string text = preset.infiniband ? fmt::format("{} hosts of ", preset.hosts) : "";
  for (std::size_t i = 0; i < preset.parts.size(); ++i) {
    const PresetName::Part& part = preset.parts[i];
    text += fmt::format("{}{} {} {} GiB", i > 0 ? " and " : "", part.count, part.gpu->device.model,
                        part.gpu->device.memory_bytes >> 30);
  }
  if (preset.parts.size() > 1) return text + ", PCIe";
  if (gpu.form == GpuForm::unified) {
    return text + fmt::format(" of a memory of {} GiB shared with the CPU",
                              (gpu.device.memory_bytes + gpu.host_cpu->memory_bytes) >> 30);
  }
  if (preset.gpus_per_host() > 1 && gpu.fabric != GpuFabric::none)
    text += fmt::format(", {}",
                        uses_nvswitch(gpu, preset.gpus_per_host()) ? "NVSwitch" : gpu.fabric_name);
  else
    text += fmt::format(", PCIe {}.0{}", std::min(gpu.pcie_generation, host.pcie_generation),
                        gpu.pcie_lanes == 16 ? "" : fmt::format(" x{}", gpu.pcie_lanes));
  if (!preset.infiniband) return text + ", " + host.device.model;
  return text + fmt::format(", InfiniBand {:.0f} Gb/s per {}", gpu.infiniband_rate * 8 / 1e9,
                            gpu.gpus_per_adapter == 1 ? "GPU" : "2 GPUs");
}

std::vector<std::string> sources_of_preset(const PresetName& preset) {
  std::vector<std::string> sources;
  const auto add = [&](const std::string& source) {
    if (std::find(sources.begin(), sources.end(), source) == sources.end())
      sources.push_back(source);
  };
  for (const PresetName::Part& part : preset.parts) add(part.gpu->source);
  if (preset.parts.front().gpu->form == GpuForm::unified) return sources;
  add(host_record(host_era(preset)).source);
  add("PCI Express base specification: 15.75 GB/s each way for 16 lanes of 3.0, twice that for "
      "4.0, "
      "four times for 5.0; 80% of it is used here");
  const GpuRecord& gpu = *preset.parts.front().gpu;
  const bool nvlink = gpu.fabric == GpuFabric::mesh || gpu.fabric == GpuFabric::nvswitch;
  if (nvlink && preset.gpus_per_host() > 1) {
    if (uses_nvswitch(gpu, preset.gpus_per_host()))
      add("NVIDIA NVSwitch technical overview: all GPUs joined at the full rate of their links");
    else if (preset.gpus_per_host() > 4)
      add("NVIDIA DGX-1 With Tesla V100 System Architecture (WP-08437-002): hybrid cube mesh of "
          "eight GPUs");
    add("Dell HPC lab, V100 and P100 in PowerEdge C4130 configuration K: two links between any two "
        "of four V100; 96% and 91% of the nominal NVLink rate measured, 92% is used here");
  }
  if (preset.infiniband)
    add("InfiniBand Trade Association: EDR 100, HDR 200 and NDR 400 Gb/s per port; 95% is used "
        "here");
  return sources;
}

}  // namespace berth
