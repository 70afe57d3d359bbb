#include "learn/training_settings.h"

#include <fmt/format.h>

#include "base/error.h"
#include "learn/start_method.h"
#include "place/groups/units.h"
#include "place/learned/methods.h"
#include "place/placer.h"

namespace berth::learn {
namespace {

// Given values only: the defaults of a preset may hold more epochs than the algorithm that the user
// chose can use, and then mean nothing.
void require_ppo_for_epochs(const Options& options, const std::string& method) {
  if (options.text("algorithm") == "ppo") return;
  for (const auto& [name, value] : parse_call(method).options) {
    if (name != "epochs" && name != "minibatches") continue;
    if (options.integer(name) == 1) continue;
    throw InputError(
        fmt::format("{}={} needs algorithm=ppo, because reinforce uses a batch once; set "
                    "algorithm=ppo, or leave {} out",
                    name, value, name));
  }
}

}  // namespace

TrainingSettings TrainingSettings::parse(const Options& options) {
  const bool ppo = options.text("algorithm") == "ppo";
  return {.start = options.text("start"),
          .algorithm = ppo ? Algorithm::ppo : Algorithm::reinforce,
          .learning_rate = options.real("lr"),
          .learning_rate_end = options.real("lr_end"),
          .gradient_clip = options.real("clip"),
          .entropy_weight = options.real("entropy"),
          .mean_entropy = options.text("entropy_of") == "mean",
          .entropy_until = options.real("entropy_until"),
          .elite_weight = options.real("elite"),
          .from_rewards = options.boolean("rl"),
          .valid_after = options.integer("valid_after"),
          .valid_share = options.real("valid_share"),
          .normalize = options.boolean("normalize"),
          .epochs = ppo ? options.integer("epochs") : 1,
          .minibatches = ppo ? options.integer("minibatches") : 1,
          .ppo_clip = options.real("ppo_clip"),
          .noise = options.real("noise"),
          .noise_updates = options.integer("noise_updates"),
          .case_settings = CaseSettings::parse(options),
          .reward = RewardSettings::parse(options),
          .baseline = BaselineSettings::parse(options)};
}

Options resolved_options(const std::string& method) {
  const place::Method parsed = place::parse_method(method);
  const place::LearnedMethod* const learned = place::find_learned(parsed.placer->name);
  if (!learned) throw InputError("it does not learn");
  Options options = place::resolve_preset(*learned, parsed.options);
  require_ppo_for_epochs(options, method);
  place::require_units(options.text("units"));
  start_method(options.text("start"));
  return options;
}

}  // namespace berth::learn
