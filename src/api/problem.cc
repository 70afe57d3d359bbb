#include "berth/problem.h"

#include <fmt/format.h>

#include "api/errors.h"
#include "api/impl.h"
#include "base/error.h"
#include "base/file.h"
#include "report/chrome_trace.h"
#include "sim/simulator.h"

namespace berth::v1 {
namespace {

constexpr const char* kPlan = "plan";

berth::Constraints inside(const Constraints& constraints) {
  berth::Constraints result{.forbidden_devices = constraints.forbid,
                            .colocated = constraints.colocate,
                            .source = constraints.source};
  for (const Constraints::Pin& pin : constraints.pin) {
    if (pin.devices.empty()) {
      throw InputError(fmt::format("{}: the pin of {} has no devices; name at least one",
                                   constraints.source, quoted(pin.ops)),
                       {.subject = pin.ops, .place = constraints.source});
    }
    result.pins.push_back({pin.ops, pin.devices});
  }
  return result;
}

std::shared_ptr<const berth::Problem> compile(const Graph& graph, const Cluster& cluster,
                                              const Constraints& constraints) {
  // The problem shares the graph of the handle, and so keeps what it stands for.
  const auto kept = std::make_shared<const Graph>(graph);
  return std::make_shared<const berth::Problem>(
      std::shared_ptr<const berth::Graph>(kept, &kept->impl().model.graph), cluster.impl().cluster,
      inside(constraints));
}

std::string title(const Graph& graph, const Cluster& cluster) {
  return fmt::format("{} on {}", graph.impl().model.spec, cluster.impl().named);
}

Timeline::Transfer outside(const berth::Graph& graph, const berth::Timeline::Transfer& transfer) {
  return {.op = graph.producer(transfer.tensor).index(),
          .output = graph.output_index(transfer.tensor),
          .bytes = graph.bytes(transfer.tensor),
          .from = transfer.from.index(),
          .to = transfer.to.index(),
          .sent_seconds = transfer.sent_seconds,
          .start_seconds = transfer.start_seconds,
          .end_seconds = transfer.end_seconds};
}

Timeline::OpRun outside(const berth::Timeline::OpRun& run) {
  Timeline::OpRun result{.op = run.op.index(),
                         .device = run.device.index(),
                         .ready_seconds = run.ready_seconds,
                         .start_seconds = run.start_seconds,
                         .end_seconds = run.end_seconds};
  if (run.fused_group != berth::Timeline::OpRun{}.fused_group) result.fused_group = run.fused_group;
  return result;
}

Timeline::Memory outside(const berth::Timeline::DeviceMemory& memory) {
  Timeline::Memory result{.param_bytes = memory.param_bytes,
                          .peak_bytes = memory.peak_bytes,
                          .peak_seconds = memory.peak_seconds,
                          .over_bytes = memory.over_bytes};
  for (const auto& level : memory.levels) result.levels.push_back({level.seconds, level.bytes});
  return result;
}

}  // namespace

Constraints Constraints::load(const std::string& path) {
  return guarded(path, [&] {
    const InputFile file(path);
    const berth::Constraints read = parse_constraints(file.text(), input_name(path));
    Constraints result{
        .forbid = read.forbidden_devices, .colocate = read.colocated, .source = read.source};
    for (const auto& rule : read.pins) result.pin.push_back({rule.pattern, rule.devices});
    return result;
  });
}

bounds::Bounds Problem::Impl::bounds(berth::Tasks tasks) const {
  const std::lock_guard lock(mutex_);
  const auto [entry, is_new] = known_.try_emplace({tasks.schedule, tasks.fusion});
  if (is_new) {
    try {
      entry->second = bounds::lower_bounds(*problem, tasks);
    } catch (...) {
      known_.erase(entry);
      throw;
    }
  }
  return entry->second;
}

void Problem::Impl::know_bounds(berth::Tasks tasks, const bounds::Bounds& bounds) const {
  const std::lock_guard lock(mutex_);
  known_.try_emplace({tasks.schedule, tasks.fusion}, bounds);
}

Problem::Problem(const Graph& graph, const Cluster& cluster, const Constraints& constraints)
    : impl_(guarded(title(graph, cluster), [&] {
        return std::make_shared<const Impl>(graph, cluster, compile(graph, cluster, constraints));
      })) {}

Graph Problem::graph() const { return impl_->graph; }
Cluster Problem::cluster() const { return impl_->cluster; }
std::size_t Problem::op_count() const { return impl_->problem->op_count(); }
std::size_t Problem::device_count() const { return impl_->problem->device_count(); }
std::size_t Problem::group_count() const { return impl_->problem->group_count(); }

std::size_t Problem::group(std::size_t op) const {
  require_index(op, op_count(), "op");
  return impl_->problem->group(OpId(op)).index();
}

std::vector<std::size_t> Problem::members(std::size_t group) const {
  require_index(group, group_count(), "group");
  return indices_of(impl_->problem->members(GroupId(group)));
}

std::vector<std::size_t> Problem::allowed_devices(std::size_t group) const {
  require_index(group, group_count(), "group");
  return indices_of(impl_->problem->allowed_devices(GroupId(group)));
}

double Problem::seconds(std::size_t op, std::size_t device) const {
  require_index(op, op_count(), "op");
  require_index(device, device_count(), "device");
  // A class of devices has a time for the op as soon as one of them is allowed.
  if (!impl_->problem->allowed(OpId(op), DeviceId(device))) return berth::Problem::kImpossible;
  return impl_->problem->seconds(OpId(op), DeviceId(device));
}

std::int64_t Problem::usable_bytes(std::size_t device) const {
  require_index(device, device_count(), "device");
  return impl_->problem->usable_bytes(DeviceId(device));
}

std::vector<std::string> Problem::violations(const Plan& plan) const {
  return guarded(kPlan, [&]() -> std::vector<std::string> {
    try {
      return berth::violations(*impl_->problem, v1::inside(*impl_->problem, plan));
    } catch (const InputError& error) {
      return {error.what()};
    }
  });
}

Outcome Problem::simulate(const Plan& plan) const {
  return guarded(kPlan, [&] {
    const berth::Plan inner = valid_inside(*impl_->problem, plan, kPlan);
    return v1::outside(Simulator(*impl_->problem).evaluate(inner));
  });
}

Timeline Problem::trace(const Plan& plan) const {
  return guarded(kPlan, [&] {
    const berth::Plan inner = valid_inside(*impl_->problem, plan, kPlan);
    const berth::Timeline timeline = Simulator(*impl_->problem).trace(inner);
    Timeline result{.outcome = v1::outside(timeline.outcome)};
    for (const auto& run : timeline.ops) result.ops.push_back(outside(run));
    for (const auto& transfer : timeline.transfers) {
      result.transfers.push_back(outside(impl_->problem->graph(), transfer));
    }
    for (const auto& memory : timeline.memory) result.memory.push_back(outside(memory));
    return result;
  });
}

std::string Problem::chrome_trace(const Plan& plan) const {
  return guarded(kPlan, [&] {
    const berth::Plan inner = valid_inside(*impl_->problem, plan, kPlan);
    // The trace shows no bounds, which may take longer than all the rest.
    return report::chrome_trace(report::analyse(*impl_->problem, inner, {}));
  });
}

Bounds Problem::bounds(Tasks tasks) const {
  return guarded(title(impl_->graph, impl_->cluster), [&] {
    const bounds::Bounds found = impl_->bounds(v1::inside(tasks));
    Bounds result{.best = v1::outside(found.best)};
    for (const bounds::Bound& bound : found.all) result.all.push_back(v1::outside(bound));
    return result;
  });
}

Infeasibility Problem::prove_infeasible(Tasks tasks) const {
  return guarded(title(impl_->graph, impl_->cluster), [&] {
    const bounds::Infeasibility found =
        bounds::prove_infeasible(*impl_->problem, v1::inside(tasks));
    Infeasibility result{.proved = found.missing_bytes > 0,
                         .missing_bytes = found.missing_bytes,
                         .explanation = found.explanation};
    if (found.blocking_op.valid()) result.blocking_op = found.blocking_op.index();
    return result;
  });
}

std::optional<Plan> Problem::expert_plan() const {
  return guarded(title(impl_->graph, impl_->cluster), [&]() -> std::optional<Plan> {
    const berth::Model& model = impl_->graph.impl().model;
    if (!model.expert) return std::nullopt;
    const std::optional<berth::Plan> plan = model.expert(*impl_->problem);
    if (!plan) return std::nullopt;
    return v1::outside(*plan);
  });
}

}  // namespace berth::v1
