#include "support/reference_simulator.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>

namespace berth {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

// One thing that runs: an op or a fused group.
struct Kernel {
  std::vector<OpId> members;
  std::uint32_t fused_group = 0xffffffffu;
  DeviceId device;
  double cost = 0;
  double priority = 0;
  std::set<TensorId> inputs;  // from outside
  std::set<std::size_t> after;
  std::vector<TensorId> outputs;  // stored, in order of sending

  bool started = false, ended = false;
  double ready = kNever, start = kNever, end = kNever;
};

struct Transfer {
  TensorId tensor;
  DeviceId to;
  double sent, start, end;
};

// Memory of a tensor on a device.
struct Buffer {
  double from = 0, until = kNever;
  std::int64_t bytes = 0;
  bool is_copy = false;
};

using Place = std::pair<TensorId, DeviceId>;

class Reference {
 public:
  Reference(const Problem& problem, const Plan& plan) : problem_(problem), graph_(problem.graph()) {
    make_kernels(plan);
  }

  Timeline run() {
    Timeline timeline;
    timeline.outcome.peak_bytes.assign(problem_.device_count(), 0);
    timeline.outcome.busy_seconds.assign(problem_.device_count(), 0);
    double now = 0;
    while (routable_) {
      // One round of the instant.
      for (std::size_t u = 0; u < kernels_.size(); ++u) {
        if (kernels_[u].started && !kernels_[u].ended && kernels_[u].end == now &&
            to_end_.count(u)) {
          end_kernel(u, now);
        }
      }
      if (!routable_) break;
      update_ready(now);
      start_kernels(now);
      to_end_.clear();
      double next = kNever;
      bool again = false;
      for (std::size_t u = 0; u < kernels_.size(); ++u) {
        if (kernels_[u].started && !kernels_[u].ended) {
          next = std::min(next, kernels_[u].end);
          if (kernels_[u].end == now) again = true;
        }
        if (!kernels_[u].started && kernels_[u].ready > now)
          next = std::min(next, kernels_[u].ready);
      }
      if (!again && next == kNever) break;
      if (!again) now = next;
      for (std::size_t u = 0; u < kernels_.size(); ++u) {
        if (kernels_[u].started && !kernels_[u].ended && kernels_[u].end == now) to_end_.insert(u);
      }
    }
    conclude(timeline);
    return timeline;
  }

 private:
  void make_kernels(const Plan& plan) {
    std::map<OpId, std::size_t> group_of;
    for (std::size_t g = 0; g < plan.fused.size(); ++g) {
      for (const OpId op : plan.fused[g]) group_of[op] = g;
    }
    std::map<std::size_t, std::size_t> kernel_of_group;
    kernel_of_.resize(graph_.op_count());
    for (std::size_t i = 0; i < graph_.op_count(); ++i) {
      const auto group = group_of.find(OpId(i));
      if (group != group_of.end() && kernel_of_group.count(group->second)) {
        kernel_of_[i] = kernel_of_group[group->second];
        kernels_[kernel_of_[i]].members.emplace_back(i);
        continue;
      }
      kernel_of_[i] = kernels_.size();
      Kernel kernel;
      kernel.members = {OpId(i)};
      kernel.device = plan.placement[i];
      kernel.priority = -kNever;
      if (group != group_of.end()) {
        kernel_of_group[group->second] = kernels_.size();
        kernel.fused_group = static_cast<std::uint32_t>(group->second);
      }
      kernels_.push_back(kernel);
    }
    for (std::size_t u = 0; u < kernels_.size(); ++u) {
      Kernel& kernel = kernels_[u];
      for (const OpId op : kernel.members) {
        kernel.priority =
            std::max(kernel.priority, plan.priority.empty() ? 0 : plan.priority[op.index()]);
        for (const TensorId tensor : graph_.inputs(op)) {
          if (kernel_of(tensor) != u) kernel.inputs.insert(tensor);
        }
        for (const OpId earlier : graph_.after(op)) {
          if (kernel_of_[earlier.index()] != u) kernel.after.insert(kernel_of_[earlier.index()]);
        }
        for (std::size_t k = 0; k < graph_.output_count(op); ++k) {
          if (is_stored(graph_.output(op, k))) kernel.outputs.push_back(graph_.output(op, k));
        }
      }
      kernel.cost = kernel.members.size() == 1 && kernel.fused_group == 0xffffffffu
                        ? problem_.seconds(kernel.members[0], kernel.device)
                        : problem_.fused_seconds(kernel.members, kernel.device);
    }
  }

  std::size_t kernel_of(TensorId tensor) const {
    return kernel_of_[graph_.producer(tensor).index()];
  }

  bool is_stored(TensorId tensor) const {
    if (graph_.is_graph_output(tensor) || graph_.consumers(tensor).empty()) return true;
    for (const OpId consumer : graph_.consumers(tensor)) {
      if (kernel_of_[consumer.index()] != kernel_of(tensor)) return true;
    }
    return false;
  }

  void update_ready(double now) {
    for (Kernel& kernel : kernels_) {
      if (kernel.started || kernel.ready <= now) continue;
      double ready = 0;
      for (const TensorId tensor : kernel.inputs) {
        const auto arrival = arrivals_.find({tensor, kernel.device});
        ready = std::max(ready, arrival == arrivals_.end() ? kNever : arrival->second);
      }
      for (const std::size_t earlier : kernel.after) {
        ready = std::max(ready, kernels_[earlier].ended ? kernels_[earlier].end : kNever);
      }
      kernel.ready = ready;
    }
  }

  void start_kernels(double now) {
    for (std::size_t d = 0; d < problem_.device_count(); ++d) {
      for (;;) {
        std::int64_t running = 0;
        Kernel* best = nullptr;
        for (Kernel& kernel : kernels_) {
          if (kernel.device != DeviceId(d)) continue;
          running += kernel.started && !kernel.ended;
          if (kernel.started || kernel.ready > now) continue;
          // Kernels come in order of index, so only a strictly better one replaces.
          if (!best || std::make_tuple(-kernel.priority, kernel.ready) <
                           std::make_tuple(-best->priority, best->ready)) {
            best = &kernel;
          }
        }
        if (!best || running >= problem_.cluster().device(DeviceId(d)).slots) break;
        best->started = true;
        busy_seconds_[best->device] += best->cost;
        best->start = now;
        best->end = now + best->cost;
        start_order_.push_back(static_cast<std::size_t>(best - kernels_.data()));
      }
    }
  }

  void end_kernel(std::size_t u, double now) {
    Kernel& kernel = kernels_[u];
    kernel.ended = true;
    for (const TensorId tensor : kernel.outputs) {
      arrivals_[{tensor, kernel.device}] = now;
      std::set<DeviceId> destinations;
      for (const OpId consumer : graph_.consumers(tensor)) {
        const Kernel& reader = kernels_[kernel_of_[consumer.index()]];
        if (reader.device != kernel.device) destinations.insert(reader.device);
      }
      for (const DeviceId to : destinations) send(tensor, kernel.device, to, now);
    }
  }

  void send(TensorId tensor, DeviceId from, DeviceId to, double now) {
    const Route route = problem_.cluster().route(from, to);
    if (!route.exists()) {
      routable_ = false;
      return;
    }
    double start = now;
    for (const std::uint32_t channel : route.channels) {
      start = std::max(start, channel_free_[channel]);
    }
    const double end =
        start + route.latency_seconds + static_cast<double>(graph_.bytes(tensor)) / route.bandwidth;
    for (const std::uint32_t channel : route.channels) channel_free_[channel] = end;
    transfers_.push_back({tensor, to, now, start, end});
    arrivals_[{tensor, to}] = end;
  }

  // When a tensor's presence on a device ends, leaving aside whoever shares its memory.
  double presence_end(TensorId tensor, DeviceId device) const {
    const Kernel& producer = kernels_[kernel_of(tensor)];
    double until = 0;
    if (producer.device == device) {
      if (graph_.is_graph_output(tensor)) return kNever;
      until = producer.end;
      for (const Transfer& transfer : transfers_) {
        if (transfer.tensor == tensor) until = std::max(until, transfer.end);
      }
    }
    for (const OpId consumer : graph_.consumers(tensor)) {
      const Kernel& reader = kernels_[kernel_of_[consumer.index()]];
      if (reader.device == device && kernel_of_[consumer.index()] != kernel_of(tensor)) {
        until = std::max(until, reader.end);
      }
    }
    return until;
  }

  // The stored tensor, on the kernel's device, whose memory an output uses; itself if it has its
  // own.
  TensorId memory_owner(TensorId tensor) {
    const std::size_t u = kernel_of(tensor);
    TensorId at = tensor;
    while (graph_.alias(at) != Graph::kNone) {
      at = graph_.inputs(graph_.producer(at))[graph_.alias(at)];
      if (kernel_of(at) != u) return at;  // a copy or an original from outside
      if (is_stored(at)) return at;
    }
    if (at == tensor || is_stored(at)) return at;
    // The chain ends at a tensor that fusion made vanish: its first stored view stands for it.
    const auto [entry, added] = stands_for_.try_emplace(at, tensor);
    return entry->second;
  }

  void conclude(Timeline& timeline) {
    Outcome& outcome = timeline.outcome;
    outcome.routable = routable_;
    outcome.feasible = routable_;
    outcome.step_seconds = 0;
    for (const Kernel& kernel : kernels_)
      outcome.step_seconds = std::max(outcome.step_seconds, kernel.end);
    if (!routable_) {
      outcome.step_seconds = kNever;
      return;
    }
    for (const auto& [device, seconds] : busy_seconds_) {
      outcome.busy_seconds[device.index()] = seconds;
    }
    for (const Transfer& transfer : transfers_) {
      ++outcome.transfers;
      outcome.transferred_bytes += graph_.bytes(transfer.tensor);
      timeline.transfers.push_back({transfer.tensor, kernels_[kernel_of(transfer.tensor)].device,
                                    transfer.to, transfer.sent, transfer.start, transfer.end});
    }
    for (const std::size_t u : start_order_) {
      const Kernel& kernel = kernels_[u];
      timeline.ops.push_back({kernel.members[0], kernel.device, kernel.start, kernel.end,
                              kernel.ready, kernel.fused_group});
    }
    account_memory(timeline);
  }

  void account_memory(Timeline& timeline) {
    std::map<Place, Buffer> buffers;
    std::map<Place, Place> owner;
    for (const Kernel& kernel : kernels_) {
      for (const TensorId tensor : kernel.outputs) {
        const TensorId direct = memory_owner(tensor);
        owner[{tensor, kernel.device}] = {direct, kernel.device};
        if (direct == tensor) {
          const std::int64_t bytes = graph_.resident(tensor) ? 0 : graph_.bytes(tensor);
          buffers[{tensor, kernel.device}] = {kernel.start, 0, bytes, false};
        }
      }
    }
    for (const Transfer& transfer : transfers_) {
      const Place place = {transfer.tensor, transfer.to};
      owner[place] = place;
      buffers[place] = {transfer.start, 0, graph_.bytes(transfer.tensor), true};
    }
    for (const auto& [place, direct] : owner) {
      Place root = direct;
      while (owner[root] != root) root = owner[root];
      Buffer& buffer = buffers[root];
      buffer.until = std::max(buffer.until, presence_end(place.first, place.second));
    }
    for (std::size_t d = 0; d < problem_.device_count(); ++d) {
      timeline.memory.push_back(device_memory(DeviceId(d), buffers));
      const auto& memory = timeline.memory.back();
      timeline.outcome.peak_bytes[d] = memory.peak_bytes;
      timeline.outcome.over_bytes += memory.over_bytes;
    }
    timeline.outcome.feasible = timeline.outcome.over_bytes == 0;
  }

  Timeline::DeviceMemory device_memory(DeviceId device, const std::map<Place, Buffer>& buffers) {
    Timeline::DeviceMemory memory;
    std::set<double> instants = {0};
    std::vector<std::pair<Timeline::Alive, Buffer>> held;
    for (const Kernel& kernel : kernels_) {
      if (kernel.device != device) continue;
      std::int64_t workspace = 0;
      for (const OpId op : kernel.members) {
        memory.param_bytes += graph_.param_bytes(op);
        workspace = std::max(workspace, graph_.temp_bytes(op));
      }
      held.push_back({{Timeline::Alive::What::workspace, TensorId(), kernel.members[0], workspace},
                      {kernel.start, kernel.end, workspace, false}});
    }
    for (const auto& [place, buffer] : buffers) {
      if (place.second != device) continue;
      held.push_back({{buffer.is_copy ? Timeline::Alive::What::copy : Timeline::Alive::What::output,
                       place.first, graph_.producer(place.first), buffer.bytes},
                      buffer});
    }
    for (const auto& [what, buffer] : held) instants.insert({buffer.from, buffer.until});
    for (const double instant : instants) {
      if (instant == kNever) continue;
      std::int64_t level = memory.param_bytes;
      for (const auto& [what, buffer] : held) {
        if (buffer.from <= instant && instant < buffer.until) level += buffer.bytes;
      }
      if (memory.levels.empty() || memory.levels.back().bytes != level) {
        memory.levels.push_back({instant, level});
      }
      if (level > memory.peak_bytes) {
        memory.peak_bytes = level;
        memory.peak_seconds = instant;
      }
    }
    memory.over_bytes =
        std::max<std::int64_t>(0, memory.peak_bytes - problem_.usable_bytes(device));
    for (const auto& [what, buffer] : held) {
      const bool alive = buffer.from <= memory.peak_seconds && memory.peak_seconds < buffer.until;
      if (!alive || buffer.bytes == 0) continue;
      memory.alive.push_back(what);
      (buffer.is_copy ? memory.peak_copy_bytes : memory.peak_output_bytes) += buffer.bytes;
    }
    std::sort(memory.alive.begin(), memory.alive.end(), [](const auto& left, const auto& right) {
      return std::make_tuple(-left.bytes, left.op, left.tensor) <
             std::make_tuple(-right.bytes, right.op, right.tensor);
    });
    for (const auto& [what, buffer] : held) {
      if (buffer.bytes == 0 || buffer.from >= buffer.until) continue;
      memory.held.push_back({what, buffer.from, buffer.until});
    }
    std::sort(memory.held.begin(), memory.held.end(), [](const auto& left, const auto& right) {
      return std::make_tuple(left.from_seconds, left.what.op, left.what.tensor) <
             std::make_tuple(right.from_seconds, right.what.op, right.what.tensor);
    });
    return memory;
  }

  const Problem& problem_;
  const Graph& graph_;
  std::vector<Kernel> kernels_;
  std::vector<std::size_t> kernel_of_;
  std::vector<std::size_t> start_order_;
  std::set<std::size_t> to_end_;
  std::vector<Transfer> transfers_;
  std::map<std::uint32_t, double> channel_free_;
  std::map<Place, double> arrivals_;
  std::map<TensorId, TensorId> stands_for_;
  std::map<DeviceId, double> busy_seconds_;
  bool routable_ = true;
};

}  // namespace

Timeline reference_trace(const Problem& problem, const Plan& plan) {
  return Reference(problem, plan).run();
}

}  // namespace berth
