// berth train and place --policy where the learned part is there.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <regex>
#include <thread>

#include "base/json_reader.h"
#include "base/sha256.h"
#include "cli/berth_process.h"
#include "learn/policy_file.h"

namespace berth::cli {
namespace {

#ifdef BERTH_HAS_LEARNED
constexpr bool kHasLearned = true;
#else
constexpr bool kHasLearned = false;
#endif

// Small enough to take no time.
constexpr const char* kMethod = "hdp:groups=4:hidden=8:grouper_hidden=8:embedding=4";

class Train : public testing::Test {
 protected:
  void SetUp() override {
    if (!kHasLearned) GTEST_SKIP() << "built without libtorch";
  }
  ProcessResult train(const std::vector<std::string>& more, const std::string& model = "zoo:tiny",
                      const std::string& budget = "64evals") const {
    return run_berth(directory, words(more, model, budget));
  }
  static std::vector<std::string> words(const std::vector<std::string>& more,
                                        const std::string& model, const std::string& budget) {
    std::vector<std::string> all = {"train", "-m",     kMethod, "--on", model,
                                    "-c",    "2xP100", "-b",    budget};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  ProcessResult place(const std::vector<std::string>& more) const {
    std::vector<std::string> all = {"place", "zoo:tiny", "-c", "2xP100"};
    all.insert(all.end(), more.begin(), more.end());
    return run_berth(directory, all);
  }
  void wait_for(const std::string& file) const {
    for (int wait = 0; wait < 6000 && !directory.has(file); ++wait) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }
  static void expect_parts(const std::string& text, const std::vector<std::string>& parts) {
    for (const std::string& part : parts) {
      EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
    }
  }
  static void expect_json(const std::string& text, const std::vector<std::string>& keys) {
    JsonReader reader(text, "stdout");
    reader.skip();
    reader.expect_end();
    for (const std::string& key : keys) expect_parts(text, {"\"" + key + "\": "});
  }

  TemporaryDirectory directory;
};

#ifdef __x86_64__
// Or a training would be another one on every kind of processor.
TEST_F(Train, ComputesByTheSameKernelsOnEveryProcessor) {
  if (!__builtin_cpu_supports("avx2")) GTEST_SKIP() << "this processor has none of them";
  ::setenv("OPENBLAS_VERBOSE", "2", 1);  // it then tells what it computes by
  const ProcessResult result = train({"-o", "x.policy"});
  ::unsetenv("OPENBLAS_VERBOSE");
  ASSERT_EQ(result.status, 0) << result.error;
  expect_parts(result.error, {"Core: Haswell"});
}
#endif

TEST_F(Train, WritesAPolicyThatPlaces) {
  const ProcessResult result = train({"-o", "x.policy"});
  ASSERT_EQ(result.status, 0) << result.error;
  expect_parts(result.out, {"zoo:tiny", "2xP100", "start", "best", "greedy", "sample mean",
                            "evaluations", "updates", "wrote x.policy", "wrote x.policy.jsonl",
                            "next: berth place zoo:tiny --cluster 2xP100 --policy x.policy"});
  EXPECT_EQ(directory.names(), (std::vector<std::string>{"x.policy", "x.policy.jsonl"}));
  EXPECT_TRUE(directory.read("x.policy").starts_with("berth-policy\n"));
  const learn::PolicyFile file = learn::read_policy(directory.file("x.policy"));
  expect_parts(result.out,
               {fmt::format("{} evaluations, {} updates", file.evaluations, file.updates)});
  const std::string before = directory.read("x.policy");

  const ProcessResult placed = place({"--policy", "x.policy", "-o", "plan.json"});
  EXPECT_EQ(placed.status, 0) << placed.error;
  expect_parts(placed.out, {"policy(x.policy)", "The policy: hdp(", "evaluations", "greedy"});
  EXPECT_EQ(placed.out.find("samples  "), std::string::npos) << placed.out;
  expect_parts(directory.read("plan.json"), {"\"method\": \"policy(x.policy)\""});
  const ProcessResult more =
      place({"--policy", "x.policy", "--samples", "8", "--finetune", "32evals", "--json"});
  EXPECT_EQ(more.status, 0) << more.error;
  expect_json(more.out, {"step_seconds", "greedy_step_seconds", "sample_mean_step_seconds",
                         "sample_feasible_share", "policy", "models"});
  EXPECT_EQ(directory.read("x.policy"), before) << "placing changed the policy";
}

TEST_F(Train, APolicyFallsBackOnADeviceThatHoldsTheModel) {
  ASSERT_EQ(train({"-o", "x.policy"}).status, 0);
  const ProcessResult placed =
      run_berth(directory, {"place", "zoo:gpt", "-c", "2xP100", "--policy", "x.policy"});
  EXPECT_EQ(placed.status, 0) << placed.out
                              << placed.error;  // a GPU does not hold it, the CPU does
}

TEST_F(Train, FineTuningNeverLosesThePolicysOwnPlan) {
  ASSERT_EQ(train({"-o", "x.policy"}, "zoo:layered:ops=40", "200evals").status, 0);
  const auto step = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all = {
        "place", "zoo:layered:ops=40:seed=1", "-c", "2xP100", "--policy", "x.policy", "--json"};
    all.insert(all.end(), more.begin(), more.end());
    const std::string text = run_berth(directory, all).out;
    return std::stod(text.substr(text.find("\"step_seconds\"") + 16));
  };
  EXPECT_LE(step({"--finetune", "8evals"}), step({}));
}

TEST_F(Train, APolicyAndACurveHaveOneWriter) {
  BerthProcess first(directory, words({"-o", "x.policy"}, "zoo:layered:ops=40", "100000evals"));
  wait_for("x.policy");
  const std::string process = fmt::format("is being written by process {};", first.id());
  expect_refused(train({"-o", "x.policy"}), {"--output \"x.policy\"", process});
  expect_refused(train({"-o", "x.policy", "--resume"}), {"--output \"x.policy\"", process});
  expect_refused(train({"-o", "y.policy", "--curve", "x.policy.jsonl"}),
                 {"--curve \"x.policy.jsonl\"", process});
  expect_refused(place({"-m", kMethod, "-b", "8evals", "--curve", "x.policy.jsonl"}),
                 {"--curve \"x.policy.jsonl\"", process});
  EXPECT_FALSE(directory.has("y.policy"));
  first.signal(SIGTERM);
  EXPECT_EQ(first.wait().status, 0);
  EXPECT_EQ(directory.names(), (std::vector<std::string>{"x.policy", "x.policy.jsonl"}));
}

#ifndef __SANITIZE_ADDRESS__
TEST_F(Train, TooLittleMemoryForTheModuleIsToldBeforeItIsLoaded) {
  const ProcessResult result =
      run_berth(directory, {"place", "zoo:tiny", "-c", "2xP100", "-m", kMethod, "-b", "8evals"},
                {.address_bytes = std::size_t{700'000} << 10});
  expect_failed(result, 1, {"the learned methods need 800 MiB of address space", "ulimit -v"});
}
#endif

TEST_F(Train, SlimKeepsThePolicyAlone) {
  ASSERT_EQ(train({"-o", "whole.policy"}).status, 0);
  ASSERT_EQ(train({"-o", "slim.policy", "--slim"}).status, 0);
  EXPECT_LT(2 * directory.read("slim.policy").size(), directory.read("whole.policy").size());
  const auto step = [&](const std::string& policy) {
    const std::string text = place({"--policy", policy, "--json"}).out;
    return text.substr(text.find("\"step_seconds\""), 40);
  };
  EXPECT_EQ(step("slim.policy"), step("whole.policy"));
  const ProcessResult resumed = train({"-o", "slim.policy", "--resume"}, "zoo:tiny", "128evals");
  EXPECT_EQ(resumed.status, 2);
  expect_parts(resumed.error, {"--output: slim.policy: cannot be resumed", "the policy alone"});
}

TEST_F(Train, AutoBeginsWithAPolicy) {
  ASSERT_EQ(train({"-o", "x.policy"}).status, 0);
  const std::vector<std::string> searched = {"-m", "auto:policy=x.policy", "-b", "40evals",
                                             "--json"};
  const ProcessResult first = place(searched);
  EXPECT_EQ(first.status, 0) << first.error;
  expect_json(first.out, {"step_seconds", "evaluations"});
  for (const char* wrong : {"auto:policy=absent.policy", "auto:policy=x.policy.jsonl"}) {
    const ProcessResult refused = place({"-m", wrong});
    EXPECT_EQ(refused.status, 2);
    expect_parts(refused.error, {std::string(wrong).substr(12)});
  }
}

TEST_F(Train, BenchGeneralizePutsPoliciesToWorkOnOtherGraphs) {
  const auto bench = [&](const std::string& train, const std::string& only,
                         const std::vector<std::string>& more) {
    std::vector<std::string> words = {
        "bench",      "generalize", "-m",        "go:hidden=8:heads=2:samples=2:units=8",
        "--tune",     "8evals",     "--scratch", "8evals",
        "--policies", "kept",       "--train",   train,
        "--only",     only};
    words.insert(words.end(), more.begin(), more.end());
    return run_berth(directory, words);
  };
  const std::string train = "50evals";
  const std::string only = "seed=1000 on 4xK80";
  const ProcessResult result = bench(train, only, {});
  ASSERT_EQ(result.status, 0) << result.error;
  expect_parts(result.out, {"trained on zoo:enas_cifar:seed=0..23 on 4xK80", "same family",
                            "enas_cifar:seed=1000", "zero-shot", "tuned", "scratch", "random",
                            "expert", "auto", "zero-shot is"});
  // The policy that is there is not trained again.
  const std::string policy = "kept/go(units=8,samples=2,hidden=8,heads=2).policy";
  const std::string before = directory.read(policy);
  EXPECT_FALSE(before.empty());
  const ProcessResult json = bench(train, only, {"--json"});
  EXPECT_EQ(json.status, 0) << json.error;
  expect_json(json.out, {"trained_on", "kinship", "greedy", "zero_shot", "tuned", "scratch",
                         "random", "expert", "auto", "same_family_zero_shot_over_scratch"});
  EXPECT_EQ(directory.read(policy), before);
  // One of another training is not taken for it.
  expect_refused(bench(train, only, {"--seed", "1"}), {policy, "seed is 0", "--policies"});
  expect_refused(bench("60evals", only, {}), {policy, "budget is 50evals", "--policies"});
  expect_refused(bench(train, "seed=24", {"--tuning"}), {policy, "4xK80", "4xP100", "--policies"});
  for (const std::vector<std::string>& wrong :
       {std::vector<std::string>{"-m", "heft"}, {"--train", "10s"}, {"--only", "nothing"}}) {
    std::vector<std::string> all = {"bench", "generalize"};
    all.insert(all.end(), wrong.begin(), wrong.end());
    const ProcessResult refused = run_berth(directory, all);
    EXPECT_EQ(refused.status, 2) << wrong[0];
    expect_parts(refused.error, {wrong[0] == "--only" ? "nothing" : wrong[0]});
  }
}

// A run that was killed leaves its last checkpoint.
TEST_F(Train, BenchGeneralizeGoesOnWithATrainingThatWasCutShort) {
  const auto words = [](const std::string& folder) {
    return std::vector<std::string>{"bench",      "generalize",
                                    "-m",         "go:units=8:samples=2:hidden=8:heads=2",
                                    "--train",    "4000evals",
                                    "--tune",     "16evals",
                                    "--only",     "seed=1000 on 4xK80",
                                    "--scratch",  "32evals",
                                    "--policies", folder};
  };
  const std::string policy = "/go(units=8,samples=2,hidden=8,heads=2).policy";
  BerthProcess killed(directory, words("kept"));
  wait_for("kept" + policy);
  killed.signal(SIGKILL);
  EXPECT_EQ(killed.wait().status, 128 + SIGKILL);
  ASSERT_TRUE(directory.has("kept" + policy)) << "no checkpoint in a minute";
  const ProcessResult resumed = run_berth(directory, words("kept"));
  ASSERT_EQ(resumed.status, 0) << resumed.error;
  const ProcessResult straight = run_berth(directory, words("whole"));
  // All but the times that training took.
  const auto table = [](const std::string& text) {
    return std::regex_replace(text, std::regex(" in [0-9.]+ m?s"), "");
  };
  EXPECT_EQ(table(resumed.out), table(straight.out));
}

TEST_F(Train, MarsInterruptedBeforeItsFirstUpdateIsResumedAsIfItHadNotBegun) {
  const auto words = [](const std::string& policy) {
    return std::vector<std::string>{
        "train",
        "-m",
        "mars:units=8:samples=2:hidden=8:encoder_width=8:pretrain_updates=3000",
        "--on",
        "zoo:tiny",
        "-c",
        "2xP100",
        "-b",
        "16evals",
        "-o",
        policy};
  };
  BerthProcess stopped(directory, words("x.policy"));
  wait_for("x.policy.jsonl");  // begun before the encoder is taught
  stopped.signal(SIGINT);
  EXPECT_EQ(stopped.wait().status, 0);
  std::vector<std::string> again = words("x.policy");
  again.emplace_back("--resume");
  ASSERT_EQ(run_berth(directory, again).status, 0);
  ASSERT_EQ(run_berth(directory, words("y.policy")).status, 0);
  const learn::PolicyFile resumed = learn::read_policy(directory.file("x.policy"));
  const learn::PolicyFile straight = learn::read_policy(directory.file("y.policy"));
  EXPECT_EQ(resumed.arrays, straight.arrays);
  EXPECT_EQ(resumed.updates, straight.updates);
}

TEST_F(Train, ResumingWithLessThanWasSpentIsRefused) {
  ASSERT_EQ(train({"-o", "x.policy"}).status, 0);
  const std::string before = directory.read("x.policy");
  expect_refused(train({"-o", "x.policy", "--resume"}, "zoo:tiny", "32evals"),
                 {"x.policy", "evaluations already", "32evals", "larger"});
  EXPECT_EQ(directory.read("x.policy"), before);
}

TEST_F(Train, OutputsDoNotReplaceThePolicyAMethodReads) {
  ASSERT_EQ(train({"-o", "x.policy"}).status, 0);
  const std::string before = directory.read("x.policy");
  const std::string method = "auto:policy=x.policy";
  expect_refused(place({"-m", method, "-b", "20evals", "-o", "x.policy"}),
                 {"--output", "x.policy"});
  expect_refused(run_berth(directory, {"compare", "zoo:tiny", "-c", "2xP100", "-m", method, "-b",
                                       "20evals", "--report", "x.policy"}),
                 {"--report", "x.policy"});
  EXPECT_EQ(directory.read("x.policy"), before);
}

// Also those that were not given, so that the policy is the same under a Berth with other defaults;
// people read only what differs from the defaults they have.
TEST_F(Train, APolicyKeepsEveryOption) {
  ASSERT_EQ(train({"-o", "x.policy"}).status, 0);
  learn::PolicyFile file = learn::read_policy(directory.file("x.policy"));
  expect_parts(file.method, {"preset=fast", "units=256", "clip=1", "temperature=5"});
  const ProcessResult placed = place({"--policy", "x.policy"});
  EXPECT_EQ(placed.out.find("units="), std::string::npos) << placed.out;
  file.method.replace(file.method.find("units=256"), 9, "units=8");  // as if that had been usual
  learn::write_policy(directory.file("x.policy"), file);
  expect_parts(place({"--policy", "x.policy"}).out, {"The policy: hdp(", "units=8"});
}

TEST_F(Train, APolicyThatWouldBeginWithAPolicyIsRefusedByName) {
  ASSERT_EQ(train({"-o", "x.policy"}).status, 0);
  learn::PolicyFile file = learn::read_policy(directory.file("x.policy"));
  for (const auto& [option, word] :
       {std::pair{"start=auto(policy=x.policy)", "begins with a policy"}, {"units=few", "units"}}) {
    file.method = fmt::format("hdp({})", option);
    learn::write_policy(directory.file("x.policy"), file);
    expect_refused(place({"--policy", "x.policy"}), {"x.policy", word});
  }
  expect_refused(place({"-m", "hdp:start=auto(policy=x.policy)", "-b", "8evals"}),
                 {"start", "begins with a policy"});
}

TEST_F(Train, NumbersThatAreNotFiniteAreRefused) {
  ASSERT_EQ(train({"-o", "x.policy"}).status, 0);
  learn::PolicyFile file = learn::read_policy(directory.file("x.policy"));
  const auto of_policy = [](const learn::StoredArray& array) {
    return array.name.starts_with("policy.");
  };
  std::ranges::find_if(file.arrays, of_policy)->data.replace(0, 4, 4, '\xff');  // no number
  learn::write_policy(directory.file("x.policy"), file);
  expect_refused(place({"--policy", "x.policy"}), {"x.policy", "not finite"});
}

TEST_F(Train, SeveralPassesOverABatchNeedPpo) {
  const ProcessResult refused = place({"-m", "hdp:epochs=3", "-b", "8evals"});
  EXPECT_EQ(refused.status, 2);
  expect_parts(refused.error, {"epochs=3", "algorithm=ppo"});
  EXPECT_EQ(place({"-m", "hdp:epochs=3:algorithm=ppo", "-b", "8evals"}).status, 0);
  EXPECT_EQ(place({"-m", "go:algorithm=reinforce", "-b", "8evals"}).status, 0);
}

TEST_F(Train, JsonOfOneCaseAndOfSeveral) {
  const std::vector<std::string> keys = {"step_seconds",
                                         "evaluations",
                                         "train_seconds",
                                         "updates",
                                         "interrupted",
                                         "method",
                                         "seed",
                                         "budget",
                                         "policy",
                                         "curve",
                                         "cases",
                                         "start",
                                         "greedy_step_seconds"};
  const ProcessResult one = train({"-o", "a.policy", "--json", "--seed", "7"});
  EXPECT_EQ(one.status, 0) << one.error;
  expect_json(one.out, keys);
  expect_parts(one.out, {"\"seed\": 7", "\"budget\": \"64evals\"", "\"policy\": \"a.policy\"",
                         "\"curve\": \"a.policy.jsonl\"", "\"interrupted\": false"});
  const ProcessResult several = train({"--on", "zoo:layered:ops=30", "-c", "2xP100,4xP100", "-o",
                                       "b.policy", "--curve", "b.curve", "--json"},
                                      "zoo:tiny:batch=8..9");
  EXPECT_EQ(several.status, 0) << several.error;
  expect_json(several.out, keys);
  for (const char* model : {"zoo:tiny:batch=8", "zoo:tiny:batch=9", "zoo:layered:ops=30"}) {
    expect_parts(several.out, {"\"model\": \"" + std::string(model) + "\""});
  }
  EXPECT_TRUE(directory.has("b.curve"));
}

TEST_F(Train, TheSameSeedTrainsTheSame) {
  const ProcessResult first = train({"-o", "a.policy", "--seed", "3"});
  const ProcessResult again = train({"-o", "b.policy", "--seed", "3"});
  ASSERT_EQ(first.status, 0) << first.error;
  const auto table = [](const std::string& text) { return text.substr(0, text.find("\n\n")); };
  EXPECT_EQ(table(first.out), table(again.out));
}

TEST_F(Train, CurveIsOneObjectALine) {
  ASSERT_EQ(train({"-o", "x.policy", "--curve", "c.jsonl"}).status, 0);
  std::string text = directory.read("c.jsonl");
  ASSERT_TRUE(text.ends_with('\n')) << text;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string line = text.substr(0, end);
    JsonReader reader(line, "c.jsonl");
    reader.skip();
    reader.expect_end();
    for (const char* key :
         {"case", "evaluations", "updates", "seconds", "best_step_seconds", "mean_step_seconds",
          "feasible_share", "entropy", "reward", "baseline", "gradient_norm"}) {
      expect_parts(line, {"\"" + std::string(key) + "\""});
    }
    text.erase(0, end + 1);
  }
}

TEST_F(Train, ResumesAndSaysWhenThereIsNothingToResume) {
  const ProcessResult fresh = train({"-o", "x.policy", "--resume"});
  EXPECT_EQ(fresh.status, 0) << fresh.error;
  expect_parts(fresh.error, {"no \"x.policy\" to resume", "from the beginning"});
  const std::string curve = directory.read("x.policy.jsonl");
  const ProcessResult more = train({"-o", "x.policy", "--resume"}, "zoo:tiny", "128evals");
  EXPECT_EQ(more.status, 0) << more.error;
  EXPECT_EQ(more.error, "");
  const std::string longer = directory.read("x.policy.jsonl");
  EXPECT_TRUE(longer.starts_with(curve)) << longer;
  EXPECT_GT(longer.size(), curve.size());
  const ProcessResult other = train({"-o", "x.policy", "--resume"}, "zoo:tiny:batch=8", "256evals");
  EXPECT_EQ(other.status, 2) << other.out;
  expect_parts(other.error, {"x.policy", "zoo:tiny:batch=8"});
}

TEST_F(Train, InterruptedSavesAndSaysHowToGoOn) {
  BerthProcess process(directory, words({"-o", "x.policy"}, "zoo:layered:ops=300", "60min"));
  // Until it learns, or for long enough that it should.
  for (int i = 0; i < 100 && directory.read("x.policy.jsonl").empty(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  process.signal(SIGINT);
  const ProcessResult result = process.wait();
  EXPECT_EQ(result.status, 0) << result.error;
  expect_parts(result.out, {"interrupted; continue with: berth train -m hdp:groups=4", "--resume"});
  EXPECT_TRUE(directory.has("x.policy"));
}

TEST_F(Train, PlaceByALearnedMethodTellsOfItsPolicy) {
  const ProcessResult text = place({"-m", kMethod, "-b", "64evals", "--curve", "c.jsonl"});
  EXPECT_EQ(text.status, 0) << text.error;
  expect_parts(text.out,
               {"The policy\n", "start ", "the plan of single", "greedy ", "samples ", "c.jsonl"});
  EXPECT_TRUE(directory.has("c.jsonl"));
  const ProcessResult json = place({"-m", kMethod, "-b", "64evals", "--json"});
  expect_json(json.out,
              {"greedy_step_seconds", "greedy_feasible", "sample_mean_step_seconds",
               "sample_feasible_share", "start", "updates", "step_seconds", "evaluations"});
}

TEST_F(Train, DamagedPoliciesEndInASentence) {
  ASSERT_EQ(train({"-o", "x.policy"}).status, 0);
  std::string bytes = directory.read("x.policy");
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  directory.write("bad.policy", bytes);
  const ProcessResult placed = place({"--policy", "bad.policy"});
  const ProcessResult resumed = train({"-o", "bad.policy", "--resume"});
  for (const ProcessResult& result : {placed, resumed}) {
    EXPECT_EQ(result.status, 2) << result.out;
    expect_parts(result.error, {"bad.policy", "damaged"});
  }
  EXPECT_EQ(directory.read("bad.policy"), bytes);
}

// A file that is whole, with a header that no training has written.
std::string policy_of_method(const std::string& method) {
  const std::string header =
      R"({"method":")" + method +
      R"(","berth_version":"","seed":0,"budget":"","evaluations":0,"updates":0,"train_seconds":0,)"
      R"("curve_bytes":0,"vocabulary":[],"cases":[],"arrays":[]})";
  std::string bytes = "berth-policy\n" + std::string("\1\0\0\0", 4);
  for (int i = 0; i < 8; ++i) bytes += static_cast<char>(header.size() >> (8 * i) & 0xff);
  bytes += header;
  const std::string hex = sha256_hex(bytes);
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  }
  return bytes;
}

TEST_F(Train, PoliciesThatNoTrainingHasWritten) {
  for (const char* method : {"auto", "hdp(", "hdp"}) {
    directory.write("made.policy", policy_of_method(method));
    const ProcessResult placed = place({"--policy", "made.policy"});
    EXPECT_EQ(placed.status, 2) << placed.out;
    EXPECT_EQ(placed.error.find("berth: error: made.policy: "), 0u) << placed.error;
  }
}

}  // namespace
}  // namespace berth::cli
