// The NVIDIA GPUs of a machine, as `nvidia-smi` lists them; see detect.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/topo_machine.h"

namespace berth {

struct DetectedGpus {
  std::vector<MachineGpu> gpus;
  TopoListing listing;  // of as many
};

// No GPUs, with a note, where the program is missing or fails.
DetectedGpus detect_gpus(const std::string& nvidia_smi, const std::string& gpu_model,
                         std::vector<std::string>& notes);

// The record of a product such as "NVIDIA A100-SXM4-80GB" or "NVIDIA GeForce RTX 4070 Ti SUPER"; of
// several that match, the one nearest in memory. nullptr when the model is not known.
const GpuRecord* find_gpu_by_product(std::string_view product, std::int64_t memory_bytes);

}  // namespace berth
