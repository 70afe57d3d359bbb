// The commands as a script uses them: statuses, keys, files.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/json_reader.h"
#include "cli/berth_process.h"

namespace berth::cli {
namespace {

const char* const kGraph = R"({"format": "berth.graph", "version": 1, "name": "small", "ops": [
  {"name": "a", "type": "MatMul", "outputs": [{"bytes": 100}], "param_bytes": 1000, "seconds": {"gpu": 2}},
  {"name": "b", "type": "MatMul", "inputs": ["a"], "outputs": [{"bytes": 200}], "seconds": {"gpu": 3}},
  {"name": "c", "type": "Relu", "inputs": ["a"], "outputs": [{"bytes": 100}], "seconds": {"gpu": 1}}],
  "outputs": ["b", "c"]})";

std::string cluster_with(const std::string& memory) {
  return R"({"format": "berth.cluster", "version": 1, "name": "pair", "devices": [
  {"name": "gpu:0", "kind": "gpu", "memory": )" +
         memory + R"(},
  {"name": "gpu:1", "kind": "gpu", "memory": )" +
         memory + R"(}],
  "links": [{"between": ["gpu:0", "gpu:1"], "bandwidth": 100, "latency": 1}]})";
}

const char* const kPlan = R"({"format": "berth.plan", "version": 1,
  "placement": {"a": "gpu:0", "b": "gpu:1", "c": "gpu:0"}})";

class Commands : public testing::Test {
 protected:
  Commands() {
    directory.write("m.json", kGraph);
    directory.write("c.json", cluster_with("10000"));
    directory.write("tight.json", cluster_with("500"));
    directory.write("p.json", kPlan);
  }

  ProcessResult berth(const std::vector<std::string>& words) const {
    return run_berth(directory, words);
  }

  TemporaryDirectory directory;
};

// One object and nothing else; and the text has the keys, outermost first.
void expect_object_with(const std::string& text, const std::vector<std::string>& keys) {
  JsonReader reader(text, "stdout");
  ASSERT_EQ(reader.peek(), JsonReader::Kind::object) << text;
  std::vector<std::string> found;
  reader.begin_object();
  while (const auto key = reader.next_key()) {
    found.emplace_back(*key);
    reader.skip();
  }
  reader.expect_end();
  for (const std::string& key : keys) {
    EXPECT_NE(std::find(found.begin(), found.end(), key), found.end()) << key << " in\n" << text;
  }
}

const std::vector<std::string> kOutcomeKeys = {
    "step_seconds", "feasible",          "peak_bytes",         "busy_seconds",
    "transfers",    "transferred_bytes", "lower_bound_seconds"};

TEST_F(Commands, SimulatePrintsTheKeysOfTheContract) {
  const ProcessResult result =
      berth({"simulate", "m.json", "--cluster", "c.json", "--plan", "p.json", "--json"});
  EXPECT_EQ(result.status, 0) << result.error;
  EXPECT_EQ(result.error, "");
  expect_object_with(result.out, kOutcomeKeys);
  EXPECT_NE(result.out.find("\"step_seconds\": 7"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("\"transfers\": 1,"), std::string::npos) << result.out;
}

// a runs from 0 to 2, its output reaches gpu:1 at 4, b ends at 7; c runs from 2 to 3.
TEST_F(Commands, SimulateExplainsASmallCase) {
  const ProcessResult result = berth({"simulate", "m.json", "-c", "c.json", "-p", "p.json"});
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.out,
            "m.json on c.json (pair), plan p.json\n"
            "\n"
            "Fits: the fullest device, gpu:0, has 8.59 KiB left.\n"
            "  device  parameters  outputs  copies      peak    usable\n"
            "  gpu:0       1000 B    200 B     0 B  1.17 KiB  9.77 KiB  █░░░░░░░░░   12%\n"
            "  gpu:1          0 B    200 B   100 B     300 B  9.77 KiB  █░░░░░░░░░  3.0%\n"
            "  alive at the peak of gpu:0, 2.00 s into the step:\n"
            "    100 B  a:0\n"
            "    100 B  c:0\n"
            "\n"
            "Step time 7.00 s: at most 40% above the best placement.\n"
            "  this plan           7.00 s  1.00x\n"
            "  lower bound         5.00 s  0.71x  critical path\n"
            "  best single device  6.00 s  0.86x  better than this plan\n"
            "  round robin         7.00 s  1.00x\n"
            "\n"
            "What limits the step\n"
            "  critical path    compute 71%, transfer 29%\n"
            "  busiest device   gpu:0, computing 43% of the step\n"
            "  busiest channel  gpu:0 -> gpu:1, busy 29% of the step (1 transfer, 100 B)\n"
            "\n"
            "next: berth lint m.json --cluster c.json --plan p.json\n");
}

TEST_F(Commands, SimulateOfAnInfeasiblePlanIsNoFailure) {
  const ProcessResult result =
      berth({"simulate", "m.json", "--cluster", "tight.json", "--plan", "p.json", "--json"});
  EXPECT_EQ(result.status, 0) << result.error;
  EXPECT_NE(result.out.find("\"feasible\": false"), std::string::npos);
}

TEST_F(Commands, PlaceWritesAPlanThatSimulatesTheSame) {
  const ProcessResult placed =
      berth({"place", "m.json", "-c", "c.json", "-o", "out.json", "--report", "r.html", "--trace",
             "t.json", "--dot", "g.dot", "--json"});
  EXPECT_EQ(placed.status, 0) << placed.error;
  std::vector<std::string> keys = kOutcomeKeys;
  keys.insert(keys.end(), {"method", "search_seconds", "evaluations"});
  expect_object_with(placed.out, keys);
  for (const char* name : {"out.json", "r.html", "t.json", "g.dot"}) {
    EXPECT_TRUE(directory.has(name)) << name;
  }
  EXPECT_NE(directory.read("out.json").find("sha256"), std::string::npos);
  const std::string report = directory.read("r.html");
  for (const char* part :
       {"berth place m.json -c c.json -o out.json --report r.html", " UTC</dd>"}) {
    EXPECT_NE(report.find(part), std::string::npos) << part;
  }
  const ProcessResult simulated =
      berth({"simulate", "m.json", "-c", "c.json", "-p", "out.json", "--json"});
  EXPECT_EQ(simulated.status, 0) << simulated.error;
  const auto step = [](const std::string& text) {
    const std::size_t at = text.find("\"step_seconds\"");
    return text.substr(at, text.find('\n', at) - at);
  };
  EXPECT_EQ(step(placed.out), step(simulated.out));
}

// The critical path takes 5 s. But of b and c one waits for the other or for a transfer: 6 s, as
// only the search can tell.
TEST_F(Commands, WhatAMethodHasProvedIsTheBound) {
  std::string longer = kGraph;
  longer.replace(longer.rfind("\"gpu\": 1"), 8, "\"gpu\": 2");
  directory.write("longer.json", longer);
  const ProcessResult text =
      berth({"place", "longer.json", "-c", "c.json", "--method", "exact", "-o", "out.json"});
  EXPECT_EQ(text.status, 0) << text.error;
  EXPECT_NE(text.out.find("proven: no placement is shorter\n"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("Step time 6.00 s: proven best placement.\n"), std::string::npos)
      << text.out;
  EXPECT_NE(text.out.find("lower bound         6.00 s  1.00x  search\n"), std::string::npos);
  EXPECT_NE(directory.read("out.json").find("\"lower_bound_seconds\": 6"), std::string::npos);

  const ProcessResult json =
      berth({"place", "longer.json", "-c", "c.json", "--method", "exact", "--json"});
  EXPECT_NE(json.out.find("\"lower_bound_seconds\": 6"), std::string::npos) << json.out;
  EXPECT_NE(json.out.find("\"lower_bound\": \"search\""), std::string::npos) << json.out;

  // In a comparison it holds for every row.
  const ProcessResult rows =
      berth({"compare", "longer.json", "-c", "c.json", "-m", "round_robin,exact", "--json"});
  EXPECT_EQ(rows.status, 0) << rows.error;
  std::size_t count = 0;
  for (std::size_t at = 0;
       (at = rows.out.find("\"lower_bound_seconds\": 6", at)) != std::string::npos; ++at) {
    ++count;
  }
  EXPECT_EQ(count, 3u) << rows.out;
  const ProcessResult table =
      berth({"compare", "longer.json", "-c", "c.json", "-m", "round_robin,exact"});
  EXPECT_NE(table.out.find("lower bound 6.00 s (search)"), std::string::npos) << table.out;

  // With priorities allowed the proof says nothing, and the bound is the usual one.
  const ProcessResult scheduled = berth({"place", "longer.json", "-c", "c.json", "--method",
                                         "exact", "--tasks", "placement,schedule", "--json"});
  EXPECT_NE(scheduled.out.find("\"lower_bound_seconds\": 5"), std::string::npos) << scheduled.out;
}

TEST_F(Commands, AGapEndsTheSearch) {
  const ProcessResult met = berth({"place", "zoo:tiny", "-c", "4xP100"});
  EXPECT_EQ(met.status, 0) << met.error;
  EXPECT_NE(met.out.find("; ended early: the lower bound is reached\n"), std::string::npos)
      << met.out;

  const std::vector<std::string> words = {"place", "zoo:layered:ops=60", "-c", "4xP100",
                                          "-b",    "3000evals"};
  const auto with_gap = [&](const std::string& gap, const std::vector<std::string>& more = {}) {
    std::vector<std::string> all = words;
    all.insert(all.end(), {"--gap", gap});
    all.insert(all.end(), more.begin(), more.end());
    return berth(all);
  };
  const ProcessResult wide = with_gap("5000%");
  EXPECT_NE(wide.out.find("; ended early: within 5000% of the lower bound\n"), std::string::npos)
      << wide.out;
  EXPECT_NE(with_gap("5000%", {"--json"}).out.find("\"gap_reached\": true"), std::string::npos);
  EXPECT_NE(with_gap("0", {"--json"}).out.find("\"gap_reached\": false"), std::string::npos);
  const ProcessResult rows = berth({"compare", "zoo:layered:ops=60", "-c", "4xP100", "-m",
                                    "metis,auto,exact", "-b", "500evals", "--gap", "5000%"});
  EXPECT_NE(rows.out.find("ended early, within 5000% of the lower bound: auto, exact\n"),
            std::string::npos)
      << rows.out;
  const ProcessResult unminded = with_gap("1%", {"-m", "heft"});
  EXPECT_EQ(unminded.status, 0);
  EXPECT_NE(unminded.error.find("heft computes no lower bound, so --gap has no effect"),
            std::string::npos)
      << unminded.error;
  for (const char* bad : {"1", "-1%", "x", "%", "nan", "1%%", "1e9%", "0.01s"}) {
    expect_refused(with_gap(bad), {"--gap", "as in --gap 1% or --gap 0.01, not", bad});
  }
}

// a leads nowhere; what waits for b takes long.
TEST_F(Commands, PlaceTellsWhatTheHostHolds) {
  const ProcessResult host = berth({"place", "zoo:tiny", "-c", "2xP100", "-m", "cpu"});
  EXPECT_NE(host.out.find("79.6 MiB of the parameters are on cpu:0; --without cpu:0 leaves it "
                          "out.\n"),
            std::string::npos)
      << host.out;
  const ProcessResult alone = berth({"place", "zoo:tiny", "-c", "2xP100", "-m", "single"});
  EXPECT_EQ(alone.out.find("of the parameters are on"), std::string::npos) << alone.out;
}

TEST_F(Commands, PlaceTellsWhatTheOrderOfOpsWouldBring) {
  directory.write("order.json", R"({"format": "berth.graph", "version": 1, "name": "order", "ops": [
    {"name": "a", "type": "MatMul", "outputs": [{"bytes": 1}], "devices": ["gpu:0"], "seconds": {"gpu": 3}},
    {"name": "b", "type": "MatMul", "outputs": [{"bytes": 1}], "devices": ["gpu:0"], "seconds": {"gpu": 1}},
    {"name": "c", "type": "MatMul", "inputs": ["b"], "outputs": [{"bytes": 1}], "devices": ["gpu:1"], "seconds": {"gpu": 5}}]})");
  const ProcessResult text = berth({"place", "order.json", "-c", "c.json"});
  EXPECT_EQ(text.status, 0) << text.error;
  EXPECT_NE(text.out.find("\nWith the order decided too: 7.01 s (30% less); add --tasks "
                          "placement,schedule\n"),
            std::string::npos)
      << text.out;
  const ProcessResult json = berth({"place", "order.json", "-c", "c.json", "--json"});
  EXPECT_NE(json.out.find("\"ordered_step_seconds\": 7.01"), std::string::npos) << json.out;
  const ProcessResult other = berth({"place", "order.json", "-c", "c.json", "-m", "single"});
  EXPECT_NE(other.out.find("add -m auto --tasks\nplacement,schedule\n"), std::string::npos)
      << other.out;
  const ProcessResult decided =
      berth({"place", "order.json", "-c", "c.json", "--tasks", "placement,schedule"});
  EXPECT_NE(decided.out.find("Step time 7.01 s"), std::string::npos) << decided.out;
  EXPECT_EQ(decided.out.find("order decided"), std::string::npos) << decided.out;
}

TEST_F(Commands, PlaceWithoutAFeasiblePlanIsStatusThreeAndStillWrites) {
  const ProcessResult result = berth({"place", "m.json", "-c", "tight.json", "-o", "out.json"});
  EXPECT_EQ(result.status, 3) << result.error;
  EXPECT_TRUE(directory.has("out.json"));
  EXPECT_NE(result.out.find("Does not fit"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("which does not fit"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("What would help"), std::string::npos) << result.out;
}

TEST_F(Commands, PlaceIsTheSameForTheSameSeed) {
  const std::vector<std::string> words = {"place",    "zoo:layered", "-c",     "4xP100",
                                          "-m",       "random",      "--seed", "7",
                                          "--budget", "200evals",    "-q",     "-o"};
  std::vector<std::string> first = words, second = words;
  first.emplace_back("1.json");
  second.emplace_back("2.json");
  EXPECT_EQ(berth(first).status, 0);
  EXPECT_EQ(berth(second).status, 0);
  EXPECT_EQ(directory.read("1.json"), directory.read("2.json"));
}

TEST_F(Commands, PlaceToStandardOutputLeavesItToThePlan) {
  const ProcessResult result = berth({"place", "m.json", "-c", "c.json", "-o", "-"});
  EXPECT_EQ(result.status, 0) << result.error;
  expect_object_with(result.out, {"placement"});
  EXPECT_NE(result.error.find("Step time"), std::string::npos);
  EXPECT_EQ(berth({"place", "m.json", "-c", "c.json", "-o", "-", "--json"}).status, 2);
}

TEST_F(Commands, AMethodThatDoesNotApplyIsRefusedInOneSentence) {
  const ProcessResult result = berth({"place", "m.json", "-c", "c.json", "-m", "expert"});
  EXPECT_EQ(result.status, 2) << result.out;
  EXPECT_EQ(result.error.find("berth: error: \""), 0u) << result.error;
  EXPECT_NE(result.error.find("has no expert plan"), std::string::npos) << result.error;
  EXPECT_EQ(std::count(result.error.begin(), result.error.end(), '\n'), 1) << result.error;
  // A list of methods has the name already.
  const ProcessResult compared =
      berth({"compare", "m.json", "-c", "c.json", "--methods", "expert,single"});
  EXPECT_NE(compared.out.find("- expert: \""), std::string::npos) << compared.out;
}

TEST_F(Commands, CompareKeepsARowForAMethodThatFails) {
  const ProcessResult result =
      berth({"compare", "m.json", "-c", "c.json", "--methods", "single,expert,etf", "--json"});
  EXPECT_EQ(result.status, 0) << result.error;
  expect_object_with(result.out, {"rows", "best", "lower_bound_seconds"});
  EXPECT_NE(result.out.find("\"error\""), std::string::npos) << result.out;
  const ProcessResult text = berth({"compare", "m.json", "-c", "c.json", "--sort", "--report",
                                    "r.html", "-o", "b.json", "--budget", "50evals"});
  EXPECT_EQ(text.status, 0) << text.error;
  EXPECT_NE(text.out.find("round_robin"), std::string::npos) << text.out;
  EXPECT_TRUE(directory.has("r.html"));
  EXPECT_TRUE(directory.has("b.json"));
  EXPECT_EQ(berth({"compare", "m.json", "-c", "tight.json", "-m", "single,etf"}).status, 3);
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST_F(Commands, CompareShowsAutoTwiceUnlessTheTasksAreGiven) {
  const std::vector<std::string> words = {"compare", "zoo:layered:ops=60", "-c",     "2xP100",
                                          "--json",  "--budget",           "60evals"};
  const ProcessResult twice = berth(words);
  EXPECT_EQ(twice.status, 0) << twice.error;
  EXPECT_EQ(count_of(twice.out, "\"method\": \"auto\""), 2u) << twice.out;
  EXPECT_EQ(count_of(twice.out, "\"tasks\": \"placement,schedule\""), 1u);
  std::vector<std::string> given = words;
  given.insert(given.end(), {"--tasks", "place"});
  const ProcessResult once = berth(given);
  EXPECT_EQ(count_of(once.out, "\"method\": \"auto\""), 1u) << once.out;
  EXPECT_EQ(count_of(once.out, "placement,schedule"), 0u);
  given.back() = "place,schedule";
  const ProcessResult all = berth(given);
  EXPECT_EQ(count_of(all.out, "\"method\": \"auto\""), 1u) << all.out;
  EXPECT_EQ(count_of(all.out, "\"tasks\": \"placement\""), 0u);
  std::vector<std::string> text = words;
  text.erase(std::find(text.begin(), text.end(), "--json"));
  EXPECT_NE(berth(text).out.find("auto +schedule"), std::string::npos);
}

TEST_F(Commands, ListingsNameEverything) {
  const auto keys = [&](const char* command, const char* key, const char* name) {
    const ProcessResult result = berth({command, "--json"});
    EXPECT_EQ(result.status, 0);
    expect_object_with(result.out, {key});
    EXPECT_NE(result.out.find("\"name\": \"" + std::string(name) + "\""), std::string::npos);
    EXPECT_EQ(berth({command}).status, 0);
    const ProcessResult one = berth({command, name});
    EXPECT_EQ(one.status, 0) << one.error;
    EXPECT_NE(one.out.find(name), std::string::npos);
    EXPECT_EQ(berth({command, "no-such-thing"}).status, 2);
  };
  keys("methods", "methods", "etf");
  keys("zoo", "workloads", "layered");
  keys("clusters", "clusters", "4xP100");
}

TEST_F(Commands, BenchPutsOursBesideThePublished) {
  const ProcessResult list = berth({"bench", "--json"});
  EXPECT_EQ(list.status, 0) << list.error;
  expect_object_with(list.out, {"tables"});
  const ProcessResult table = berth({"bench", "mars", "--json", "--budget", "30evals"});
  EXPECT_EQ(table.status, 0) << table.error;
  expect_object_with(table.out, {"name", "title", "source", "rows", "notes"});
  for (const char* key :
       {"published_seconds", "step_seconds", "lower_bound_seconds", "verified", "peak_bytes",
        "usable_bytes", "error", "reduction", "at_most", "auto_schedule", "proven"}) {
    EXPECT_NE(table.out.find('"' + std::string(key) + '"'), std::string::npos) << key;
  }
  const ProcessResult text = berth({"bench", "hdp", "--budget", "30evals"});
  EXPECT_EQ(text.status, 0) << text.error;
  EXPECT_NE(text.out.find("4.29 TFLOPS"), std::string::npos) << text.out;
  for (const char* words :
       {"auto +schedule", "shorter than human", "-4.9%", "60.6%", "cost table is not tuned"}) {
    EXPECT_NE(text.out.find(words), std::string::npos) << words << '\n' << text.out;
  }
  EXPECT_EQ(berth({"bench", "hpd"}).status, 2);
}

TEST_F(Commands, InspectCountsAndPrices) {
  const ProcessResult plain = berth({"inspect", "m.json", "--json"});
  EXPECT_EQ(plain.status, 0) << plain.error;
  expect_object_with(plain.out, {"ops", "edges", "param_bytes", "flops"});
  const ProcessResult priced = berth({"inspect", "m.json", "-c", "tight.json"});
  EXPECT_EQ(priced.status, 0) << priced.error;
  EXPECT_NE(priced.out.find("short"), std::string::npos) << priced.out;
  // What holds for all bounds is said once.
  const ProcessResult bounds = berth({"inspect", "zoo:layered:ops=60", "-c", "2xP100"});
  EXPECT_EQ(count_of(bounds.out, "no step is shorter than"), 1u) << bounds.out;
  EXPECT_EQ(count_of(bounds.out, "weaker"), 1u) << bounds.out;
}

TEST_F(Commands, ConvertRoundTrips) {
  EXPECT_EQ(berth({"convert", "m.json", "-o", "m2.json"}).status, 0);
  EXPECT_EQ(berth({"convert", "m2.json", "-o", "m3.json"}).status, 0);
  EXPECT_EQ(directory.read("m2.json"), directory.read("m3.json"));
  const ProcessResult cluster = berth({"convert", "4xP100"});
  EXPECT_EQ(cluster.status, 0) << cluster.error;
  expect_object_with(cluster.out, {"format", "devices"});
  EXPECT_EQ(berth({"convert", "--as", "cluster", "c.json", "-o", "c2.json"}).status, 0);
  EXPECT_EQ(berth({"convert", "zoo:tiny", "-c", "4xP100", "-o", "t.json"}).status, 0);
  EXPECT_NE(directory.read("t.json").find("\"seconds\""), std::string::npos);
}

TEST_F(Commands, LintTellsValidFromInvalid) {
  const ProcessResult good = berth({"lint", "m.json", "-c", "c.json", "-p", "p.json", "--json"});
  EXPECT_EQ(good.status, 0) << good.error;
  expect_object_with(good.out, {"valid", "feasible", "errors", "warnings", "advice"});
  directory.write("apart.json",
                  cluster_with("10000").replace(cluster_with("10000").find("\"links\""),
                                                std::string::npos, "\"links\": []}"));
  const ProcessResult bad = berth({"lint", "m.json", "-c", "apart.json", "-p", "p.json", "--json"});
  EXPECT_EQ(bad.status, 2);
  expect_object_with(bad.out, {"valid", "errors"});
  EXPECT_NE(bad.out.find("\"valid\": false"), std::string::npos) << bad.out;
}

TEST_F(Commands, LintNoticesThatTheModelHasChanged) {
  ASSERT_EQ(berth({"place", "m.json", "-c", "c.json", "-o", "out.json", "-q"}).status, 0);
  directory.write("m.json", std::string(kGraph) + " ");
  const ProcessResult result = berth({"lint", "m.json", "-c", "c.json", "-p", "out.json"});
  EXPECT_EQ(result.status, 0) << result.error;
  EXPECT_NE(result.out.find("another version of the model"), std::string::npos) << result.out;
}

TEST_F(Commands, InterruptedSearchKeepsItsBestPlan) {
  BerthProcess process(directory,
                       {"place", "zoo:layered", "-c", "4xP100", "-m", "random:tries=1000000000",
                        "--budget", "60s", "-o", "out.json", "--json"});
  std::this_thread::sleep_for(std::chrono::milliseconds(700));
  process.signal(SIGINT);
  const ProcessResult result = process.wait();
  EXPECT_EQ(result.status, 0) << result.error;
  EXPECT_NE(result.out.find("\"interrupted\": true"), std::string::npos) << result.out;
  EXPECT_TRUE(directory.has("out.json"));
}

}  // namespace
}  // namespace berth::cli
