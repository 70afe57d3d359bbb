#include "cluster/topo_machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include "base/error.h"
#include "cluster/assembly.h"

namespace berth {
namespace {

class MachineBuilder {
 public:
  MachineBuilder(const MachineParts& parts, const TopoListing& listing, std::string_view source)
      : parts_(parts), listing_(listing), source_(source) {
    for (std::size_t i = 0; i < parts.cpus.size(); ++i)
      cpus_.push_back(assembly_.add_device(parts.cpus[i].device, fmt::format("cpu:{}", i)));
    for (std::size_t i = 0; i < parts.gpus.size(); ++i) {
      gpus_.push_back(assembly_.add_device(parts.gpus[i].device, fmt::format("gpu:{}", i)));
      tops_.push_back({gpus_.back(), parts.gpus[i].pcie_rate, kPcieLinkSeconds});
    }
    top_of_.resize(gpus_.size());
    std::iota(top_of_.begin(), top_of_.end(), std::size_t{0});
  }

  Cluster build() {
    gather(PciePath::pix, "pcie");
    gather(PciePath::pxb, "pcie");
    join_cpus();
    gather(PciePath::phb, "root");
    gather(PciePath::node, "numa");
    join_nodes();
    join_by_nvlink();
    return assembly_.finish(parts_.name);
  }

 private:
  // A GPU or a switch that has nothing above it yet, and the link it will have upwards.
  struct Top {
    Assembly::Vertex vertex;
    double rate = 0;
    double latency_seconds = 0;
  };

  // Puts the tops of GPUs that are no further from each other than `reach` under a switch.
  void gather(PciePath reach, std::string_view name) {
    std::vector<std::size_t> group(gpus_.size());
    std::iota(group.begin(), group.end(), std::size_t{0});
    for (std::size_t left = 0; left < gpus_.size(); ++left) {
      for (std::size_t right = 0; right < left; ++right) {
        // GPUs that are joined already stay together; others are joined if they are near enough.
        // The closure is taken, so that a chain of near pairs is one group.
        if (top_of_[left] != top_of_[right] && listing_.path(left, right) > reach) continue;
        const std::size_t from = group[left];
        const std::size_t to = group[right];
        for (std::size_t& each : group)
          if (each == from) each = to;
      }
    }
    std::map<std::size_t, std::vector<std::size_t>> tops;  // by group, each once, ascending
    for (std::size_t gpu = 0; gpu < gpus_.size(); ++gpu) {
      std::vector<std::size_t>& list = tops[group[gpu]];
      if (std::find(list.begin(), list.end(), top_of_[gpu]) == list.end())
        list.push_back(top_of_[gpu]);
    }
    std::map<std::size_t, std::size_t> new_tops;
    for (const auto& [key, list] : tops) {
      if (list.size() < 2) continue;
      const Assembly::Vertex above =
          assembly_.add_switch(fmt::format("{}:{}", name, counts_[std::string(name)]++));
      for (const std::size_t top : list) link_up(tops_[top], above);
      for (const std::size_t top : list) new_tops[top] = tops_.size();
      // Half a link's latency on each side of what lies above, as in the built-in clusters.
      tops_.push_back({above, parts_.uplink_rate, kPcieLinkSeconds / 2});
    }
    for (std::size_t& top : top_of_)
      if (const auto found = new_tops.find(top); found != new_tops.end()) top = found->second;
  }

  void link_up(const Top& top, Assembly::Vertex above) {
    assembly_.link(top.vertex, above, top.rate, top.latency_seconds);
  }

  // The topmost part above each GPU, each part once, in order of GPU.
  std::vector<std::size_t> distinct_tops() const {
    std::vector<std::size_t> tops;
    for (const std::size_t top : top_of_)
      if (std::find(tops.begin(), tops.end(), top) == tops.end()) tops.push_back(top);
    return tops;
  }

  std::size_t cpu_of(std::size_t top) const {
    for (std::size_t gpu = 0; gpu < gpus_.size(); ++gpu) {
      if (top_of_[gpu] != top) continue;
      for (std::size_t cpu = 0; cpu < parts_.cpus.size(); ++cpu)
        if (parts_.cpus[cpu].numa_node == listing_.numa_nodes[gpu]) return cpu;
    }
    return 0;
  }

  void join_cpus() {
    for (const std::size_t top : distinct_tops()) {
      // As in the built-in clusters: the latency of two links where no switch is in between.
      const bool lone = top < gpus_.size();
      assembly_.link(cpus_[cpu_of(top)], tops_[top].vertex, tops_[top].rate,
                     lone ? 2 * kPcieLinkSeconds : kPcieLinkSeconds);
    }
  }

  // Joins what is still in several parts, and several CPUs, by a switch for the whole machine.
  void join_nodes() {
    const std::vector<std::size_t> tops = distinct_tops();
    if (tops.size() < 2 && cpus_.size() < 2) return;
    const Assembly::Vertex host = assembly_.add_switch("host");
    for (const std::size_t top : tops) link_up(tops_[top], host);
    if (cpus_.size() < 2) return;
    for (const Assembly::Vertex cpu : cpus_)
      assembly_.link(cpu, host, parts_.uplink_rate, kPcieLinkSeconds / 2);
  }

  bool all_pairs_alike(int links) const {
    for (std::size_t from = 0; from < gpus_.size(); ++from)
      for (std::size_t to = 0; to < from; ++to)
        if (listing_.links_between(from, to) != links) return false;
    return true;
  }

  void join_by_nvlink() {
    const std::size_t count = gpus_.size();
    for (std::size_t from = 0; from < count; ++from) {
      for (std::size_t to = from + 1; to < count; ++to) check_links(from, to);
    }
    if (count < 2) return;
    const int links = listing_.links_between(0, 1);
    const int all = links * static_cast<int>(count - 1);
    if (links > 0 && all > parts_.gpus[0].record->fabric_links && all_pairs_alike(links)) {
      const Assembly::Vertex nvswitch = assembly_.add_switch("nvswitch");
      for (std::size_t i = 0; i < count; ++i)
        assembly_.link(gpus_[i], nvswitch, links * link_rate(i, i), kNvswitchLinkSeconds);
      return;
    }
    for (std::size_t from = 0; from < count; ++from) {
      for (std::size_t to = from + 1; to < count; ++to) {
        const int between = listing_.links_between(from, to);
        if (between > 0)
          assembly_.link(gpus_[from], gpus_[to], between * link_rate(from, to), kNvlinkSeconds);
      }
    }
  }

  double link_rate(std::size_t from, std::size_t to) const {
    return std::min(effective_fabric_rate(*parts_.gpus[from].record),
                    effective_fabric_rate(*parts_.gpus[to].record));
  }

  void check_links(std::size_t from, std::size_t to) const {
    const int links = listing_.links_between(from, to);
    for (const std::size_t gpu : {from, to}) {
      const GpuRecord& record = *parts_.gpus[gpu].record;
      if (links <= record.fabric_links) continue;
      throw InputError(
          fmt::format("{}: GPU{} and GPU{} are joined by NV{}, but {} has {}; name the model that "
                      "is in the "
                      "machine",
                      source_, from, to, links, record.preset,
                      record.fabric_links == 0 ? "no NVLink"
                                               : fmt::format("{} NVLinks", record.fabric_links)),
          {.code = ErrorCode::bad_option, .subject = "gpu", .place = std::string(source_)});
    }
  }

  const MachineParts& parts_;
  const TopoListing& listing_;
  std::string_view source_;
  Assembly assembly_;
  std::vector<Assembly::Vertex> cpus_, gpus_;
  std::vector<Top> tops_;              // GPUs first
  std::vector<std::size_t> top_of_;    // by GPU
  std::map<std::string, int> counts_;  // of switches, by name
};

}  // namespace

Cluster build_machine(const MachineParts& parts, const TopoListing& listing,
                      std::string_view source) {
  return MachineBuilder(parts, listing, source).build();
}

const GpuRecord* find_listed_gpu(std::string_view model, const TopoListing& listing) {
  const GpuRecord* card = find_gpu(model, GpuForm::card);
  const GpuRecord* module = find_gpu(model, GpuForm::module);
  bool linked = false;
  bool to_several = false;
  for (std::size_t from = 0; from < listing.gpus; ++from) {
    int neighbours = 0;
    for (std::size_t to = 0; to < listing.gpus; ++to)
      if (listing.links_between(from, to) > 0) ++neighbours;
    linked = linked || neighbours > 0;
    to_several = to_several || neighbours > 1;
  }
  // A bridge joins two cards, so a GPU with NVLinks to several others is a module.
  const bool is_module = to_several || (linked && (card == nullptr || card->fabric_links == 0));
  if (is_module) return module != nullptr ? module : card;
  return card != nullptr ? card : module;
}

Cluster cluster_from_topo(std::string_view text, std::string_view source,
                          const std::string& model) {
  const TopoListing listing = parse_topo_listing(text, source);
  const GpuRecord* record = find_listed_gpu(model, listing);
  if (record == nullptr || record->fabric_name != "NVLink") {
    std::vector<std::string> known;
    for (const GpuRecord& each : gpu_records()) {
      const bool listed = each.fabric_name == "NVLink" && each.form != GpuForm::unified;
      if (listed && (known.empty() || known.back() != each.preset)) known.emplace_back(each.preset);
    }
    throw InputError(
        fmt::format("{} is not a known NVIDIA GPU model; known are {}{}", quoted(model),
                    join_names(known, known.size()), did_you_mean(model, known)),
        {.code = ErrorCode::bad_option, .subject = "gpu"});
  }
  const HostRecord& host = host_record(record->era);
  MachineParts parts;
  parts.name = fmt::format("{}x{}", listing.gpus, model);
  parts.uplink_rate = effective_pcie_rate(host.pcie_generation);
  parts.cpus.push_back({host.device, 0});
  const double rate = effective_pcie_rate(*record, host.pcie_generation);
  parts.gpus.assign(listing.gpus, {record->device, record, rate});
  return build_machine(parts, listing, source);
}

}  // namespace berth
