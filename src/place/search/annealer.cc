#include "place/search/annealer.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "place/judge.h"

namespace berth {
namespace {

constexpr double kOverCharge = 0.3;       // for not fitting at all,
constexpr double kOverRate = 5;           // and for every device's worth of bytes over
constexpr double kArmDecay = 0.995;       // of what an arm has earned, a step it is tried
constexpr double kArmFloor = 0.1;         // least weight
constexpr double kLookEvery = 50;         // evaluations, for what is critical by now
constexpr double kImprovementReward = 1;  // for a better state,
constexpr double kBestReward = 5;         // and for a new best

}  // namespace

Landscape::Landscape(const Problem& given)
    : problem(given), graph(given), costs(given), families(make_families(given, graph)) {
  const auto topological = problem.graph().topological_order();
  position.assign(problem.group_count(), Family::kNone);
  for (const OpId op : topological) {
    const GroupId group = problem.group(op);
    if (position[group.index()] != Family::kNone) continue;
    position[group.index()] = static_cast<std::uint32_t>(order.size());
    order.push_back(group);
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
  const double step = std::log(std::max(outcome.step_seconds, 1e-300));
  if (outcome.feasible) return step;
  return step + kOverCharge +
         kOverRate * static_cast<double>(outcome.over_bytes) / mean_usable_bytes;
}

Annealer::Annealer(const Landscape& landscape, std::uint64_t seed)
    : landscape_(landscape),
      simulator_(landscape.problem),
      random_(seed),
      arms_(kKinds * landscape.families.size()) {}

void Annealer::start(const Plan& plan) {
  plan_ = plan;
  plan_.fused.clear();
  devices_ = devices_of_groups(landscape_.problem, plan_);
  const Outcome& outcome = simulator_.evaluate(plan_);
  evaluations_ += 1;
  energy_ = landscape_.energy(outcome);
  changed_since_ = true;
  looked_at_ = -kLookEvery;
  busy_seconds_ = outcome.busy_seconds;
  if (best_plan_.placement.empty() || better(outcome, best_outcome_)) {
    best_plan_ = plan_;
    best_outcome_ = outcome;
    best_energy_ = energy_;
  }
}

void Annealer::run(double steps, double temperature, const std::function<bool()>& stop) {
  constexpr int kFruitless = 100;  // proposals that change nothing, in a row: nothing can move
  int fruitless = 0;
  for (double step = 0; step < steps && fruitless < kFruitless;) {
    if (changed_since_ && evaluations_ - looked_at_ >= kLookEvery) {
      look_for_hot_spots();
      step += 1;
    }
    const std::size_t arm = choose_arm();
    changes_.clear();
    const std::size_t families = landscape_.families.size();
    if (!propose(static_cast<Kind>(arm / families), arm % families)) {
      ++fruitless;
      undo();
      continue;
    }
    fruitless = 0;
    const Outcome& outcome = simulator_.evaluate(plan_);
    evaluations_ += 1;
    step += 1;
    const double energy = landscape_.energy(outcome);
    double& weight = arms_[arm].weight;
    weight = std::max(kArmFloor, kArmDecay * weight);
    const double rise = energy - energy_;
    if (rise < 0) weight += kImprovementReward * std::min(1.0, -rise * 20);
    if (rise <= 0 || random_.uniform() < std::exp(-rise / temperature)) {
      energy_ = energy;
      changed_since_ = true;
      busy_seconds_ = outcome.busy_seconds;
      if (better(outcome, best_outcome_)) {
        best_plan_ = plan_;
        best_outcome_ = outcome;
        best_energy_ = energy;
        weight += kBestReward;
      }
    } else {
      undo();
    }
    if (stop()) return;
  }
}

std::size_t Annealer::choose_arm() {
  double total = 0;
  for (const Arm& arm : arms_) total += arm.weight;
  double at = random_.uniform() * total;
  for (std::size_t i = 0; i < arms_.size(); ++i) {
    at -= arms_[i].weight;
    if (at < 0) return i;
  }
  return arms_.size() - 1;
}

bool Annealer::propose(Kind kind, std::size_t family) {
  switch (kind) {
    case Kind::move:
      return propose_move(landscape_.families[family]);
    case Kind::swap:
      return propose_swap(landscape_.families[family]);
    case Kind::shift:
      return propose_shift();
    case Kind::unload:
      return propose_unload(landscape_.families[family]);
    case Kind::join:
      return propose_join(landscape_.families[family]);
    case Kind::relieve:
      return propose_relieve(landscape_.families[family]);
  }
  return false;
}

std::uint32_t Annealer::random_cluster(const Family& family) {
  return static_cast<std::uint32_t>(random_.below(family.clusters.size()));
}

DeviceId Annealer::random_allowed(GroupId group) {
  const auto allowed = landscape_.problem.allowed_devices(group);
  return allowed[random_.below(allowed.size())];
}

// To where one of its neighbours is, or anywhere.
bool Annealer::propose_move(const Family& family) {
  const std::uint32_t cluster = random_cluster(family);
  const auto groups = family.clusters.row(cluster);
  const GroupId group = groups[random_.below(groups.size())];
  set_cluster(family, cluster, near_or_anywhere(group));
  return !changes_.empty();
}

// Where one of its neighbours is, or any device it may use.
DeviceId Annealer::near_or_anywhere(GroupId group) {
  const auto neighbours = landscape_.graph.neighbours(group);
  if (neighbours.empty() || random_.chance(0.5)) return random_allowed(group);
  return devices_[neighbours[random_.below(neighbours.size())].group.index()];
}

bool Annealer::propose_swap(const Family& family) {
  const std::uint32_t one = random_cluster(family);
  const std::uint32_t other = random_cluster(family);
  if (one == other) return false;
  const DeviceId from = devices_[family.clusters.row(one).front().index()];
  const DeviceId to = devices_[family.clusters.row(other).front().index()];
  if (from == to) return false;
  set_cluster(family, one, to);
  set_cluster(family, other, from);
  return !changes_.empty();
}

// Groups that follow one another in topological order join the device of the one before (or after)
// them: a cut moves.
bool Annealer::propose_shift() {
  const std::vector<GroupId>& order = landscape_.order;
  if (order.size() < 2) return false;
  const std::size_t begin = random_.below(order.size());
  const bool forwards = random_.chance(0.5);
  const DeviceId device = devices_[order[begin].index()];
  // Lengths on all scales.
  const double longest = std::log2(static_cast<double>(order.size()));
  const auto length = static_cast<std::size_t>(std::exp2(random_.uniform() * longest));
  // On to where the device changes, then over it.
  std::size_t at = begin;
  const auto advance = [&] {
    if (forwards) return ++at < order.size();
    return at-- > 0;
  };
  while (devices_[order[at].index()] == device) {
    if (!advance()) return false;
  }
  for (std::size_t i = 0; i < length; ++i) {
    if (is_allowed(landscape_.problem, order[at], device)) set(order[at], device);
    if (!advance()) break;
  }
  return !changes_.empty();
}

// From the device that has most to do to another.
bool Annealer::propose_unload(const Family& family) {
  const auto busiest = static_cast<std::size_t>(
      std::max_element(busy_seconds_.begin(), busy_seconds_.end()) - busy_seconds_.begin());
  constexpr int kTries = 16;
  for (int i = 0; i < kTries; ++i) {
    const std::uint32_t cluster = random_cluster(family);
    const GroupId first = family.clusters.row(cluster).front();
    if (devices_[first.index()].index() != busiest) continue;
    set_cluster(family, cluster, random_allowed(first));
    return !changes_.empty();
  }
  return false;
}

// Two groups between which the critical path travels share a device.
bool Annealer::propose_join(const Family& family) {
  if (hot_spots_.meetings.empty()) return false;
  const Meeting& meeting = hot_spots_.meetings.draw(random_);
  const bool to_other = random_.chance(0.5);
  const GroupId moved = to_other ? meeting.one : meeting.other;
  const GroupId goal = to_other ? meeting.other : meeting.one;
  return move_with_cluster(family, moved, devices_[goal.index()]);
}

// A group on a device that the critical path waits for goes elsewhere.
bool Annealer::propose_relieve(const Family& family) {
  if (hot_spots_.crowdings.empty()) return false;
  const GroupId group = hot_spots_.crowdings.draw(random_).group;
  return move_with_cluster(family, group, near_or_anywhere(group));
}

bool Annealer::move_with_cluster(const Family& family, GroupId group, DeviceId device) {
  const std::uint32_t cluster = family.cluster_of[group.index()];
  if (cluster == Family::kNone) return false;
  set_cluster(family, cluster, device);
  return !changes_.empty();
}

void Annealer::look_for_hot_spots() {
  hot_spots_ = find_hot_spots(landscape_.problem, plan_, simulator_.trace(plan_));
  evaluations_ += 1;
  looked_at_ = evaluations_;
  changed_since_ = false;
}

void Annealer::set_cluster(const Family& family, std::uint32_t cluster, DeviceId device) {
  for (const GroupId group : family.clusters.row(cluster)) {
    if (is_allowed(landscape_.problem, group, device)) set(group, device);
  }
}

void Annealer::set(GroupId group, DeviceId device) {
  DeviceId& now = devices_[group.index()];
  if (now == device) return;
  changes_.emplace_back(group, now);
  now = device;
  for (const OpId op : landscape_.problem.members(group)) plan_.placement[op.index()] = device;
}

void Annealer::undo() {
  for (auto change = changes_.rbegin(); change != changes_.rend(); ++change) {
    devices_[change->first.index()] = change->second;
    for (const OpId op : landscape_.problem.members(change->first)) {
      plan_.placement[op.index()] = change->second;
    }
  }
  changes_.clear();
}

}  // namespace berth
