// A run of the search benchmark: verdicts, summary, the file it is kept in, and an earlier run.
#include "experiments/search_results.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/thrown.h"
#include "experiments/search_against.h"
#include "experiments/search_file.h"

namespace berth::experiments {
namespace {

SearchFigure figure(const std::string& name, const std::string& method, double step, double bound) {
  return {.name = name,
          .method = method,
          .tasks = "placement",
          .budget = "10s",
          .fits = step > 0,
          .step_seconds = step,
          .bound_seconds = bound,
          .bound_name = bound > 5 ? "work" : "critical path",
          .evaluations = 1000,
          .search_seconds = 10};
}

// etf, the three budgets of auto and the schedule.
SearchRow row(const std::string& workload, double etf, double at_1, double at_10, double at_60,
              double bound) {
  SearchRow row{.workload = workload, .cluster = "4xK40", .ops = 100};
  row.figures = {figure("etf", "etf", etf, bound), figure("auto 1s", "auto", at_1, bound),
                 figure("auto 10s", "auto", at_10, bound), figure("auto 60s", "auto", at_60, bound),
                 figure("auto 10s +schedule", "auto", at_60, bound)};
  return row;
}

SearchRun run() {
  SearchRun run{.budgets = {"1s", "10s", "60s"}, .seed = 3, .berth_version = "0"};
  run.rows = {row("a", 10, 9, 8, 7, 4), row("b", 10, 12, 10, 9, 8), row("c", 10, 12, 12.5, 9, 5)};
  return run;
}

std::string json_of(const SearchRun& run) {
  JsonWriter json;
  json.begin_object();
  write_search_run(json, run);
  json.end_object();
  return json.take();
}

TEST(SearchResults, VerdictIsAboutTheMiddleBudget) {
  const SearchRun all = run();
  EXPECT_EQ(all.main_budget(), "10s");
  EXPECT_EQ((SearchRun{.budgets = {"1s", "2s"}}).main_budget(), "2s");
  EXPECT_EQ((SearchRun{.budgets = {"1s"}}).main_budget(), "1s");
  EXPECT_EQ(search_verdict(all, all.rows[0]).sentence, "auto is best");
  EXPECT_EQ(search_verdict(all, all.rows[1]).sentence, "auto is best, equal to etf");
  EXPECT_FALSE(search_verdict(all, all.rows[1]).auto_is_beaten);
  EXPECT_EQ(search_verdict(all, all.rows[2]).sentence, "etf is 20% shorter");
  EXPECT_TRUE(search_verdict(all, all.rows[2]).auto_is_beaten);
}

TEST(SearchResults, WhatDoesNotFitIsNotShorter) {
  SearchRun all = run();
  all.rows = {row("a", 0, 0, 0, 0, 4), row("b", 0, 5, 5, 5, 4), row("c", 5, 5, 0, 5, 4)};
  EXPECT_EQ(search_verdict(all, all.rows[0]).sentence, "nothing fits");
  EXPECT_EQ(search_verdict(all, all.rows[1]).sentence, "only auto fits");
  EXPECT_EQ(search_verdict(all, all.rows[2]).sentence, "etf fits, auto does not");
  EXPECT_TRUE(search_verdict(all, all.rows[2]).auto_is_beaten);
  EXPECT_NE(search_answer(all, report::Ink()).find("OOM"), std::string::npos);
}

TEST(SearchResults, SummaryLeavesOutTheClustersForTuning) {
  SearchRun all = run();
  const SearchSummary summary = search_summary(all);
  EXPECT_EQ(summary.pairs, 3u);
  EXPECT_EQ(summary.beaten, 1u);
  ASSERT_EQ(summary.median_gaps.size(), 4u);
  EXPECT_EQ(summary.median_gaps[1].first, "auto 10s");
  EXPECT_DOUBLE_EQ(summary.median_gaps[1].second, 1.0);  // of 100%, 25% and 150%
  ASSERT_EQ(summary.bounds.size(), 2u);
  EXPECT_EQ(summary.bounds[0], std::pair(std::string("critical path"), std::size_t{2}));
  EXPECT_DOUBLE_EQ(*summary.evaluations_per_second, 100);
  all.rows[2].cluster = "4xP100";
  const SearchSummary fewer = search_summary(all);
  EXPECT_EQ(fewer.pairs, 2u);
  EXPECT_EQ(fewer.for_tuning, 1u);
  EXPECT_EQ(fewer.beaten, 0u);
  EXPECT_DOUBLE_EQ(fewer.median_gaps[1].second, 0.625);
  EXPECT_NE(search_answer(all, report::Ink()).find("(for tuning)"), std::string::npos);
}

TEST(SearchFile, KeepsEveryFigure) {
  SearchRun all = run();
  all.interrupted = true;
  all.rows[1].figures[0] = {.name = "expert",
                            .method = "expert",
                            .tasks = "placement",
                            .budget = "10s",
                            .failure = "it has no expert plan"};
  const std::string text = json_of(all);
  std::vector<std::string> warnings;
  SearchRun again = parse_search_run(text, "old.json", &warnings);
  EXPECT_TRUE(warnings.empty());
  again.seed = all.seed;  // not read
  EXPECT_EQ(json_of(again), text);
}

TEST(SearchFile, SaysWhatIsWrong) {
  const auto refused = [](const std::string& text) {
    return thrown([&] { parse_search_run(text, "old.json"); });
  };
  EXPECT_EQ(refused(R"({"format": "berth.plan", "version": 1})"),
            "old.json:1:12: \"format\" is \"berth.plan\"; a bench file has \"format\": "
            "\"berth.bench\"");
  EXPECT_EQ(refused(R"({"format": "berth.bench", "version": 7})"),
            "old.json:1:38: \"version\" is 7; this program reads version 1");
  EXPECT_EQ(refused(R"({"format": "berth.bench", "version": 1, "budgets": ["1s"]})"),
            "old.json:1:1: the key \"pairs\" is missing; a bench file must have it");
  const auto with_pair = [](const std::string& pair) {
    return R"({"format": "berth.bench", "version": 1, "budgets": ["1s"], "pairs": [)" + pair + "]}";
  };
  EXPECT_NE(
      refused(with_pair(R"({"workload": "a", "figures": []})")).find("\"cluster\" is missing"),
      std::string::npos);
  const auto with_figure = [&](const std::string& figure) {
    return with_pair(R"({"workload": "a", "cluster": "b", "figures": [)" + figure + "]}");
  };
  EXPECT_NE(refused(with_figure(R"({"name": "etf", "method": "etf", "feasible": true})"))
                .find("\"step_seconds\" is missing"),
            std::string::npos);
  EXPECT_NE(refused(with_figure(R"({"name": "etf", "step_seconds": -1})")).find("at least 0"),
            std::string::npos);
  EXPECT_NE(refused(R"({"format": "berth.bench", "version": 1, "budgets": [], "pairs": []})")
                .find("\"budgets\" is empty"),
            std::string::npos);
  EXPECT_NE(refused("").find("old.json:1:1"), std::string::npos);
}

TEST(SearchFile, BrokenFilesAreRefusedNotFollowed) {
  const std::string text = json_of(run());
  std::size_t refused = 0;
  for (std::size_t length = 0; length + 2 < text.size(); length += 7) {
    EXPECT_THROW(parse_search_run(text.substr(0, length), "old.json"), InputError) << length;
  }
  for (std::size_t at = 0; at < text.size(); at += 3) {
    std::string broken = text;
    broken[at] = '-';
    try {
      (void)compare_runs(run(), parse_search_run(broken, "old.json"));
    } catch (const InputError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 0u);
}

TEST(SearchAgainst, RatiosAreNewOverOldWithTheGeometricMean) {
  const SearchRun old = run();
  SearchRun now = run();
  now.rows[0].figures[2].step_seconds *= 1.1;  // auto 10s, worse
  now.rows[1].figures[2].step_seconds *= 0.5;  // better
  now.rows[2].figures[2].step_seconds *= 1.005;
  now.rows[0].figures[2].search_seconds *= 2;  // half as many evaluations per second
  const SearchAgainst against = compare_runs(now, old);
  using Kind = SearchChange::Kind;
  ASSERT_EQ(against.columns.size(), 7u);
  EXPECT_EQ(against.columns[1], "auto 10s");
  EXPECT_EQ(against.pairs[0].changes[1].kind, Kind::worse);
  EXPECT_EQ(against.pairs[1].changes[1].kind, Kind::better);
  EXPECT_EQ(against.pairs[2].changes[1].kind, Kind::level);
  EXPECT_NEAR(*against.means[1], std::cbrt(1.1 * 0.5 * 1.005), 1e-12);
  EXPECT_DOUBLE_EQ(*against.means[0], 1);
  EXPECT_EQ(against.pairs[0].changes[6].kind, Kind::worse);
  EXPECT_DOUBLE_EQ(*against.pairs[0].changes[6].ratio, 0.5);
  EXPECT_EQ(against.worse, 2u);
  const std::string text = against_text(against, "old.json", report::Ink());
  EXPECT_NE(text.find("1.10x worse"), std::string::npos) << text;
  EXPECT_NE(text.find("2 figures are worse"), std::string::npos) << text;
}

TEST(SearchAgainst, NewPairsAndFiguresAndFitsAreToldApart) {
  SearchRun old = run();
  SearchRun now = run();
  old.rows.erase(old.rows.begin());                            // "a" is new
  now.rows.pop_back();                                         // "c" is not run
  old.rows[0].figures.erase(old.rows[0].figures.begin() + 1);  // "auto 1s" of "b" is new
  now.rows[1].figures[2].fits = false;                         // "auto 10s" of "b"
  now.rows[1].figures[0].step_seconds = 12;                    // etf
  old.rows[0].figures.back().bound_seconds = 100;              // not of the main figure
  const SearchAgainst against = compare_runs(now, old);
  EXPECT_TRUE(against.pairs[0].is_new);
  EXPECT_EQ(against.pairs[0].changes[0].words, "new");
  EXPECT_FALSE(against.pairs[1].is_new);
  EXPECT_EQ(against.pairs[1].changes[0].words, "new");
  EXPECT_EQ(against.pairs[1].changes[1].words, "no longer fits");
  EXPECT_EQ(against.pairs[1].changes[1].kind, SearchChange::Kind::worse);
  EXPECT_EQ(against.not_run, 1u);
  EXPECT_EQ(against.placers, std::vector<std::string>{"etf on b on 4xK40: 1.20x, worse"});
  EXPECT_EQ(against.worse, 3u);  // auto 10s, the best placer, etf
  EXPECT_FALSE(against.means[0]);
}

TEST(SearchAgainst, RunsWithoutACommonBudgetAreRefused) {
  const SearchRun old = run();
  EXPECT_NO_THROW(require_comparable({.budgets = {"5s", "10s"}}, old, "old.json"));
  EXPECT_EQ(thrown([&] { require_comparable({.budgets = {"20evals"}}, old, "old.json"); }),
            "old.json has auto at 1s, 10s and 60s and this run at 20evals; to compare them, give "
            "this run one of the budgets of the file");
}

}  // namespace
}  // namespace berth::experiments
