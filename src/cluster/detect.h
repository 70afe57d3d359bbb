// The machine Berth runs on, as a cluster: what `berth clusters --detect` writes.
//
// Linux tells of its processors in /proc/cpuinfo, /proc/meminfo and /sys/devices/system: a CPU
// device for every NUMA node with its cores and memory. NVIDIA's GPUs are asked for by `nvidia-smi`
// where that is installed: models, memory, PCIe slots, and by `nvidia-smi topo -m` how they are
// joined (topo_machine.h). Rates of a GPU are those of its model's data sheet (preset_devices.h).
// Of a CPU they are cores x base clock x flops per cycle of its widest vectors. What no file tells
// is assumed, and said in a note: the bandwidth of the CPU's memory.
//
// It does not look for accelerators of other vendors, for networks, or for limits that a container
// puts on memory.
#pragma once

#include <string>
#include <vector>

#include "cluster/cluster.h"

namespace berth {

// Where to look; tests bring their own.
struct MachineSources {
  std::string proc = "/proc";
  std::string sys = "/sys";
  std::string nvidia_smi = "nvidia-smi";  // found along PATH
};

struct DetectedMachine {
  Cluster cluster;
  std::vector<std::string> notes;  // sentences on what was assumed
};

// `gpu_model` (a name of preset_devices.h) is for GPUs whose product name is not known; empty: such
// a GPU is an error that asks for it. Throws InputError.
DetectedMachine detect_machine(const MachineSources& sources, const std::string& gpu_model);

}  // namespace berth
