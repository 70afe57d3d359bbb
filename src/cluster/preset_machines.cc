#include "cluster/preset_machines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace berth {
namespace {

constexpr double kPcieLinkSeconds = 5 / 1e6;
constexpr double kNvlinkSeconds = 8 / 1e6;
constexpr double kNvswitchLinkSeconds = 4 / 1e6;
constexpr double kInfinibandLinkSeconds = 7.5 / 1e6;

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

struct Vertex {
  bool is_switch = false;
  std::uint32_t index = 0;
};

// Collects devices and switches in any order; vertices get their numbers at the end, when it is
// known how many devices go before the switches.
class Assembly {
 public:
  Vertex add_device(Device device, std::string name) {
    device.name = std::move(name);
    devices_.push_back(std::move(device));
    return {false, static_cast<std::uint32_t>(devices_.size() - 1)};
  }
  Vertex add_switch(std::string name) {
    switches_.push_back(std::move(name));
    return {true, static_cast<std::uint32_t>(switches_.size() - 1)};
  }
  void link(Vertex from, Vertex to, double bandwidth, double latency_seconds) {
    links_.push_back({from, to, bandwidth, latency_seconds});
  }
  Cluster finish(std::string name) {
    const auto first_switch = static_cast<std::uint32_t>(devices_.size());
    const auto number = [&](Vertex vertex) {
      return vertex.is_switch ? first_switch + vertex.index : vertex.index;
    };
    std::vector<Link> links;
    for (const OpenLink& link : links_)
      links.push_back({number(link.from), number(link.to), link.bandwidth, link.latency_seconds});
    return Cluster(std::move(name), std::move(devices_), std::move(switches_), std::move(links));
  }

 private:
  struct OpenLink {
    Vertex from;
    Vertex to;
    double bandwidth;
    double latency_seconds;
  };
  std::vector<Device> devices_;
  std::vector<std::string> switches_;
  std::vector<OpenLink> links_;
};

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
  return gpu.fabric == NvlinkFabric::nvswitch ||
         (gpu.fabric == NvlinkFabric::mesh && gpus_per_host > 8);
}

class HostBuilder {
 public:
  HostBuilder(Assembly& assembly, const PresetName& preset, std::string prefix)
      : assembly_(assembly),
        host_(host_record(host_era(preset))),
        first_gpu_(*preset.parts.front().gpu),
        prefix_(std::move(prefix)) {
    cpu_ = assembly_.add_device(host_.device, prefix_ + "cpu:0");
    for (const PresetName::Part& part : preset.parts)
      for (int i = 0; i < part.count; ++i) add_gpu(*part.gpu);
  }

  void join_by_pcie() {
    const int count = static_cast<int>(gpus_.size());
    if (count == 1) {
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
    if (uses_nvswitch(first_gpu_, count)) return;  // GPUs reach each other by a wider way
    if (pcie_.size() == 2) {
      assembly_.link(pcie_[0], pcie_[1], uplink, kPcieLinkSeconds);
    } else if (pcie_.size() > 2) {
      const Vertex bridge = assembly_.add_switch(prefix_ + "host");
      for (const Vertex pcie : pcie_) assembly_.link(pcie, bridge, uplink, kPcieLinkSeconds / 2);
    }
  }

  void join_by_nvlink() {
    const int count = static_cast<int>(gpus_.size());
    if (count == 1 || first_gpu_.fabric == NvlinkFabric::none) return;
    const double rate = effective_nvlink_rate(first_gpu_);
    if (uses_nvswitch(first_gpu_, count)) {
      const Vertex nvswitch = assembly_.add_switch(prefix_ + "nvswitch");
      for (const PlacedGpu& gpu : gpus_)
        assembly_.link(gpu.vertex, nvswitch, first_gpu_.nvlinks * rate, kNvswitchLinkSeconds);
      return;
    }
    const auto join = [&](int from, int to, int links) {
      if (from < count && to < count)
        assembly_.link(gpus_[from].vertex, gpus_[to].vertex, links * rate, kNvlinkSeconds);
    };
    const bool single_links = first_gpu_.nvlinks < 6;
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
    return effective_pcie_rate(std::min(gpu.pcie_generation, host_.pcie_generation));
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
    host.join_by_nvlink();
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
  if (preset.gpus_per_host() > 1 && gpu.fabric != NvlinkFabric::none)
    text += uses_nvswitch(gpu, preset.gpus_per_host()) ? ", NVSwitch" : ", NVLink";
  else
    text += fmt::format(", PCIe {}.0", std::min(gpu.pcie_generation, host.pcie_generation));
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
  add(host_record(host_era(preset)).source);
  add("PCI Express base specification: 15.75 GB/s each way for 16 lanes of 3.0, twice that for "
      "4.0, "
      "four times for 5.0; 80% of it is used here");
  const GpuRecord& gpu = *preset.parts.front().gpu;
  if (gpu.fabric != NvlinkFabric::none && preset.gpus_per_host() > 1) {
    if (uses_nvswitch(gpu, preset.gpus_per_host()))
      add("NVIDIA NVSwitch technical overview: all GPUs joined at the full rate of their links");
    else if (preset.gpus_per_host() > 4)
      add("NVIDIA DGX-1 With Tesla V100 System Architecture (WP-08437-002): hybrid cube mesh of "
          "eight GPUs");
    add("Dell HPC lab, V100 and P100 in PowerEdge C4130 configuration K: two links between any two "
        "of four V100; 96% and 91% of the nominal NVLink rate measured, 92% is used here");
  }
  if (preset.infiniband)
    add("InfiniBand Trade Association: EDR 100, HDR 200 and NDR 400 Gb/s a port; 95% is used here");
  return sources;
}

}  // namespace berth
