// berth bench search as a user runs it, with budgets in evaluations so that it is repeatable.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <regex>
#include <thread>

#include "base/json_reader.h"
#include "cli/berth_process.h"

namespace berth::cli {
namespace {

class BenchSearch : public testing::Test {
 protected:
  ProcessResult berth(std::vector<std::string> words) const {
    words.insert(words.begin(), {"bench", "search"});
    return run_berth(directory, words);
  }
  // On the smallest pair, with three budgets.
  ProcessResult quick(std::vector<std::string> more) const {
    more.insert(more.begin(), {"--all", "--only", "zoo:layered:seed", "--evals", "20,40,60"});
    return berth(more);
  }
  // The times of searches differ from run to run, and nothing else may.
  static std::string without_times(const std::string& text) {
    return std::regex_replace(
        text, std::regex("\"(search_seconds|evaluations_per_second)\": [-+.e0-9]+"), "");
  }

  TemporaryDirectory directory;
};

TEST_F(BenchSearch, IsRepeatableAndKeepsItsRun) {
  const ProcessResult first = quick({"-o", "1.json"});
  EXPECT_EQ(first.status, 0) << first.error;
  for (const char* words :
       {"auto 20evals", "40evals +schedule", "zoo:layered:seed=1000", "auto 40evals is longer",
        "Median gap", "on 0 of 1 pair", "evaluations per second", "heft"}) {
    EXPECT_NE(first.out.find(words), std::string::npos) << words << '\n' << first.out;
  }
  EXPECT_EQ(quick({"-o", "2.json", "-q"}).out, "");
  EXPECT_EQ(without_times(directory.read("1.json")), without_times(directory.read("2.json")));
  const ProcessResult json = quick({"--json"});
  JsonReader reader(json.out, "stdout");
  reader.skip();
  reader.expect_end();
  EXPECT_EQ(without_times(json.out), without_times(directory.read("1.json")));
}

TEST_F(BenchSearch, ComparesWithAnEarlierRun) {
  ASSERT_EQ(quick({"-o", "old.json", "-q"}).status, 0);
  const ProcessResult same = quick({"--against", "old.json"});
  EXPECT_EQ(same.status, 0) << same.error;
  EXPECT_NE(same.out.find("geo mean"), std::string::npos) << same.out;
  // A file with auto at half its steps: the run is worse than that.
  std::string text = directory.read("old.json");
  text = std::regex_replace(text, std::regex("(\"name\": \"auto 40evals\",.*\"step_seconds\": )"),
                            "$010.000001, \"ignored\": ");
  directory.write("better.json", text);
  const ProcessResult worse = quick({"--against", "better.json"});
  EXPECT_EQ(worse.status, 0) << worse.error;
  EXPECT_NE(worse.out.find("x worse"), std::string::npos) << worse.out;
  EXPECT_NE(worse.error.find("\"ignored\""), std::string::npos) << worse.error;
  const ProcessResult other =
      berth({"--all", "--only", "zoo:tiny", "--evals", "20", "--against", "old.json"});
  EXPECT_EQ(other.status, 0) << other.error;
  EXPECT_NE(other.out.find("new"), std::string::npos) << other.out;
  EXPECT_NE(quick({"--against", "old.json", "--json"}).out.find("\"geometric_mean\""),
            std::string::npos);
}

TEST_F(BenchSearch, RefusesWhatItCannotUse) {
  directory.write("bad.json", R"({"format": "berth.bench", "version": 2})");
  directory.write("old.json", R"({"format": "berth.bench", "version": 1, "budgets": ["7s"],
    "pairs": []})");
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"--against", "none.json"}, "none.json"},
      {{"--against", "bad.json"}, "\"version\" is 2"},
      {{"--against", "old.json"}, "has auto at 7s"},
      {{"--seconds", "10,1"}, "rising order"},
      {{"--seconds", "0"}, "more than 0"},
      {{"--seconds", "1s"}, "times in seconds"},
      {{"--evals", "many"}, "numbers of evaluations"},
      {{"--evals", "5", "--seconds", "1"}, "give one of them"},
      {{"--only", "nothing"}, "no pair has \"nothing\" in it"},
      {{"--pairs", "13"}, "from 1 to 12"},
      {{"--pairs", "x"}, "from 1 to 12"},
      {{"--seed", "-1"}, "--seed is a whole number"},
      {{"-o", "no/such/place.json"}, "no directory"}};
  for (const auto& [words, sentence] : cases) {
    const ProcessResult result = berth(words);
    EXPECT_EQ(result.status, 2) << sentence;
    EXPECT_NE(result.error.find(sentence), std::string::npos) << result.error;
    EXPECT_EQ(std::count(result.error.begin(), result.error.end(), '\n'), 1) << result.error;
  }
  EXPECT_EQ(run_berth(directory, {"bench", "--json", "search"}).status, 2);
}

TEST_F(BenchSearch, ListsThePairs) {
  const ProcessResult list = berth({"--list"});
  EXPECT_EQ(list.status, 0);
  std::size_t pairs = 0;
  for (auto at = list.out.find("zoo:"); at != std::string::npos;
       at = list.out.find("zoo:", at + 1)) {
    ++pairs;
  }
  EXPECT_EQ(pairs, 12u) << list.out;
  EXPECT_NE(berth({"--list", "--all", "--json"}).out.find("\"for_tuning\": true"),
            std::string::npos);
}

TEST_F(BenchSearch, InterruptedItGivesThePairsThatAreDone) {
  BerthProcess process(directory, {"bench", "search", "--seconds", "60", "--json"});
  std::this_thread::sleep_for(std::chrono::milliseconds(700));
  process.signal(SIGINT);
  const ProcessResult result = process.wait();
  EXPECT_EQ(result.status, 0) << result.error;
  EXPECT_NE(result.out.find("\"interrupted\": true"), std::string::npos) << result.out;
  JsonReader reader(result.out, "stdout");
  reader.skip();
  reader.expect_end();
}

}  // namespace
}  // namespace berth::cli
