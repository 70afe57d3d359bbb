// The names of built-in clusters, as patterns:
//
//   4xK40  2xP100-12GB  A100          N GPUs of a model in one host (no N: one)
//   4xV100-nvlink  4xA100-pcie        the same, with the links said
//   2x8xA100-ib                       H hosts of N GPUs, joined by InfiniBand
//   A100+V100  2xA100+2xV100          different cards in one host, on PCIe
//   M4-Max  laptop                    a machine with its one GPU
//
// Without a suffix a model comes as it mostly did: A100, H100, H200 and B200 as modules on
// NVSwitch, MI250X, MI300X and Gaudi 3 as modules, all others as cards on PCIe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cluster/preset_devices.h"

namespace berth {

struct PresetName {
  struct Part {
    int count = 1;
    const GpuRecord* gpu = nullptr;
  };
  int hosts = 1;
  bool infiniband = false;  // hosts are named and joined
  std::vector<Part> parts;  // several only when different cards share one host
  // Why the text is no such name, as the end of a sentence; empty when it is one.
  std::string problem;
  bool unknown_model = false;  // this is the problem, and the name may be misspelt

  bool valid() const { return problem.empty(); }
  int gpus_per_host() const;
};

PresetName parse_preset_name(std::string_view text);

}  // namespace berth
