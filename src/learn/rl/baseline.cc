#include "learn/rl/baseline.h"

#include <algorithm>
#include <cmath>

namespace berth::learn {
namespace {

using Kind = BaselineSettings::Kind;

Kind parse_kind(const std::string& name) {
  if (name == "average") return Kind::average;
  if (name == "batch") return Kind::batch;
  return Kind::steps;
}

// Mean over rows of every column.
std::vector<double> column_means(const RewardRows& rows) {
  std::vector<double> means(rows.front().size());
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < means.size(); ++i) means[i] += row[i];
  }
  for (double& mean : means) mean /= static_cast<double>(rows.size());
  return means;
}

}  // namespace

BaselineSettings BaselineSettings::parse(const Options& options) {
  return {.kind = parse_kind(options.text("baseline")), .memory = options.real("memory")};
}

std::vector<double> Baseline::step_means() const {
  return column_means({means_.begin(), means_.end()});
}

RewardRows Baseline::against_others(const RewardRows& rewards,
                                    std::span<const std::size_t> groupings) const {
  RewardRows advantages = rewards;
  const auto grouping = [&](std::size_t row) { return groupings.empty() ? row : groupings[row]; };
  for (std::size_t row = 0; row < rewards.size(); ++row) {
    std::vector<double> sums(rewards[row].size(), 0.0);
    double others = 0;
    for (std::size_t other = 0; other < rewards.size(); ++other) {
      if (grouping(other) == grouping(row)) continue;
      others += 1;
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += rewards[other][i];
    }
    for (std::size_t i = 0; i < sums.size(); ++i) {
      advantages[row][i] -= others > 0 ? sums[i] / others : average_;
    }
  }
  return advantages;
}

RewardRows Baseline::advantages(const RewardRows& rewards, std::span<const std::size_t> groupings) {
  const std::vector<double> means = column_means(rewards);
  if (!begun_) average_ = means.front();
  begun_ = true;
  // When the budget runs short, plans are rewarded as a whole, and means by step say nothing.
  if (!means_.empty() && means_.front().size() != means.size()) means_.clear();
  RewardRows advantages = rewards;
  if (settings_.kind == Kind::batch) {
    advantages = against_others(rewards, groupings);
  } else {
    const std::vector<double> known = means_.empty() ? means : step_means();
    for (auto& row : advantages) {
      for (std::size_t i = 0; i < row.size(); ++i) {
        row[i] -= settings_.kind == Kind::steps ? known[i] : average_;
      }
    }
  }
  average_ = settings_.memory * average_ + (1 - settings_.memory) * means.front();
  if (settings_.kind == Kind::steps) {
    means_.push_back(means);
    if (means_.size() > kUpdatesKept) means_.pop_front();
  }
  return advantages;
}

double Baseline::value() const {
  if (settings_.kind == Kind::steps && !means_.empty()) return step_means().front();
  return average_;
}

std::vector<double> Baseline::state() const {
  std::vector<double> state = {begun_ ? 1.0 : 0.0, average_, static_cast<double>(means_.size())};
  for (const auto& means : means_) state.insert(state.end(), means.begin(), means.end());
  return state;
}

bool Baseline::restore(const std::vector<double>& state) {
  const auto finite = [](double value) { return std::isfinite(value); };
  if (state.size() < 3 || !std::all_of(state.begin(), state.end(), finite)) return false;
  if (state[2] < 0 || state[2] > kUpdatesKept || state[2] != std::floor(state[2])) return false;
  const auto rows = static_cast<std::size_t>(state[2]);
  const std::size_t numbers = state.size() - 3;
  if (rows == 0 ? numbers != 0 : numbers == 0 || numbers % rows != 0) return false;
  begun_ = state[0] != 0;
  average_ = state[1];
  means_.clear();
  for (std::size_t row = 0; row < rows; ++row) {
    const auto begin = state.begin() + static_cast<std::ptrdiff_t>(3 + row * (numbers / rows));
    means_.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(numbers / rows));
  }
  return true;
}

}  // namespace berth::learn
