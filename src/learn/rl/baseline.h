// What rewards are compared with, so that a plan counts by how much better it is than the plans the
// policy draws anyway. Rewards are rows, one per plan: one number for the whole plan, or one per
// step of an episode.
//
//   average  an exponential moving average over updates (ColocRL, HDP)
//   batch    the mean of the batch's other plans; of plans that share a grouping (HDP), the mean of
//            those with other groupings. A mean that included plans of the same grouping would
//            cancel what the grouping is worth. The moving average when there is only one grouping.
//   steps    for every step the mean over the episodes of the last updates (Placeto)
// None of them depends on the plan it is subtracted from, so none biases the gradient. The only
// exception is the first update, where the average begins as the mean of the batch.
#pragma once

#include <deque>
#include <span>
#include <string>
#include <vector>

#include "base/options.h"

namespace berth::learn {

using RewardRows = std::vector<std::vector<double>>;

struct BaselineSettings {
  enum class Kind { average, batch, steps };

  Kind kind = Kind::average;
  double memory = 0;  // part of the moving average that an update keeps

  static BaselineSettings parse(const Options& options);
};

class Baseline {
 public:
  explicit Baseline(const BaselineSettings& settings) : settings_(settings) {}

  // Rewards less the baseline; learns from them afterwards. `groupings` numbers the grouping of
  // every row; empty when each row has its own.
  RewardRows advantages(const RewardRows& rewards, std::span<const std::size_t> groupings = {});
  double value() const;  // for the curve: of the first step

  // Everything it has learned, for checkpoints.
  std::vector<double> state() const;
  bool restore(const std::vector<double>& state);  // false when it makes no sense

 private:
  static constexpr std::size_t kUpdatesKept = 10;

  std::vector<double> step_means() const;
  // Every row less the mean of the rows of other groupings.
  RewardRows against_others(const RewardRows& rewards,
                            std::span<const std::size_t> groupings) const;

  BaselineSettings settings_;
  bool begun_ = false;
  double average_ = 0;
  std::deque<std::vector<double>> means_;  // of the last updates, by step
};

}  // namespace berth::learn
