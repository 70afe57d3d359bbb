#include "place/proof/refutation.h"

#include <algorithm>
#include <limits>

namespace berth::place {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
// So few placements are simulated sooner than excluded by propagation.
constexpr double kFewPlacements = 4;
// On large graphs: ops visited at one node, so that the budget is not overrun, and memory for the
// levels of the tree. A tree that deep would not be finished anyway.
constexpr double kMostVisits = 1e6;
constexpr std::size_t kMostLevelBytes = std::size_t{1} << 28;

// In doubles: the number of placements easily exceeds any integer, and only small ones matter.
double placements(const Domains& domains) {
  double count = 1;
  for (const DeviceSet domain : domains) count *= std::popcount(domain);
  return count;
}

std::vector<double> weigh(const Relaxation& problem) {
  std::vector<double> weights(problem.groups, 0);
  const auto mean = [](const double* begin, std::size_t count) {
    double sum = 0;
    double finite = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (begin[i] == kNever) continue;
      sum += begin[i];
      finite += 1;
    }
    return finite > 0 ? sum / finite : 0;
  };
  for (std::size_t op = 0; op < problem.ops; ++op) {
    weights[problem.group_of[op]] += mean(&problem.costs[op * problem.devices], problem.devices);
    for (const Relaxation::Input& input : problem.inputs.row(op)) {
      const std::uint32_t source = problem.group_of[input.producer];
      if (source == problem.group_of[op]) continue;
      const double seconds =
          mean(&problem.transfers[input.tensor * problem.sorts + 1], problem.sorts - 1);
      weights[source] += seconds;
      weights[problem.group_of[op]] += seconds;
    }
  }
  return weights;
}

}  // namespace

Refutation::Refutation(const Relaxation& relaxation, Evaluator& evaluator)
    : problem_(relaxation),
      evaluator_(evaluator),
      propagation_(relaxation),
      symmetry_(relaxation),
      weights_(weigh(relaxation)),
      most_passes_a_node_(
          std::clamp(kMostVisits / static_cast<double>(relaxation.ops + 1), 2.0, 64.0)),
      most_levels_(2 + kMostLevelBytes / (sizeof(DeviceSet) * (relaxation.groups + 1))),
      levels_(1),
      devices_(relaxation.groups) {}

double Refutation::limit() const {
  const bool fits = evaluator_.has_best() && evaluator_.best_outcome().routable &&
                    evaluator_.best_outcome().feasible;
  // A plan found by the search may be below the limit. Then only shorter plans are of interest.
  return std::min(limit_seconds_, fits ? evaluator_.best_outcome().step_seconds : kNever);
}

bool Refutation::run(double limit_seconds, double most_passes, Order order) {
  order_ = order;
  limit_seconds_ = limit_seconds;
  passes_left_ = most_passes;
  stopped_ = false;
  levels_[0] = problem_.domains;
  descend(0);
  // A search that was stopped has not seen everything, so it proves nothing.
  return !stopped_;
}

bool Refutation::stop() {
  stopped_ = stopped_ || passes_left_ <= 0 || evaluator_.exhausted();
  return stopped_;
}

void Refutation::descend(std::size_t depth) {
  if (stop()) return;
  const double before = propagation_.passes();
  const double most = std::min(passes_left_, evaluator_.evaluations_left());
  const bool open =
      propagation_.narrow(levels_[depth], limit(), std::clamp(most, 1.0, most_passes_a_node_));
  const double spent = propagation_.passes() - before;
  passes_left_ -= spent;
  evaluator_.spend(spent);
  if (!open) return;
  if (placements(levels_[depth]) <= kFewPlacements) return try_all(levels_[depth]);

  const std::size_t group = choose_group(levels_[depth]);
  // Devices with the shortest paths first: a better plan found early lowers the limit for the rest.
  std::vector<std::pair<double, std::size_t>> choices;
  for_each_device(symmetry_.representatives(levels_[depth], group), [&](std::size_t d) {
    choices.emplace_back(propagation_.path_seconds(group, d), d);
  });
  std::sort(choices.begin(), choices.end());
  // Each level keeps a copy of all domains. Where memory for them runs out, nothing is proved.
  if (depth + 1 >= most_levels_) {
    stopped_ = true;
    return;
  }
  if (levels_.size() == depth + 1) levels_.emplace_back();
  for (const auto& [seconds, device] : choices) {
    levels_[depth + 1] = levels_[depth];
    levels_[depth + 1][group] = only(device);
    descend(depth + 1);
    if (stopped_) return;
  }
}

void Refutation::try_all(const Domains& domains) {
  Domains left = domains;
  for (;;) {
    for (std::size_t g = 0; g < left.size(); ++g) devices_[g] = DeviceId(lowest(left[g]));
    evaluator_.consider(plan_of(problem_.problem, devices_));
    passes_left_ -= 1;
    if (stop()) return;
    std::size_t g = 0;
    for (; g < left.size(); ++g) {
      // An odometer with one digit per group: the lowest device is dropped; where none is left the
      // digit starts again and the next one moves.
      left[g] &= left[g] - 1;
      if (left[g] != 0) break;
      left[g] = domains[g];
    }
    if (g == left.size()) return;
  }
}

std::size_t Refutation::choose_group(const Domains& domains) const {
  std::size_t open = 0;
  std::size_t heaviest = domains.size();
  for (std::size_t g = 0; g < domains.size(); ++g) {
    if (is_single(domains[g])) continue;
    ++open;
    if (heaviest == domains.size() || weights_[g] > weights_[heaviest]) heaviest = g;
  }
  // Once half of the groups is decided, the chronological order lets more of the step be
  // determined.
  const bool by_weight = order_ == Order::heaviest_first && 2 * open > domains.size();
  const std::uint32_t next = propagation_.open_group();
  return by_weight || next == Prefix::kNoGroup || is_single(domains[next]) ? heaviest : next;
}

}  // namespace berth::place
