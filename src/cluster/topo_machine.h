// Makes a cluster of one machine, from what is known of its parts and from how `nvidia-smi topo -m`
// says its GPUs are joined.
//
//   PCIe     GPUs that are PIX from each other are on one switch `pcie:k`; those joined by several
//            bridges (PXB) have a further one above. Each topmost switch, or single GPU, has a
//            link to the memory of its CPU and one to the others through its host bridge `root:k`
//            (PHB), NUMA node `numa:k` (NODE) and the machine `host` (SYS), as far as these exist.
//            As in the built-in clusters both links stand for one uplink, and do not wait for each
//            other here.
//   NVLink   Pairs have a link of as many NVLinks as listed. Where all pairs list more than the
//            GPU could have for each, they are joined by an NVSwitch.
//
// Rates and latencies are those of the built-in clusters (preset_devices.h, preset_machines.h). The
// link between NUMA nodes is assumed to be as fast as a PCIe slot, as the listing does not say.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cluster/cluster.h"
#include "cluster/preset_devices.h"
#include "cluster/topo_listing.h"

namespace berth {

struct MachineGpu {
  Device device;  // without a name
  const GpuRecord* record = nullptr;
  double pcie_rate = 0;  // what a copy sees
};

struct MachineCpu {
  Device device;  // without a name
  int numa_node = 0;
};

struct MachineParts {
  std::string name;
  std::vector<MachineCpu> cpus;  // one or more, by NUMA node
  std::vector<MachineGpu> gpus;  // as many as listed
  double uplink_rate = 0;        // of a PCIe switch, as a copy sees it
};

// Throws InputError when the listing has NVLinks that the GPUs do not have; `source` names it.
Cluster build_machine(const MachineParts& parts, const TopoListing& listing,
                      std::string_view source);

// The form in which a model is in such a listing: a module where a GPU has NVLinks to several
// others. nullptr when there is no such model.
const GpuRecord* find_listed_gpu(std::string_view model, const TopoListing& listing);

// The listing alone, with GPUs of one model and the host of its time.
Cluster cluster_from_topo(std::string_view text, std::string_view source, const std::string& model);

}  // namespace berth
