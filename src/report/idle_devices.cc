// The part of lint that looks for work that devices with little to do could take.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/quantity.h"
#include "place/search/families.h"
#include "report/lint.h"
#include "report/relocation.h"
#include "report/text.h"

namespace berth::report {
namespace {

constexpr double kMostlyIdle = 0.2;        // of the step
constexpr std::size_t kMostIdleTried = 4;  // devices; more of them are mostly alike

std::string device_name(const Analysis& analysis, DeviceId device) {
  return plain_name(analysis.cluster().device(device).name, 32);
}

std::vector<DeviceId> idle_devices(const Analysis& analysis) {
  const Outcome& outcome = analysis.outcome();
  std::vector<DeviceId> idle;
  for (std::size_t d = 0; d < outcome.busy_seconds.size(); ++d) {
    const DeviceId device(d);
    // A CPU that only feeds its accelerators is not a wasted device.
    if (analysis.cluster().device(device).kind == "cpu") continue;
    if (outcome.busy_seconds[d] < kMostlyIdle * outcome.step_seconds) idle.push_back(device);
  }
  std::stable_sort(idle.begin(), idle.end(), [&](DeviceId left, DeviceId right) {
    return outcome.busy_seconds[left.index()] < outcome.busy_seconds[right.index()];
  });
  if (idle.size() > kMostIdleTried) idle.resize(kMostIdleTried);
  return idle;
}

struct Offer {
  std::vector<Move> moves;
  DeviceId from;
  double gain = 0;
  double step_seconds = 0;
};

// The group and everything that depends on it and on nothing else but inputs and weights: a branch
// of the network.
std::vector<GroupId> branch_from(const Problem& problem, GroupId root) {
  const Graph& graph = problem.graph();
  std::vector<char> inside(problem.group_count(), 0);
  std::vector<char> outside(problem.group_count(), 0);
  inside[root.index()] = 1;
  for (const OpId op : graph.topological_order()) {
    const std::size_t group = problem.group(op).index();
    if (group == root.index()) continue;
    for (const TensorId tensor : graph.inputs(op)) {
      const OpId producer = graph.producer(tensor);
      const std::size_t source = problem.group(producer).index();
      if (source == group || (graph.inputs(producer).empty() && source != root.index())) continue;
      (inside[source] != 0 && outside[source] == 0 ? inside : outside)[group] = 1;
    }
  }
  std::vector<GroupId> branch;
  for (std::size_t g = 0; g < inside.size(); ++g) {
    if (inside[g] != 0 && outside[g] == 0) branch.emplace_back(g);
  }
  return branch;
}

// Looks for the best move of many groups from one device to an idle one.
class OfferSearch {
 public:
  OfferSearch(const Analysis& analysis, const std::vector<DeviceId>& idle,
              const LintOptions& options)
      : problem_(*analysis.problem),
        idle_(idle),
        end_(std::chrono::steady_clock::now() +
             std::chrono::duration<double>(options.scan_seconds / 2)),
        stop_(options.stop),
        relocation_(analysis) {}

  // Blocks of every family, large ones first, then branches.
  Offer run() {
    std::vector<place::Family> families =
        place::make_families(problem_, place::GroupGraph(problem_));
    std::stable_sort(families.begin(), families.end(),
                     [](const place::Family& left, const place::Family& right) {
                       return left.blocks.size() < right.blocks.size();
                     });
    for (const place::Family& family : families) {
      for (std::size_t c = 0; c < family.blocks.size(); ++c) {
        if (!consider(family.blocks.row(c))) return best_;
      }
    }
    for (std::size_t g = 0; g < problem_.group_count(); ++g) {
      if (!consider(branch_from(problem_, GroupId(g)))) break;
    }
    return best_;
  }

 private:
  // Tries the groups that are on the device of the first one on each idle device. Returns false
  // when time is up.
  bool consider(std::span<const GroupId> groups) {
    if (std::chrono::steady_clock::now() >= end_ || stop_.requested()) return false;
    const DeviceId from = relocation_.home(groups.front());
    for (const DeviceId device : idle_) {
      std::vector<Move> moves;
      for (const GroupId group : groups) {
        const Move move{group, device};
        if (relocation_.home(group) == from && relocation_.can_move(move)) moves.push_back(move);
      }
      if (moves.size() < 2) continue;  // single moves are tried elsewhere
      const Outcome& outcome = relocation_.with(moves);
      const double gain = relocation_.gain(outcome);
      if (gain > best_.gain) best_ = {std::move(moves), from, gain, outcome.step_seconds};
    }
    return true;
  }

  const Problem& problem_;
  const std::vector<DeviceId>& idle_;
  std::chrono::time_point<std::chrono::steady_clock, std::chrono::duration<double>> end_;
  StopToken stop_;
  Relocation relocation_;
  Offer best_;
};

}  // namespace

std::vector<std::string> work_for_idle_devices(const Analysis& analysis,
                                               const LintOptions& options) {
  const std::vector<DeviceId> idle = idle_devices(analysis);
  if (idle.empty() || !analysis.outcome().feasible) return {};
  const Offer offer = OfferSearch(analysis, idle, options).run();
  if (offer.gain < kSmallestGain) return {};
  std::size_t ops = 0;
  for (const Move& move : offer.moves) ops += analysis.problem->members(move.group).size();
  const DeviceId to = offer.moves.front().device;
  const OpId first = analysis.problem->members(offer.moves.front().group).front();
  const auto busy = [&](DeviceId device) {
    return format_percent(analysis.outcome().busy_seconds[device.index()] /
                          analysis.outcome().step_seconds);
  };
  return {fmt::format(
      "{} computes {} of the step and {} {}: moving {} ({} and ops that belong to it) from {} to "
      "{} "
      "would shorten the step by {}, to {}.",
      device_name(analysis, offer.from), busy(offer.from), device_name(analysis, to), busy(to),
      format_number_of(ops, "op"), plain_name(analysis.graph().op_name(first), 50),
      device_name(analysis, offer.from), device_name(analysis, to), format_percent(offer.gain),
      format_seconds(offer.step_seconds))};
}

}  // namespace berth::report
