// The machine Berth runs on, as a cluster.
//
// Linux describes its processors in /proc/cpuinfo, /proc/meminfo and /sys/devices/system; every
// NUMA node becomes one CPU device with its cores and memory. NVIDIA GPUs are read from
// `nvidia-smi` where that is installed: models, memory and PCIe slots, and how they are connected
// from `nvidia-smi topo -m` (topo_machine.h). The rates of a GPU come from the data sheet of its
// model (preset_devices.h). Those of a CPU are cores x base clock x flops per cycle of its widest
// vectors. What no file says, such as the bandwidth of the CPU's memory, is assumed, and a note
// says so.
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
