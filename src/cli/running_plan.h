// The plan of `--from` as one that is running: read for the cluster it was made for, transferred to
// what is left of it after `--without`, with `--keep`, which limits what may move.
#pragma once

#include <optional>
#include <string>

#include "cli/console.h"
#include "cli/setting.h"
#include "place/move_limit.h"

namespace berth::cli {

struct RunningPlan {
  Plan start;                   // valid on what is left; what was on lost devices is placed anew
  place::MoveLimit move_limit;  // without --keep everything may move
};

// "0.9"; nullopt when empty. Throws InputError when it is not a number from 0 to 1.
std::optional<double> parse_keep(const std::string& text);

// Throws InputError when the plan does not suit the whole cluster, or when its lost ops cannot be
// placed without moving more than may move.
RunningPlan load_running_plan(const std::string& path, std::optional<double> keep,
                              const Setting& setting, const Console& console);

// "12 of 1,000 ops moved (at most 100 allowed); 250 ops of the lost gpu:3 were placed anew"
std::string moves_sentence(const place::MoveLimit& move_limit, const Plan& plan,
                           const Setting& setting, bool limited);

}  // namespace berth::cli
