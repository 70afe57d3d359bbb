#include "experiments/generalization.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "experiments/search_pairs.h"

namespace berth::experiments {
namespace {

GeneralizationRow row(Kinship kinship, Step zero_shot, Step scratch) {
  GeneralizationRow made;
  made.problem = {kinship, "zoo:tiny", "2xK40"};
  made.carried.emplace_back();
  made.carried.back().zero_shot = zero_shot;
  made.carried.back().scratch = scratch;
  return made;
}

TEST(Generalization, ReportsOnWhatNothingWasTunedOn) {
  const Lineup& lineup = generalization_lineup(false);
  std::set<Kinship> seen;
  for (const HeldOut& problem : lineup.held_out) {
    SCOPED_TRACE(problem.name());
    EXPECT_FALSE(is_for_tuning(problem.cluster));
    const std::size_t seed = problem.workload.find("seed=");
    if (seed != std::string::npos) {
      EXPECT_GE(std::stoi(problem.workload.substr(seed + 5)), 100);
    }
    EXPECT_EQ(problem.cluster != lineup.cluster, problem.kinship == Kinship::other_cluster);
    seen.insert(problem.kinship);
  }
  EXPECT_EQ(seen.size(), 3u);
  for (const HeldOut& problem : generalization_lineup(true).held_out) {
    EXPECT_TRUE(is_for_tuning(problem.cluster)) << problem.name();
  }
}

TEST(Generalization, ComparesZeroShotWithScratchByKinship) {
  GeneralizationRun run;
  run.methods = {"go"};
  run.rows = {row(Kinship::same_family, 2.0, 1.0), row(Kinship::same_family, 1.0, 2.0),
              row(Kinship::same_family, std::nullopt, 1.0), row(Kinship::other_family, 1.5, 1.0)};
  EXPECT_DOUBLE_EQ(zero_shot_ratio(run, 0, Kinship::same_family).value(), 1);
  EXPECT_DOUBLE_EQ(zero_shot_ratio(run, 0, Kinship::other_family).value(), 1.5);
  EXPECT_FALSE(zero_shot_ratio(run, 0, Kinship::other_cluster));
  const std::string text = generalization_answer(run, report::Ink());
  for (const char* part : {"go, same family: zero-shot is as long as scratch (aim",
                           "go, other family: zero-shot is 50.0% above scratch\n", "-"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
  }
  run.rows = {row(Kinship::same_family, 1.2, 1.0)};
  EXPECT_NE(generalization_answer(run, report::Ink()).find("20.0% above scratch (aim missed"),
            std::string::npos);
}

TEST(Generalization, ComparesTheGreedyPlanWithTheBestListScheduler) {
  GeneralizationRun run;
  run.methods = {"go"};
  const auto add = [&](Step greedy, Step list) {
    GeneralizationRow made = row(Kinship::same_family, 1.0, 1.0);
    made.carried.front().greedy = greedy;
    made.list = list;
    run.rows.push_back(made);
  };
  add(1.0, 2.0);
  add(2.0, 1.0);
  add(1.0, 4.0);
  add(std::nullopt, 1.0);
  add(1.0, std::nullopt);
  const AgainstList against = greedy_against_list(run, 0);
  EXPECT_NEAR(against.ratio, std::cbrt(0.25), 1e-12);
  EXPECT_EQ(against.shorter, 2u);
  EXPECT_EQ(against.problems, 3u);
  const std::string text = generalization_answer(run, report::Ink());
  EXPECT_NE(text.find("go: its greedy plan is 37.0% below the best of heft, etf and sct"),
            std::string::npos)
      << text;
}

TEST(Generalization, TablesFitThePage) {
  GeneralizationRun run;
  run.methods = {"placeto", "go", "encoder_placer"};
  run.train_seconds = {340.8, 64.4, 1234};
  for (const HeldOut& problem : generalization_lineup(false).held_out) {
    GeneralizationRow made;
    made.problem = problem;
    made.random = made.single = made.expert = made.list = made.automatic = 0.123;
    Carried carried;
    carried.greedy = carried.zero_shot = carried.tuned = carried.scratch = 0.441;
    made.carried.assign(3, carried);
    run.rows.push_back(std::move(made));
  }
  const std::string text = generalization_answer(run, report::Ink());
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    EXPECT_LE(report::visible_width(text.substr(at, text.find('\n', at) - at)), 80u) << text;
  }
  EXPECT_NE(text.find("greedy  zero-shot   tuned  scratch"), std::string::npos) << text;
}

}  // namespace
}  // namespace berth::experiments
