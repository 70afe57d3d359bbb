// The hyperparameters of training, read once from a method's options. Names, defaults and ranges
// are in place/learned/methods.cc alone; what each field means to the user is said there too.
#pragma once

#include <cstdint>
#include <string>

#include "base/options.h"
#include "learn/case_settings.h"
#include "learn/rl/baseline.h"
#include "learn/rl/reward.h"

namespace berth::learn {

struct TrainingSettings {
  enum class Algorithm { reinforce, ppo };

  std::string start;  // the placer whose plan is priced first
  Algorithm algorithm = Algorithm::reinforce;
  double learning_rate = 0;
  double learning_rate_end = 1;  // part of the learning rate that is left at the end
  double gradient_clip = 1;      // largest norm of a gradient
  double entropy_weight = 0;     // at the start
  bool mean_entropy = false;     // the bonus is for the mean over decisions, not for their sum
  double entropy_until = 1;      // part of the budget after which the bonus is 0
  double elite_weight = 0;       // at the end
  bool from_rewards = true;      // off: only the best sample is imitated, as a control
  std::int64_t valid_after = 0;  // updates after which only samples that fit count,
  double valid_share = 0;        // once this part of the last samples fits
  bool normalize = false;        // advantages
  std::int64_t epochs = 1;       // passes over a batch; 1 without ppo
  std::int64_t minibatches = 1;  // parts of a batch; 1 without ppo
  double ppo_clip = 0;
  double noise = 0;  // on logits, as a part of their root mean square
  std::int64_t noise_updates = 0;
  CaseSettings case_settings;
  RewardSettings reward;
  BaselineSettings baseline;

  // `options` are those of a learned method, with its preset resolved.
  static TrainingSettings parse(const Options& options);
};

// The options of a learned method with its preset resolved. Throws InputError when `method` is not
// a learned one, or when a value is wrong in a way that its kind and range do not show.
Options resolved_options(const std::string& method);

}  // namespace berth::learn
