#include "place/search/annealer.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "place/evaluator.h"
#include "place/search/priorities.h"

namespace berth::place {
namespace {

constexpr double kOverCharge = 0.3;      // for any plan that does not fit,
constexpr double kOverRate = 20;         // and per mean device memory of bytes over
constexpr double kArmDecay = 0.995;      // of an arm's weight, each time it is tried
constexpr double kArmFloor = 0.1;        // least weight
constexpr double kFullReward = 0.05;     // a state better by this much (relative) or more earns 1,
constexpr double kBestReward = 5;        // a new best plan this much more
constexpr double kLookEvery = 50;        // evaluations between looks for hot spots
constexpr double kPatience = 300;        // evaluations without progress before a restart,
constexpr double kPatienceOfGroup = 20;  // and this many more per group

}  // namespace

bool accepts(double rise, double temperature, Random& random) {
  return rise <= 0 || random.uniform() < std::exp(-rise / temperature);
}

Landscape::Landscape(const Problem& given, const Request& asked)
    : problem(given), request(asked), graph(given), families(make_families(given, graph)) {
  std::vector<char> seen(problem.group_count(), 0);
  for (const OpId op : problem.graph().topological_order()) {
    const GroupId group = problem.group(op);
    if (!seen[group.index()]) order.push_back(group);
    seen[group.index()] = 1;
  }
  double usable = 0;
  std::size_t limited = 0;
  for (std::size_t d = 0; d < problem.device_count(); ++d) {
    if (problem.usable_bytes(DeviceId(d)) == kUnlimitedBytes) continue;
    usable += static_cast<double>(problem.usable_bytes(DeviceId(d)));
    ++limited;
  }
  if (limited > 0) mean_usable_bytes = std::max(1.0, usable / static_cast<double>(limited));
}

double Landscape::energy(const Outcome& outcome) const {
  if (!outcome.routable) return std::numeric_limits<double>::infinity();
  // A step may take no time at all, and the energy has to stay finite.
  const double step = std::log(std::max(outcome.step_seconds, 1e-300));
  if (outcome.feasible) return step;
  return step + kOverCharge +
         kOverRate * static_cast<double>(outcome.over_bytes) / mean_usable_bytes;
}

Annealer::Annealer(const Landscape& landscape, std::uint64_t seed)
    : landscape_(landscape),
      simulator_(landscape.problem),
      random_(seed),
      state_(landscape.problem, landscape.request.keep),
      arms_(kKinds * landscape.families.size(), 1.0),
      patience_(kPatience + kPatienceOfGroup * static_cast<double>(landscape.graph.group_count())) {
  const std::size_t families = landscape.families.size();
  // Moves from the critical path improve the plan from the first step, before any arm has earned a
  // weight, so they begin with a higher one.
  for (const Kind kind : {Kind::join, Kind::relieve}) {
    for (std::size_t i = 0; i < families; ++i)
      arms_[static_cast<std::size_t>(kind) * families + i] = 3;
  }
}

void Annealer::start(const Plan& plan, bool with_priorities) {
  state_.reset(plan);
  if (with_priorities) {
    state_.set_priorities(priorities_by_way_to_end(landscape_.problem, state_.plan()));
    state_.accept();
  }
  begin_here();
}

void Annealer::begin_here() {
  const Outcome& outcome = simulator_.evaluate(state_.plan());
  evaluations_ += 1;
  // The known hot spots belong to another plan: look again at once.
  looked_at_ = -kLookEvery;
  improved_at_ = evaluations_;
  lowest_energy_ = std::numeric_limits<double>::infinity();
  settle(outcome, landscape_.energy(outcome));
}

// Keeps the proposed state. Returns whether it is the best so far.
bool Annealer::settle(const Outcome& outcome, double energy) {
  state_.accept();
  energy_ = energy;
  busy_seconds_ = outcome.busy_seconds;
  remember_room(outcome);
  changed_since_ = true;
  if (energy < lowest_energy_) {
    lowest_energy_ = energy;
    improved_at_ = evaluations_;
  }
  if (!best_plan_.placement.empty() && !better(outcome, best_outcome_)) return false;
  best_plan_ = state_.plan();
  best_outcome_ = outcome;
  return true;
}

// A chain without progress continues from its best plan with some blocks of a random family moved
// at random. Their number is uniform in its logarithm, so restarts are both small and large.
void Annealer::restart() {
  state_.reset(best_plan_);
  const Family& family = landscape_.families[random_.below(landscape_.families.size())];
  const double blocks = static_cast<double>(family.blocks.size());
  const auto moves = static_cast<std::size_t>(std::exp2(random_.uniform() * std::log2(blocks)));
  for (std::size_t i = 0; i < moves; ++i) {
    move_anywhere(family);
    // One by one, so that a move which exceeds the move limit is undone alone.
    if (state_.is_worth_a_look()) {
      state_.accept();
    } else {
      state_.undo();
    }
  }
  begin_here();
}

void Annealer::run(double steps, double temperature, const std::function<bool()>& stop) {
  constexpr int kFruitless = 200;  // proposals that change nothing, in a row: nothing can move
  const std::size_t families = landscape_.families.size();
  int fruitless = 0;
  for (double step = 0; step < steps && fruitless < kFruitless;) {
    if (stop()) return;
    // A restart and a look for hot spots cost a simulation each, and the budget must see it.
    if (evaluations_ - improved_at_ > patience_) {
      restart();
      step += 1;
      if (stop()) return;
    }
    if (changed_since_ && std::isfinite(energy_) && evaluations_ - looked_at_ >= kLookEvery) {
      look_for_hot_spots();
      step += 1;
      if (stop()) return;
    }
    const std::size_t arm = choose_arm();
    propose(static_cast<Kind>(arm / families), landscape_.families[arm % families]);
    // A proposal that changes nothing or exceeds the move limit is not worth a simulation.
    if (!state_.is_worth_a_look()) {
      ++fruitless;
      state_.undo();
      continue;
    }
    fruitless = 0;
    const Outcome& outcome = simulator_.evaluate(state_.plan());
    evaluations_ += 1;
    step += 1;
    const double energy = landscape_.energy(outcome);
    const double rise = energy - energy_;
    double& weight = arms_[arm];
    // The weight of an arm decays only when it is tried, so rarely tried arms keep what they
    // earned. The floor keeps every arm in use: the plan changes, and an arm that was useless may
    // help later.
    weight = std::max(kArmFloor, kArmDecay * weight);
    if (rise < 0) weight += std::min(1.0, -rise / kFullReward);
    if (accepts(rise, temperature, random_)) {
      if (settle(outcome, energy)) weight += kBestReward;
    } else {
      state_.undo();
    }
  }
}

void Annealer::remember_room(const Outcome& outcome) {
  fits_ = outcome.feasible;
  if (fits_) return;
  room_bytes_.resize(outcome.peak_bytes.size());
  for (std::size_t d = 0; d < room_bytes_.size(); ++d) {
    room_bytes_[d] = landscape_.problem.usable_bytes(DeviceId(d)) - outcome.peak_bytes[d];
  }
}

std::size_t Annealer::choose_arm() {
  // About 9 kinds x 15 families: the sum costs nothing compared with a simulation.
  double total = 0;
  for (const double weight : arms_) total += weight;
  double at = random_.uniform() * total;
  for (std::size_t i = 0; i < arms_.size(); ++i) {
    at -= arms_[i];
    if (at < 0) return i;
  }
  // Rounding may leave a rest above 0 after the last arm.
  return arms_.size() - 1;
}

void Annealer::look_for_hot_spots() {
  const Problem& problem = landscape_.problem;
  const Timeline timeline = simulator_.trace(state_.plan());
  hot_spots_ = find_hot_spots(problem, state_.plan(), timeline);
  if (landscape_.request.tasks.schedule) {
    learned_priorities_ = priorities_by_timeline(problem, state_.plan(), timeline);
  }
  evaluations_ += 1;
  looked_at_ = evaluations_;
  changed_since_ = false;
}

}  // namespace berth::place
