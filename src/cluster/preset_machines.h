// Builds the hosts of a built-in cluster from the records of their parts.
//
//   PCIe      Cards are on PCIe switches: two per switch in hosts of up to four cards, else four.
//             Modules: two per switch. The two GPUs of a K80 board: the switch of the board. Each
//             switch has a link to the memory of cpu:0 and one to the other switches (through
//             `host` when there are more than two). Both stand for its one uplink. In reality a
//             copy to the CPU and one across the sockets share it; here they do not wait for each
//             other. A single GPU is connected to cpu:0 directly.
//   NVLink    V100 and P100: up to four modules all joined to each other, five to eight in the
//             hybrid cube mesh of DGX-1. A100, H100, H200, B200 and sixteen V100: NVSwitch, every
//             module with all its links on one switch that never blocks; fewer than eight are a
//             slice of such a machine.
//   Others    MI300X and Gaudi 3: up to eight modules, any two joined directly. MI250X: the two
//             dies of a module, which are two GPUs here. Apple's chips: CPU and GPU through their
//             common memory.
//   InfiniBand  Hosts host0, host1, ... on one switch `ib` that never blocks. A100 and later have
//             one adapter per GPU (DGX A100, DGX H100), a link of its own beside the PCIe link,
//             and another for the CPU; V100 and P100 one adapter per PCIe switch of two GPUs
//             (DGX-1).
//
// Latencies are our own round figures for a small copy as a framework sees it, driver included: 5
// us per PCIe link, 8 us NVLink from GPU to GPU, 15 us from GPU to GPU over InfiniBand.
#pragma once

#include <string>
#include <vector>

#include "cluster/cluster.h"
#include "cluster/preset_name.h"

namespace berth {

// `preset` must be valid.
Cluster build_preset(const PresetName& preset, std::string name);
std::string summarize_preset(const PresetName& preset);
std::vector<std::string> sources_of_preset(const PresetName& preset);

}  // namespace berth
