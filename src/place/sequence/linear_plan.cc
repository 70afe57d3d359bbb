#include "place/sequence/linear_plan.h"

#include <algorithm>
#include <limits>

#include "place/sequence/linear_labels.h"

namespace berth::place {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

// The dynamic program without memory.
std::optional<LinearPlan> place_without_limits(const Problem& problem, const LinearGraph& path,
                                               const Handovers& handovers) {
  const std::size_t devices = problem.device_count();
  std::vector<double> best(devices, 0);
  std::vector<DeviceId> origins(path.size() * devices);
  for (std::size_t link = 0; link < path.size(); ++link) {
    std::vector<double> next(devices, kNever);
    for (const DeviceId device : problem.allowed_devices(path[link].op)) {
      double least = link == 0 ? 0 : kNever;
      for (std::size_t from = 0; link > 0 && from < devices; ++from) {
        if (best[from] >= least) continue;
        const double seconds = best[from] + handovers.seconds(link, DeviceId(from), device);
        if (seconds >= least) continue;
        least = seconds;
        origins[link * devices + device.index()] = DeviceId(from);
      }
      next[device.index()] = least + problem.seconds(path[link].op, device);
    }
    best = std::move(next);
  }
  const auto fastest = std::min_element(best.begin(), best.end());
  if (*fastest == kNever) return std::nullopt;
  LinearPlan plan{std::vector<DeviceId>(problem.op_count())};
  DeviceId device(static_cast<std::size_t>(fastest - best.begin()));
  for (std::size_t link = path.size(); link-- > 0;) {
    plan.placement[path[link].op.index()] = device;
    for (const OpId free : path[link].free_ops) plan.placement[free.index()] = device;
    device = origins[link * devices + device.index()];
  }
  return plan;
}

}  // namespace

std::optional<LinearPlan> place_linear_graph(const Problem& problem, const LinearGraph& path,
                                             std::span<const std::int64_t> limits,
                                             const std::function<bool()>& stop) {
  const Handovers handovers(problem, path);
  if (fits_anywhere(problem, path, handovers, limits)) {
    return place_without_limits(problem, path, handovers);
  }
  return place_by_labels(problem, path, handovers, limits, stop);
}

}  // namespace berth::place
