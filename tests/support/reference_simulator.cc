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
struct Unit {
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
    make_units(plan);
  }

  Timeline run() {
    Timeline timeline;
    timeline.outcome.peak_bytes.assign(problem_.device_count(), 0);
    timeline.outcome.busy_seconds.assign(problem_.device_count(), 0);
    double now = 0;
    while (routable_) {
      // One round of the instant.
      for (std::size_t u = 0; u < units_.size(); ++u) {
        if (units_[u].started && !units_[u].ended && units_[u].end == now && to_end_.count(u)) {
          end_unit(u, now);
        }
      }
      if (!routable_) break;
      update_ready(now);
      start_units(now);
      to_end_.clear();
      double next = kNever;
      bool again = false;
      for (std::size_t u = 0; u < units_.size(); ++u) {
        if (units_[u].started && !units_[u].ended) {
          next = std::min(next, units_[u].end);
          if (units_[u].end == now) again = true;
        }
        if (!units_[u].started && units_[u].ready > now) next = std::min(next, units_[u].ready);
      }
      if (!again && next == kNever) break;
      if (!again) now = next;
      for (std::size_t u = 0; u < units_.size(); ++u) {
        if (units_[u].started && !units_[u].ended && units_[u].end == now) to_end_.insert(u);
      }
    }
    conclude(timeline);
    return timeline;
  }

 private:
  void make_units(const Plan& plan) {
    std::map<OpId, std::size_t> group_of;
    for (std::size_t g = 0; g < plan.fused.size(); ++g) {
      for (const OpId op : plan.fused[g]) group_of[op] = g;
    }
    std::map<std::size_t, std::size_t> unit_of_group;
    unit_of_.resize(graph_.op_count());
    for (std::size_t i = 0; i < graph_.op_count(); ++i) {
      const auto group = group_of.find(OpId(i));
      if (group != group_of.end() && unit_of_group.count(group->second)) {
        unit_of_[i] = unit_of_group[group->second];
        units_[unit_of_[i]].members.emplace_back(i);
        continue;
      }
      unit_of_[i] = units_.size();
      Unit unit;
      unit.members = {OpId(i)};
      unit.device = plan.placement[i];
      unit.priority = -kNever;
      if (group != group_of.end()) {
        unit_of_group[group->second] = units_.size();
        unit.fused_group = static_cast<std::uint32_t>(group->second);
      }
      units_.push_back(unit);
    }
    for (std::size_t u = 0; u < units_.size(); ++u) {
      Unit& unit = units_[u];
      for (const OpId op : unit.members) {
        unit.priority =
            std::max(unit.priority, plan.priority.empty() ? 0 : plan.priority[op.index()]);
        for (const TensorId tensor : graph_.inputs(op)) {
          if (unit_of(tensor) != u) unit.inputs.insert(tensor);
        }
        for (const OpId earlier : graph_.after(op)) {
          if (unit_of_[earlier.index()] != u) unit.after.insert(unit_of_[earlier.index()]);
        }
        for (std::size_t k = 0; k < graph_.output_count(op); ++k) {
          if (is_stored(graph_.output(op, k))) unit.outputs.push_back(graph_.output(op, k));
        }
      }
      unit.cost = unit.members.size() == 1 && unit.fused_group == 0xffffffffu
                      ? problem_.seconds(unit.members[0], unit.device)
                      : problem_.fused_seconds(unit.members, unit.device);
    }
  }

  std::size_t unit_of(TensorId tensor) const { return unit_of_[graph_.producer(tensor).index()]; }

  bool is_stored(TensorId tensor) const {
    if (graph_.is_graph_output(tensor) || graph_.consumers(tensor).empty()) return true;
    for (const OpId consumer : graph_.consumers(tensor)) {
      if (unit_of_[consumer.index()] != unit_of(tensor)) return true;
    }
    return false;
  }

  void update_ready(double now) {
    for (Unit& unit : units_) {
      if (unit.started || unit.ready <= now) continue;
      double ready = 0;
      for (const TensorId tensor : unit.inputs) {
        const auto arrival = arrivals_.find({tensor, unit.device});
        ready = std::max(ready, arrival == arrivals_.end() ? kNever : arrival->second);
      }
      for (const std::size_t earlier : unit.after) {
        ready = std::max(ready, units_[earlier].ended ? units_[earlier].end : kNever);
      }
      unit.ready = ready;
    }
  }

  void start_units(double now) {
    for (std::size_t d = 0; d < problem_.device_count(); ++d) {
      for (;;) {
        std::int64_t running = 0;
        Unit* best = nullptr;
        for (Unit& unit : units_) {
          if (unit.device != DeviceId(d)) continue;
          running += unit.started && !unit.ended;
          if (unit.started || unit.ready > now) continue;
          // Units come in order of index, so only a strictly better one replaces.
          if (!best || std::make_tuple(-unit.priority, unit.ready) <
                           std::make_tuple(-best->priority, best->ready)) {
            best = &unit;
          }
        }
        if (!best || running >= problem_.cluster().device(DeviceId(d)).slots) break;
        best->started = true;
        busy_seconds_[best->device] += best->cost;
        best->start = now;
        best->end = now + best->cost;
        start_order_.push_back(static_cast<std::size_t>(best - units_.data()));
      }
    }
  }

  void end_unit(std::size_t u, double now) {
    Unit& unit = units_[u];
    unit.ended = true;
    for (const TensorId tensor : unit.outputs) {
      arrivals_[{tensor, unit.device}] = now;
      std::set<DeviceId> destinations;
      for (const OpId consumer : graph_.consumers(tensor)) {
        const Unit& reader = units_[unit_of_[consumer.index()]];
        if (reader.device != unit.device) destinations.insert(reader.device);
      }
      for (const DeviceId to : destinations) send(tensor, unit.device, to, now);
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
    const Unit& producer = units_[unit_of(tensor)];
    double until = 0;
    if (producer.device == device) {
      if (graph_.is_graph_output(tensor)) return kNever;
      until = producer.end;
      for (const Transfer& transfer : transfers_) {
        if (transfer.tensor == tensor) until = std::max(until, transfer.end);
      }
    }
    for (const OpId consumer : graph_.consumers(tensor)) {
      const Unit& reader = units_[unit_of_[consumer.index()]];
      if (reader.device == device && unit_of_[consumer.index()] != unit_of(tensor)) {
        until = std::max(until, reader.end);
      }
    }
    return until;
  }

  // The stored tensor, on the unit's device, whose memory an output uses; itself if it has its own.
  TensorId memory_owner(TensorId tensor) {
    const std::size_t u = unit_of(tensor);
    TensorId at = tensor;
    while (graph_.alias(at) != Graph::kNone) {
      at = graph_.inputs(graph_.producer(at))[graph_.alias(at)];
      if (unit_of(at) != u) return at;  // a copy or an original from outside
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
    for (const Unit& unit : units_) outcome.step_seconds = std::max(outcome.step_seconds, unit.end);
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
      timeline.transfers.push_back({transfer.tensor, units_[unit_of(transfer.tensor)].device,
                                    transfer.to, transfer.sent, transfer.start, transfer.end});
    }
    for (const std::size_t u : start_order_) {
      const Unit& unit = units_[u];
      timeline.ops.push_back(
          {unit.members[0], unit.device, unit.start, unit.end, unit.ready, unit.fused_group});
    }
    account_memory(timeline);
  }

  void account_memory(Timeline& timeline) {
    std::map<Place, Buffer> buffers;
    std::map<Place, Place> owner;
    for (const Unit& unit : units_) {
      for (const TensorId tensor : unit.outputs) {
        const TensorId direct = memory_owner(tensor);
        owner[{tensor, unit.device}] = {direct, unit.device};
        if (direct == tensor) {
          const std::int64_t bytes = graph_.resident(tensor) ? 0 : graph_.bytes(tensor);
          buffers[{tensor, unit.device}] = {unit.start, 0, bytes, false};
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
    for (const Unit& unit : units_) {
      if (unit.device != device) continue;
      std::int64_t workspace = 0;
      for (const OpId op : unit.members) {
        memory.param_bytes += graph_.param_bytes(op);
        workspace = std::max(workspace, graph_.temp_bytes(op));
      }
      held.push_back({{Timeline::Alive::What::workspace, TensorId(), unit.members[0], workspace},
                      {unit.start, unit.end, workspace, false}});
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
  std::vector<Unit> units_;
  std::vector<std::size_t> unit_of_;
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
