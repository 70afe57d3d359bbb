#include "place/search/state.h"

#include <cmath>
#include <limits>

#include "place/evaluator.h"
#include "place/move_limit.h"

namespace berth::place {

SearchState::SearchState(const Problem& problem, const MoveLimit* keep)
    : problem_(problem), keep_(keep) {}

void SearchState::reset(const Plan& plan) {
  accept();
  plan_ = plan;
  plan_.fused.clear();
  devices_ = devices_of_groups(problem_, plan_);
  if (keep_ != nullptr) moved_ = count_moved(*keep_, plan_);
}

void SearchState::move(GroupId group, DeviceId device) {
  const DeviceId now = devices_[group.index()];
  if (now == device || !is_allowed(problem_, group, device)) return;
  left_.emplace_back(group, now);
  devices_[group.index()] = device;
  for (const OpId op : problem_.members(group)) {
    plan_.placement[op.index()] = device;
    if (keep_ == nullptr) continue;
    const DeviceId home = keep_->devices[op.index()];
    if (!home.valid()) continue;
    // A group may move several times before accept(), so each move counts its difference.
    moved_ += home != device ? 1 : 0;
    moved_ -= home != now ? 1 : 0;
  }
}

void SearchState::set_priorities(std::vector<double> priorities) {
  if (!reordered_) {
    // The saved list must hold the priorities as of the last accept(), so what was raised since is
    // lowered first.
    lower_raised();
    old_priorities_ = std::move(plan_.priority);
  }
  reordered_ = true;
  plan_.priority = std::move(priorities);
}

void SearchState::raise_over(OpId op, OpId other) {
  if (plan_.priority.empty()) return;
  double& priority = plan_.priority[op.index()];
  const double goal = plan_.priority[other.index()];
  if (priority > goal) return;
  raised_.emplace_back(op, priority);
  // As little as possible, so that the order relative to all other ops changes as little as
  // possible.
  priority = std::nextafter(goal, std::numeric_limits<double>::infinity());
}

bool SearchState::is_worth_a_look() const {
  if (keep_ != nullptr && moved_ > keep_->most_moved) return false;
  return !left_.empty() || !raised_.empty() || reordered_;
}

void SearchState::accept() {
  left_.clear();
  raised_.clear();
  reordered_ = false;
}

// Backwards, because the same op may have been raised twice.
void SearchState::lower_raised() {
  for (auto raised = raised_.rbegin(); raised != raised_.rend(); ++raised) {
    plan_.priority[raised->first.index()] = raised->second;
  }
  raised_.clear();
}

void SearchState::undo() {
  while (!left_.empty()) {
    const auto [group, device] = left_.back();
    left_.pop_back();
    move(group, device);
    left_.pop_back();  // of taking it back
  }
  lower_raised();
  if (reordered_) plan_.priority = std::move(old_priorities_);
  accept();
}

}  // namespace berth::place
