// Experiments run on small problems: what they measure, what they tell the observer, how they stop.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/error.h"
#include "experiments/policy_folder.h"
#include "experiments/published_run.h"
#include "experiments/search_run.h"
#include "experiments/subject.h"

namespace berth::experiments {
namespace {

constexpr const char* kWorkload = "layered:ops=24:seed=1";
constexpr const char* kCluster = "2xP100";

PublishedTable small_table() {
  PublishedTable table;
  table.columns = {{"single", "single"}, {"none", ""}, {"human", "expert"}, {"ours", "auto"}};
  table.rows = {{.task = "one", .workload = kWorkload, .cluster = kCluster, .cells = {}},
                {.task = "two", .workload = kWorkload, .cluster = kCluster, .cells = {}}};
  return table;
}

Observer stopped() {
  StopSource source;
  source.request();
  Observer observer;
  observer.stop = source.token();
  return observer;
}

TEST(PublishedRun, FillsTheCellsWhoseMethodsApply) {
  const PublishedTable table = small_table();
  const std::vector<OurRow> rows = run_published(table, {.evaluations = 200}, 1, {});
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].published, &table.rows[0]);
  ASSERT_EQ(rows[0].cells.size(), 4u);
  EXPECT_TRUE(rows[0].cells[0].ran);
  EXPECT_FALSE(rows[0].cells[1].ran);  // no method
  EXPECT_FALSE(rows[0].cells[2].ran);  // the workload has no expert
  EXPECT_TRUE(rows[0].cells[3].ran);
  EXPECT_LE(rows[0].cells[3].seconds, rows[0].cells[0].seconds);
  EXPECT_GT(rows[0].bound_seconds, 0);
  EXPECT_LE(rows[0].bound_seconds, rows[0].cells[3].seconds);
  EXPECT_GT(rows[0].cells[0].peak_bytes, 0);
  EXPECT_GT(rows[0].flops, 0);
  EXPECT_EQ(rows[0].cells[3].seconds, rows[1].cells[3].seconds);  // one seed, one plan
}

TEST(PublishedRun, HasNoRowsWhenItIsStoppedBefore) {
  EXPECT_TRUE(run_published(small_table(), {.evaluations = 200}, 1, stopped()).empty());
}

TEST(SearchBenchmark, MeasuresPlacersAndAutoByBudget) {
  const std::vector<Budget> budgets = {{.evaluations = 20}, {.evaluations = 60}};
  std::vector<std::string> tasks;
  Observer observer;
  observer.searching = [&](const std::string& task, const place::SearchProgress&) {
    tasks.push_back(task);
  };
  SearchRun run = new_search_run(budgets, 3);
  EXPECT_EQ(run.budgets, (std::vector<std::string>{"20evals", "60evals"}));
  const std::string workload = std::string("zoo:") + kWorkload;
  run_search_pairs({{workload, kCluster, "small"}}, budgets, observer, run);
  ASSERT_EQ(run.rows.size(), 1u);
  EXPECT_FALSE(run.interrupted);
  const SearchRow& row = run.rows[0];
  EXPECT_EQ(row.ops, 24u);
  EXPECT_EQ(row.find("expert"), nullptr);  // the workload has none
  EXPECT_EQ(row.find("go"), nullptr);      // it would have to learn first
  for (const std::string& name : run.auto_figures()) ASSERT_NE(row.find(name), nullptr) << name;
  EXPECT_EQ(row.find("auto 60evals +schedule")->tasks, format_tasks({.schedule = true}));
  EXPECT_EQ(row.find("etf")->budget, "60evals");
  EXPECT_LE(row.find("auto 60evals")->bound_seconds, row.find("auto 60evals")->step_seconds);
  ASSERT_FALSE(tasks.empty());
  for (const std::string& task : tasks) {
    EXPECT_TRUE(task.starts_with("[1/1] " + workload + " on 2xP100  ")) << task;
  }
}

TEST(SearchBenchmark, LeavesAPairOutThatWasStopped) {
  const std::vector<Budget> budgets = {{.evaluations = 20}};
  SearchRun run = new_search_run(budgets, 0);
  run_search_pairs({{std::string("zoo:") + kWorkload, kCluster, "small"}}, budgets, stopped(), run);
  EXPECT_TRUE(run.interrupted);
  EXPECT_TRUE(run.rows.empty());
}

TEST(Subject, HoldsWhatASearchHasProvedToBeABound) {
  Subject subject(std::string("zoo:") + kWorkload, kCluster, {});
  const bounds::Bound known = subject.bound({});
  place::Placed placed;
  placed.bound_seconds = known.seconds / 2;
  EXPECT_EQ(subject.bound({}, placed).name, known.name);
  placed.bound_seconds = known.seconds * 2;
  EXPECT_EQ(subject.bound({}, placed).seconds, known.seconds * 2);
  EXPECT_EQ(subject.bound({}, placed).name, "search");
  EXPECT_EQ(subject.bound({}).seconds, known.seconds);  // of one search, not of the next
}

TEST(PolicyFolder, IsRemovedUnlessTheUserNamedIt) {
  namespace fs = std::filesystem;
  fs::path own;
  {
    const PolicyFolder folder("");
    own = fs::path(folder.file("go")).parent_path();
    EXPECT_TRUE(fs::is_directory(own));
  }
  EXPECT_FALSE(fs::exists(own));
  const fs::path named = fs::path(testing::TempDir()) / "berth_policy_folder_test";
  {
    const PolicyFolder folder(named.string());
    EXPECT_EQ(fs::path(folder.file("go(start=a/b)")).parent_path(), named);
  }
  EXPECT_TRUE(fs::is_directory(named));
  fs::remove_all(named);
}

}  // namespace
}  // namespace berth::experiments
