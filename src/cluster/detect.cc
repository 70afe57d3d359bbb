#include "cluster/detect.h"

#include <algorithm>

#include "cluster/detect_cpus.h"
#include "cluster/detect_gpus.h"

namespace berth {
namespace {

constexpr int kOldestPcie = 3;

}  // namespace

DetectedMachine detect_machine(const MachineSources& sources, const std::string& gpu_model) {
  std::vector<std::string> notes;
  MachineParts parts;
  parts.name = "this machine";
  parts.cpus = detect_cpus(sources.proc, sources.sys, notes);
  DetectedGpus detected = detect_gpus(sources.nvidia_smi, gpu_model, notes);
  parts.gpus = std::move(detected.gpus);
  parts.uplink_rate = effective_pcie_rate(kOldestPcie);
  for (const MachineGpu& gpu : parts.gpus)
    parts.uplink_rate = std::max(parts.uplink_rate, gpu.pcie_rate);
  return {build_machine(parts, detected.listing, "nvidia-smi topo -m"), std::move(notes)};
}

}  // namespace berth
