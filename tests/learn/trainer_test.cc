#include "learn/trainer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "base/error.h"
#include "cluster/presets.h"
#include "frontends/model.h"
#include "learn/small_training.h"
#include "learn/training_run.h"

namespace berth::learn {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

class EveryAgent : public testing::TestWithParam<std::string> {
 protected:
  std::string method(const std::string& more = "") const { return small_method(GetParam(), more); }
};

INSTANTIATE_TEST_SUITE_P(Agents, EveryAgent, testing::ValuesIn(agent_names()),
                         [](const auto& name) { return name.param; });

struct Result {
  PolicyFile state;
  Plan best;
  Outcome greedy;

  bool operator==(const Result&) const = default;
};

Result trained(const Trainer::Setting& setting) {
  Trainer trainer(setting);
  run_to_end(trainer);
  Result result{.state = state_of(trainer), .best = {}, .greedy = {}};
  trainer.price_greedy();
  result.best = trainer.cases().front()->best_plan();
  result.greedy = trainer.cases().front()->learned(trainer.updates()).greedy;
  return result;
}

TEST_P(EveryAgent, OneSeedAndBudgetAreOneTraining) {
  const Result first = trained(small_setting(method(), 60, 3));
  EXPECT_EQ(first, trained(small_setting(method(), 60, 3)));
  const Result other = trained(small_setting(method(), 60, 4));
  EXPECT_NE(parameters_in(first.state), parameters_in(other.state));
  EXPECT_NE(parameters_in(first.state),
            parameters_in(Trainer(small_setting(method(), 60, 3)).save()))
      << "nothing was learned";
}

TEST_P(EveryAgent, ThreadsChangeNothing) {
  Trainer::Setting setting = small_setting(method(), 60);
  const Result usual = trained(setting);
  for (const std::size_t threads : {1, 2, 3, 8}) {
    setting.threads = threads;
    EXPECT_EQ(usual, trained(setting)) << threads;
  }
}

TEST_P(EveryAgent, BudgetsAreKeptToTheLastEvaluation) {
  for (const double budget : {1, 2, 3, 4, 17, 100}) {
    Trainer trainer(small_setting(method(), budget));
    run_to_end(trainer);
    EXPECT_FALSE(trainer.interrupted());
    trainer.price_greedy();
    // The start and the greedy plan are priced in any case.
    const double least = trainer.cases().front()->start_evaluations() + 1;
    EXPECT_EQ(trainer.evaluations_in_all(), std::max(budget, least));
    EXPECT_EQ(trainer.evaluations(), trainer.evaluations_in_all() - 1);
    EXPECT_EQ(trainer.evaluations(), trainer.save().evaluations);
  }
}

TEST_P(EveryAgent, BudgetsOfLessThanTheStartWantsLeaveTheStart) {
  for (const char* start : {"single", "auto"}) {
    Trainer trainer(small_setting(method(std::string(":start=") + start), 2));
    EXPECT_TRUE(trainer.finished());
    trainer.price_greedy();
    EXPECT_EQ(trainer.updates(), 0);
    // Half for the start, and the greedy plan.
    EXPECT_EQ(trainer.evaluations(), 1);
    EXPECT_EQ(trainer.evaluations_in_all(), 2);
    const CaseTraining& only = *trainer.cases().front();
    EXPECT_EQ(violations(small_training_problem(), only.best_plan()), std::vector<std::string>());
    EXPECT_EQ(only.learned(0).sample_feasible_share, 0);
  }
}

TEST_P(EveryAgent, ASearchToBeginWithLeavesHalfOfTheBudget) {
  Trainer trainer(small_setting(method(":start=random"), 60));
  EXPECT_LE(trainer.evaluations(), 30);
  run_to_end(trainer);
  EXPECT_GT(trainer.updates(), 0);
}

TEST_P(EveryAgent, DoesNotBeginWithWhatLearnsItself) {
  EXPECT_THROW(Trainer(small_setting(method(":start=hdp"), 60)), InputError);
  EXPECT_THROW(Trainer(small_setting(method(":start=nosuch"), 60)), InputError);
}

TEST_P(EveryAgent, CasesTakeTurnsAndShareTheBudget) {
  Trainer trainer(two_cases(method(), 50));
  std::vector<std::size_t> turns;
  while (!trainer.finished()) turns.push_back(trainer.update()->case_number);
  for (std::size_t i = 0; i < turns.size(); ++i) EXPECT_EQ(turns[i], i % 2);
  trainer.price_greedy();
  EXPECT_EQ(trainer.evaluations_in_all(), 50);
}

TEST(EntropyBonus, OfTheMeanIsThatOfTheSumOverTheDecisions) {
  const auto parameters = [](const std::string& bonus) {
    const std::string method = small_agent("go", ":units=8:" + bonus);
    Trainer trainer(small_setting(place::parse_method(method).options.canonical(), 60));
    EXPECT_EQ(trainer.cases().front()->seen().unit_count(), 8);
    run_to_end(trainer);
    return parameters_in(trainer.save());
  };
  const auto of_sum = parameters("entropy_of=sum:entropy=0.5");
  EXPECT_EQ(of_sum, parameters("entropy_of=mean:entropy=4"));
  EXPECT_NE(of_sum, parameters("entropy_of=mean:entropy=0.5"));
}

TEST_P(EveryAgent, LearningRateOfZeroLeavesTheParameters) {
  Trainer trainer(small_setting(method(":lr=0"), 60));
  const PolicyFile before = trainer.save();
  run_to_end(trainer);
  const PolicyFile after = trainer.save();
  EXPECT_EQ(parameters_in(before), parameters_in(after));
  EXPECT_NE(*before.find("adam.first"), *after.find("adam.first")) << "no gradient was taken";
}

// So what is learned with rl=off is imitated, and nothing else.
TEST_P(EveryAgent, LearnsNothingWithoutRewardsAndWithoutAnElite) {
  const std::string own = GetParam() == "mars" ? ":pretrain=off" : "";
  const auto learned = [&](const std::string& options) {
    Trainer trainer(small_setting(method(":entropy=0" + own + options), 60));
    const PolicyFile before = trainer.save();
    run_to_end(trainer);
    return parameters_in(before) != parameters_in(trainer.save());
  };
  EXPECT_FALSE(learned(":rl=off:elite=0"));
  EXPECT_TRUE(learned(":rl=off:elite=1"));
  EXPECT_TRUE(learned(":rl=on:elite=0"));
}

TEST_P(EveryAgent, SurvivesProblemsWhereNothingFits) {
  Trainer::Setting setting = small_setting(method(":valid_after=2"), 60);
  setting.cases[0].problem = &place::fixtures::tiny_problem("infeasible memory");
  Trainer trainer(setting);
  while (!trainer.finished()) {
    const UpdateRecord record = *trainer.update();
    EXPECT_EQ(record.feasible_share, 0);
    EXPECT_TRUE(std::isfinite(record.reward) && std::isfinite(record.gradient_norm));
  }
  trainer.price_greedy();
  const CaseTraining& only = *trainer.cases().front();
  EXPECT_FALSE(only.any_feasible());
  const place::Learned learned = only.learned(trainer.updates());
  EXPECT_EQ(learned.sample_feasible_share, 0);
  EXPECT_EQ(learned.sample_mean_seconds, 0);
  EXPECT_FALSE(learned.greedy.feasible);
}

// With numbers as large as a wild learning rate or a file may have them, what comes of them is no
// number any more; plans stay valid.
TEST_P(EveryAgent, PolicyGoneAstrayStillPlacesWhereItMay) {
  Trainer::Setting setting = small_setting(method(), 40);
  setting.cases[0].problem = &place::fixtures::tiny_problem("pins");
  PolicyFile astray = Trainer(setting).save();
  for (StoredArray& array : astray.arrays) {
    if (array.name.starts_with("policy.")) array.data.assign(array.data.size(), '\x7e');
  }
  Trainer trainer(setting, astray, "x.policy");
  run_to_end(trainer);
  trainer.price_greedy();
  const CaseTraining& only = *trainer.cases().front();
  EXPECT_EQ(violations(*setting.cases[0].problem, only.best_plan()), std::vector<std::string>());
  EXPECT_TRUE(only.learned(0).greedy.routable);
  EXPECT_EQ(only.learned(0).sample_feasible_share, 1);
}

// The window: 200 of the samples that were drawn, no start and no greedy plan among them.
TEST(TrainingSamples, AreTheLastTwoHundred) {
  const Problem& problem = place::fixtures::tiny_problem("tight memory");
  const TrainingSettings settings =
      TrainingSettings::parse(place::parse_method(small_method("colocrl")).options);
  place::TrainingCase given;
  given.problem = &problem;
  const Problem* const problems[] = {&problem};
  CaseTraining training(given, settings, Vocabulary(problems), {});
  EXPECT_EQ(training.learned(0).sample_feasible_share, 0);
  EXPECT_EQ(training.sample_mean(), 0);

  Random random(5);
  Simulator simulator(problem);
  std::vector<double> steps;
  for (int batch = 0; batch < 43; ++batch) {
    std::vector<Plan> plans(6);
    for (Plan& plan : plans) {
      // All on one device, which does not fit, or three devices in turn, which does.
      const bool spread = random.chance(0.4);
      for (std::size_t op = 0; op < problem.op_count(); ++op) {
        plan.placement.emplace_back(spread ? (op + random.below(2)) / 2 % 3 : std::size_t{0});
      }
      const Outcome& outcome = simulator.evaluate(plan);
      steps.push_back(outcome.feasible ? outcome.step_seconds : kInfinity);
    }
    training.price(plans);
    training.consider(plans.front());
  }
  ASSERT_EQ(steps.size(), 258u);
  steps.erase(steps.begin(), steps.begin() + 58);
  EXPECT_EQ(std::vector<double>(training.last_samples().begin(), training.last_samples().end()),
            steps);
  std::erase(steps, kInfinity);
  ASSERT_GT(steps.size(), 0u);
  ASSERT_LT(steps.size(), 200u);
  const auto fitting = static_cast<double>(steps.size());
  EXPECT_EQ(training.learned(0).sample_feasible_share, fitting / 200);
  EXPECT_DOUBLE_EQ(training.sample_mean(),
                   std::accumulate(steps.begin(), steps.end(), 0.0) / fitting);
}

TEST_P(EveryAgent, BeginsFromTheBetterOfStartAndRequest) {
  const Plan etf = place::parse_method("etf").place(small_training_problem(), {}).plan;
  Trainer trainer(small_setting(method(), 2));
  const Outcome before = trainer.cases().front()->best();
  trainer.consider_start(etf);
  const Outcome after = trainer.cases().front()->best();
  EXPECT_LT(after.step_seconds, before.step_seconds);
  EXPECT_EQ(trainer.cases().front()->best_plan(), etf);
}

// Ctrl-C half way saves; going on from there ends as if nothing had been.
TEST_P(EveryAgent, InterruptedTrainingIsSavedAndGoesOn) {
  const std::string policy = testing::TempDir() + "interrupted_" + GetParam() + ".policy";
  const Trainer::Setting setting = small_setting(method(), 60);
  StopSource stop;
  Trainer::Setting stoppable = setting;
  stoppable.stop = stop.token();
  Trainer stopped(stoppable);
  for (int i = 0; i < 3; ++i) stopped.update();
  EXPECT_FALSE(stopped.finished());
  stop.request();
  run_training(stopped, {.policy_path = policy, .curve_path = {}, .resume = false, .progress = {}});
  EXPECT_TRUE(stopped.interrupted());
  EXPECT_EQ(stopped.updates(), 3);

  Trainer goes_on(setting);
  run_training(goes_on, {.policy_path = policy, .curve_path = {}, .resume = true, .progress = {}});
  EXPECT_FALSE(goes_on.interrupted());
  Trainer straight(setting);
  run_to_end(straight);
  PolicyFile file = read_policy(policy);
  file.train_seconds = 0;
  EXPECT_EQ(file, state_of(straight));
  EXPECT_EQ(goes_on.evaluations(), file.evaluations);
}

// The policy's numbers with noise added, so that it is no list scheduler any more.
PolicyFile stirred(PolicyFile file, std::uint64_t seed) {
  Random random(seed);
  for (StoredArray& array : file.arrays) {
    if (!array.name.starts_with(Trainer::kParameterPrefix)) continue;
    for (std::size_t at = 0; at + sizeof(float) <= array.data.size(); at += sizeof(float)) {
      float number = 0;
      std::memcpy(&number, array.data.data() + at, sizeof(float));
      number += static_cast<float>(random.uniform() - 0.5);
      std::memcpy(array.data.data() + at, &number, sizeof(float));
    }
  }
  return file;
}

// units=auto, for a policy that is used: not those of the shorter list schedule.
TEST(Trainer, APolicyPlacesTheUnitsWithWhichItsPlanIsShorter) {
  const Problem problem(load_model("zoo:enas_ptb:seed=3").graph, make_preset("4xP100"));
  place::TrainingCase only;
  only.problem = &problem;
  const std::string method = "go:hidden=8:heads=2:embedding=2";
  const auto used = [&](const PolicyFile& policy, const std::string& units) {
    Trainer trainer({.method = method + ":units=" + units,
                     .cases = {only},
                     .budget = {.evaluations = 0},
                     .seed = 0,
                     .threads = 1},
                    policy, "x.policy");
    trainer.price_greedy();
    const CaseTraining& of = *trainer.cases().front();
    return std::pair(of.greedy().step_seconds, of.seen().units.size());
  };
  const std::size_t listed = place::make_units(problem, "auto").size();
  const PolicyFile untaught =
      Trainer({.method = method, .cases = {only}, .budget = {.evaluations = 10}, .threads = 1})
          .save();
  bool other_than_listed = false;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const PolicyFile policy = stirred(untaught, seed);
    const auto chosen = used(policy, "auto");
    EXPECT_EQ(chosen, std::min(used(policy, "256"), used(policy, "ops")));
    other_than_listed = other_than_listed || chosen.second != listed;
  }
  EXPECT_TRUE(other_than_listed);
}

}  // namespace
}  // namespace berth::learn
