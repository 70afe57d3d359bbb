// Where no optimum is known: trained policies against what they began as, against chance, one
// device and list schedulers, and against policies that only imitate the best sample they have
// drawn. docs/results/learning.txt keeps what this prints.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "cluster/presets.h"
#include "frontends/model.h"
#include "learn/final_policy.h"
#include "learn/small_agents.h"
#include "place/groups/units.h"

namespace berth::learn {
namespace {

struct Larger {
  std::string name;
  std::string model;
  std::string cluster;
  double evaluations = 0;
};

// One that does not learn draws the same early and late: enough for the samples that are kept.
constexpr double kUntaught = 2 * CaseTraining::kLastSamples;

void PrintTo(const Larger& larger, std::ostream* out) { *out << larger.name; }

double mean_of_random_placements(const Problem& problem, std::uint64_t seed) {
  const place::Units units = place::make_units(problem, "256");
  Random random(seed);
  Simulator simulator(problem);
  std::vector<double> steps;
  for (std::size_t draw = 0; draw < CaseTraining::kLastSamples; ++draw) {
    std::vector<DeviceId> devices;
    for (std::size_t unit = 0; unit < units.size(); ++unit) {
      const auto allowed = problem.allowed_devices(units.members.row(unit).front());
      devices.push_back(allowed[random.below(allowed.size())]);
    }
    steps.push_back(step_if_fits(simulator.evaluate(place::plan_of_units(units, devices))));
  }
  return mean_of(steps);
}

double plan_of(const Problem& problem, const char* method) {
  return step_if_fits(place::parse_method(method).place(problem, place::Request()).outcome);
}

// They begin as heft, and must end better than that and than what imitation makes of it.
bool begins_as_list_scheduler(const std::string& agent) {
  return agent == "go" || agent == "encoder_placer";
}

constexpr double kFittingShare = 0.95;

class LearnsLargerProblems : public testing::TestWithParam<std::tuple<std::string, Larger>> {};

TEST_P(LearnsLargerProblems, BetterThanItsControls) {
  const auto& [agent, larger] = GetParam();
  const Problem problem(load_model(larger.model).graph, make_preset(larger.cluster));
  const double single = plan_of(problem, "single");
  const double list =
      std::min({plan_of(problem, "heft"), plan_of(problem, "etf"), plan_of(problem, "sct")});
  for (const std::uint64_t seed : {0, 1}) {
    SCOPED_TRACE(seed);
    const double chance = mean_of_random_placements(problem, seed);
    const FinalPolicy untaught = final_policy(problem, agent + ":lr=0", kUntaught, seed);
    const FinalPolicy imitating =
        final_policy(problem, agent + ":rl=off:elite=0.6", larger.evaluations, seed);
    const FinalPolicy trained = final_policy(problem, agent, larger.evaluations, seed);
    fmt::print(
        "{} {} on {}, {:.0f} evaluations, seed {}: greedy {:.3f} ms, mean {:.3f} ms, {:.0f}% fit; "
        "with lr=0 {:.3f} and {:.3f}; with rl=off {:.3f} and {:.3f}; random placements {:.3f}; "
        "single {:.3f}; best list scheduler {:.3f}\n",
        agent, larger.model, larger.cluster, larger.evaluations, seed, trained.greedy * 1e3,
        trained.fitting_mean * 1e3, 100 * trained.fitting_share, untaught.greedy * 1e3,
        untaught.fitting_mean * 1e3, imitating.greedy * 1e3, imitating.fitting_mean * 1e3,
        chance * 1e3, single * 1e3, list * 1e3);
    std::fflush(stdout);
    EXPECT_GE(trained.fitting_share, kFittingShare);
    EXPECT_LT(trained.greedy, std::min({untaught.greedy, untaught.fitting_mean, chance, single}));
    EXPECT_LT(trained.fitting_mean, std::min(untaught.fitting_mean, chance));
    if (!begins_as_list_scheduler(agent)) continue;
    EXPECT_LE(trained.greedy, imitating.greedy);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Agents, LearnsLargerProblems,
    testing::Combine(testing::ValuesIn(agent_names()),
                     testing::Values(Larger{"layered", "zoo:layered:ops=200:seed=1001",
                                            "4xV100-nvlink", 5000},
                                     Larger{"nmt", "zoo:nmt:layers=2", "2xK40", 3000})),
    [](const auto& name) { return std::get<0>(name.param) + "_" + std::get<1>(name.param).name; });

}  // namespace
}  // namespace berth::learn
