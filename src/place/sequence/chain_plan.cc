#include "place/sequence/chain_plan.h"

#include <algorithm>
#include <limits>

#include "place/sequence/chain_labels.h"

namespace berth::place {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

// The program without memory.
std::optional<ChainPlan> place_without_limits(const Problem& problem, const Chain& chain,
                                              const Handovers& handovers) {
  const std::size_t devices = problem.device_count();
  std::vector<double> best(devices, 0);
  std::vector<DeviceId> origins(chain.size() * devices);
  for (std::size_t link = 0; link < chain.size(); ++link) {
    std::vector<double> next(devices, kNever);
    for (const DeviceId device : problem.allowed_devices(chain[link].op)) {
      double least = link == 0 ? 0 : kNever;
      for (std::size_t from = 0; link > 0 && from < devices; ++from) {
        if (best[from] >= least) continue;
        const double seconds = best[from] + handovers.seconds(link, DeviceId(from), device);
        if (seconds >= least) continue;
        least = seconds;
        origins[link * devices + device.index()] = DeviceId(from);
      }
      next[device.index()] = least + problem.seconds(chain[link].op, device);
    }
    best = std::move(next);
  }
  const auto fastest = std::min_element(best.begin(), best.end());
  if (*fastest == kNever) return std::nullopt;
  ChainPlan plan{std::vector<DeviceId>(problem.op_count())};
  DeviceId device(static_cast<std::size_t>(fastest - best.begin()));
  for (std::size_t link = chain.size(); link-- > 0;) {
    plan.placement[chain[link].op.index()] = device;
    for (const OpId free : chain[link].free_ops) plan.placement[free.index()] = device;
    device = origins[link * devices + device.index()];
  }
  return plan;
}

}  // namespace

std::optional<ChainPlan> place_chain(const Problem& problem, const Chain& chain,
                                     std::span<const std::int64_t> limits,
                                     const std::function<bool()>& stop) {
  const Handovers handovers(problem, chain);
  if (fits_anywhere(problem, chain, handovers, limits)) {
    return place_without_limits(problem, chain, handovers);
  }
  return place_by_labels(problem, chain, handovers, limits, stop);
}

}  // namespace berth::place
