// What `nvidia-smi topo -m` prints, read as people keep and post it: with columns for network
// adapters and affinities, a legend, prompts, colours, or entries that have run together.
//
//           GPU0  GPU1  NIC0  CPU Affinity  NUMA Affinity  GPU NUMA ID
//   GPU0     X    NV4   PIX   0-15          0              N/A
//   GPU1    NV4    X    SYS   16-31         1              N/A
//
// An entry says by what two of them are joined: NV# a number of NVLinks; else how far the way over
// PCIe goes: PIX one bridge, PXB several, PHB the host bridge of the CPU, NODE between host bridges
// of one NUMA node, SYS (once called SOC) between NUMA nodes. The entry of a pair with NVLinks does
// not say how they are joined by PCIe. That follows from what else both are near: two GPUs that are
// PIX from one adapter are on one bridge. Without such an adapter it follows from their NUMA nodes.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace berth {

// From near to far.
enum class PciePath : std::uint8_t { self, pix, pxb, phb, node, sys };

struct TopoListing {
  std::size_t gpus = 0;
  std::vector<int> nvlinks;     // gpu x gpu; 0 where there is none
  std::vector<PciePath> paths;  // gpu x gpu
  std::vector<int> numa_nodes;  // by GPU; -1 where it is not said

  int links_between(std::size_t from, std::size_t to) const { return nvlinks[from * gpus + to]; }
  PciePath path(std::size_t from, std::size_t to) const { return paths[from * gpus + to]; }
};

// `source` names the text in messages. Throws InputError that names line and entry.
TopoListing parse_topo_listing(std::string_view text, std::string_view source);

}  // namespace berth
