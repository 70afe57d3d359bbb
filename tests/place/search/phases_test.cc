// The phases of a search: what runs, what is left out, what is reported, and that it is checked.
#include "place/search/phases.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "base/error.h"
#include "cluster/presets.h"
#include "place/auto.h"
#include "zoo/workload.h"

namespace berth::place {
namespace {

Problem layered(const std::string& text) {
  const Call call = parse_call(text);
  const zoo::Workload& workload = zoo::find_workload(call.name);
  return Problem(
      workload.build(Options(workload.name, workload.options, call), zoo::Mode::training),
      make_preset("2xP100"));
}

Placed search(const Problem& problem, const std::string& method, double evaluations = 400) {
  Request request;
  request.budget.evaluations = evaluations;
  return parse_method(method).place(problem, request);
}

std::vector<std::string> names_of(const Placed& placed) {
  std::vector<std::string> names;
  for (const PhaseReport& phase : placed.phases) names.push_back(phase.name);
  return names;
}

using Names = std::vector<std::string>;

TEST(Phases, AreListedInOrderWithTheirEvaluationsAndGains) {
  const Problem problem = layered("layered:ops=80");
  const Placed placed = search(problem, "auto");
  EXPECT_EQ(names_of(placed), (Names{"portfolio", "coarse_schedules", "annealing"}));
  double evaluations = 0;
  for (std::size_t i = 0; i < placed.phases.size(); ++i) {
    const PhaseReport& phase = placed.phases[i];
    evaluations += phase.evaluations;
    EXPECT_GT(phase.evaluations, 0) << phase.name;
    if (i == 0) {
      EXPECT_EQ(phase.gain(), std::nullopt);
      continue;
    }
    EXPECT_EQ(phase.step_seconds_before, placed.phases[i - 1].step_seconds);
    EXPECT_GE(phase.gain().value(), 0) << phase.name;
  }
  EXPECT_EQ(evaluations, placed.evaluations);
  EXPECT_EQ(placed.phases.back().step_seconds, placed.outcome.step_seconds);
}

TEST(Phases, EndWithEnumerationWhereThereAreFewPlans) {
  const Placed placed = search(layered("layered:ops=6:width=2"), "auto:skip=annealing", 60'000);
  EXPECT_EQ(names_of(placed), (Names{"portfolio", "enumeration"}));
}

TEST(Phases, AreSkippedByName) {
  const Problem problem = layered("layered:ops=80");
  EXPECT_EQ(names_of(search(problem, "auto:skip=annealing")),
            (Names{"portfolio", "coarse_schedules"}));
  EXPECT_EQ(names_of(search(problem, "auto:skip=coarse_schedules")),
            (Names{"portfolio", "annealing"}));
  // There must be a plan to begin from.
  EXPECT_EQ(names_of(search(problem, "auto:skip=portfolio+coarse_schedules")),
            (Names{"single", "annealing"}));
  const Placed least = search(problem, "auto:skip=portfolio+coarse_schedules+annealing");
  EXPECT_EQ(names_of(least), (Names{"single"}));
  EXPECT_EQ(least.plan, search(problem, "single").plan);
}

TEST(Phases, UnknownNamesAreAnsweredWithTheValidOnes) {
  const Problem problem = layered("layered:ops=20");
  for (const char* method : {"auto:skip=polish", "auto:skip=portfolio+polish"}) {
    try {
      search(problem, method);
      FAIL() << method;
    } catch (const InputError& error) {
      EXPECT_EQ(error.code(), ErrorCode::bad_option);
      EXPECT_EQ(error.subject(), "skip");
      const std::string text = error.what();
      EXPECT_NE(text.find("\"polish\""), std::string::npos) << text;
      for (const char* name :
           {"policy", "portfolio", "enumeration", "coarse_schedules", "annealing"}) {
        EXPECT_NE(text.find(name), std::string::npos) << text;
      }
    }
  }
}

TEST(Phases, ThatReportAStepNoSimulationGivesAreABugOfOurs) {
  const Problem problem = layered("layered:ops=20");
  const Request request;
  Evaluator evaluator(problem, request);
  const Placed honest = search(problem, "single");
  PhaseRunner phases(evaluator, {});
  phases.run("honest", 1, [&](double) { evaluator.adopt(honest.plan, honest.outcome, 1); });
  Outcome wrong = honest.outcome;
  wrong.step_seconds *= 0.9;
  EXPECT_THROW(phases.run("wrong", 1, [&](double) { evaluator.adopt(honest.plan, wrong, 1); }),
               std::logic_error);
}

TEST(Phases, ThatMakeAPlanThatIsNotValidAreABugOfOurs) {
  const Problem problem = layered("layered:ops=20");
  const Request request;
  Evaluator evaluator(problem, request);
  PhaseRunner phases(evaluator, {});
  Placed broken = search(problem, "single");
  broken.plan.placement.front() = DeviceId();
  EXPECT_THROW(
      phases.run("broken", 1, [&](double) { evaluator.adopt(broken.plan, broken.outcome, 1); }),
      std::logic_error);
}

// A step of a chain may take several simulations, and chains share what is left.
TEST(Phases, TakeNoMoreEvaluationsThanThereAre) {
  const Problem problem = layered("layered:ops=80");
  for (double budget = 300; budget < 330; ++budget) {
    EXPECT_EQ(search(problem, "auto:threads=1", budget).evaluations, budget);
    EXPECT_EQ(search(problem, "auto:threads=1:chains=7", budget).evaluations, budget);
  }
}

TEST(Phases, NumberOfChainsIsWhatThePlanDependsOnAndNotThreads) {
  const Problem problem = layered("layered:ops=120");
  const Placed seven = search(problem, "auto:chains=7:threads=1", 1000);
  EXPECT_EQ(search(problem, "auto:chains=7:threads=3", 1000).plan, seven.plan);
  EXPECT_EQ(search(problem, "auto:threads=9", 1000).plan,
            search(problem, "auto:chains=4:threads=1", 1000).plan);
}

}  // namespace
}  // namespace berth::place
