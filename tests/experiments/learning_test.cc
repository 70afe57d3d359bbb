#include "experiments/learning.h"

#include <gtest/gtest.h>

#include <set>

#include "experiments/learning_page.h"
#include "experiments/learning_tables.h"
#include "place/placer.h"

namespace berth::experiments {
namespace {

TEST(Learning, EveryArmIsAMethodAndEveryCellHasItsOwnFile) {
  std::set<std::string> files;
  for (const LearningPart& part : learning_parts()) {
    for (const LearningArm& arm : part.arms) {
      EXPECT_NO_THROW(place::parse_method(arm.method)) << arm.method;
    }
    for (const LearningCell& cell : learning_cells(part, kLearningSeeds)) {
      EXPECT_TRUE(files.insert(cell.file_name()).second) << cell.file_name();
    }
  }
}

LearningCell first_cell() { return learning_cells(learning_parts().front(), 1).front(); }

TEST(Learning, AResultSurvivesItsFile) {
  LearningResult result;
  result.step = 0.25;
  result.greedy = 0.5;
  result.first_mean = 2;
  result.last_fitting = 0.75;
  result.to_expert = 301;
  result.updates = 12;
  result.zero_gradients = 3;
  result.evaluations = 1000;
  result.seconds = 1.5;
  const LearningResult again =
      parse_learning_result(learning_result_json(first_cell(), result), "r.json");
  EXPECT_EQ(again.step, result.step);
  EXPECT_EQ(again.greedy, result.greedy);
  EXPECT_EQ(again.first_mean, result.first_mean);
  EXPECT_EQ(again.last_mean, std::nullopt);
  EXPECT_EQ(again.last_fitting, result.last_fitting);
  EXPECT_EQ(again.to_expert, 301);
  EXPECT_EQ(again.updates, 12);
  EXPECT_EQ(again.zero_gradients, 3);
  EXPECT_EQ(again.evaluations, 1000);
  EXPECT_EQ(again.seconds, 1.5);
}

// The mean of the first 200 samples is where the curve first covers so many, not its first line,
// and only gradients that are zero in a row count.
TEST(Learning, ReadsACurve) {
  const char* const curve =
      "{\"evaluations\": 100, \"mean_step_seconds\": 9, \"gradient_norm\": 0}\n"
      "{\"evaluations\": 201, \"mean_step_seconds\": 7, \"gradient_norm\": 0}\n"
      "{\"evaluations\": 301, \"mean_step_seconds\": 5, \"gradient_norm\": 0.5}\n"
      "{\"evaluations\": 401, \"mean_step_seconds\": 3, \"gradient_norm\": 0}\n";
  LearningResult result;
  read_curve(curve, "curve", 5.0, result);
  EXPECT_EQ(result.first_mean, 7);
  EXPECT_EQ(result.to_expert, 301);
  EXPECT_EQ(result.zero_gradients, 2);
}

// From where all runs have 200 samples to the end of the longest, each with its last point before.
TEST(LearningPage, DrawsTheMeanOfSeveralRuns) {
  const auto points = curve_points(
      "{\"evaluations\": 100, \"mean_step_seconds\": 9}\n"
      "{\"evaluations\": 240, \"mean_step_seconds\": 8}\n"
      "{\"evaluations\": 300, \"mean_step_seconds\": 0}\n"
      "{\"evaluations\": 470, \"mean_step_seconds\": 4}\n",
      "curve");
  ASSERT_EQ(points.size(), 2);
  const auto mean = mean_curve({points, {{200, 6}, {400, 2}}});
  EXPECT_EQ(mean.front().evaluations, 240);
  EXPECT_EQ(mean.front().mean_seconds, 7);
  EXPECT_EQ(mean[12].evaluations, 360);
  EXPECT_EQ(mean[12].mean_seconds, 7);
  EXPECT_EQ(mean[17].mean_seconds, 5);
  EXPECT_EQ(mean.back().evaluations, 470);
  EXPECT_EQ(mean.back().mean_seconds, 3);
  EXPECT_TRUE(mean_curve({points, {}}).empty());
}

// A policy counts by its own greedy plan, even when it began with a better one.
TEST(LearningTables, CountAPolicyByItsGreedyPlan) {
  const LearningPart part{.name = "p",
                          .title = "Title",
                          .problems = {{"small", "zoo:tiny", "2xP100", 100}},
                          .arms = {{.name = "go", .method = "go", .of = ""},
                                   {.name = "go-lr0", .method = "go:lr=0", .of = "go"},
                                   {.name = "heft", .method = "heft", .of = "", .drawn = false}}};
  std::vector<LearningRecord> records;
  for (const LearningCell& cell : learning_cells(part, 2)) {
    LearningResult result;
    result.step = 1.0;
    if (cell.arm->name != "heft") {
      result.greedy = cell.arm->name == "go" ? 2.0 : 4.0;
      result.first_mean = 8.0;
      result.last_mean = 4.0;
      result.last_fitting = 1.0;
    }
    records.push_back({cell, result});
  }
  const std::string text = learning_tables(part, records, records.size() + 1, report::Ink());
  EXPECT_NE(text.find("2.000"), std::string::npos) << text;                  // of best
  EXPECT_NE(text.find("-50.0% [-50.0, -50.0]"), std::string::npos) << text;  // last over first
  EXPECT_NE(text.find("+100.0%"), std::string::npos) << text;                // lr=0 over go
  EXPECT_NE(text.find("1 of 6 runs"), std::string::npos) << text;
}

// A seed that never was as good as the expert counts with all its evaluations.
TEST(LearningTables, TellHowSoonPoliciesAreAsGoodAsTheExpert) {
  const LearningPart part{.name = "p",
                          .title = "Title",
                          .problems = {{"small", "zoo:tiny", "2xP100", 1000}},
                          .arms = {{.name = "on", .method = "mars", .of = "off"},
                                   {.name = "off", .method = "mars:pretrain=off", .of = ""}},
                          .against_expert = true};
  std::vector<LearningRecord> records;
  for (const LearningCell& cell : learning_cells(part, 2)) {
    LearningResult result;
    result.step = result.greedy = 1.0;
    result.last_fitting = 1.0;
    result.evaluations = 1000;
    if (cell.arm->name == "on") result.to_expert = 300;
    if (cell.arm->name == "off" && cell.seed == 0) result.to_expert = 500;
    records.push_back({cell, result});
  }
  const std::string text = learning_tables(part, records, records.size(), report::Ink());
  EXPECT_NE(text.find("300 2/2"), std::string::npos) << text;
  EXPECT_NE(text.find("750 1/2"), std::string::npos) << text;
  EXPECT_NE(text.find("-60.0%"), std::string::npos) << text;
}

}  // namespace
}  // namespace berth::experiments
