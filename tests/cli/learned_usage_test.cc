// berth train and place --policy: what goes wrong before anything is learned. None of it needs the
// learned part of Berth, so all of it runs as if that were not there.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "cli/berth_process.h"

namespace berth::cli {
namespace {

class LearnedUsage : public testing::Test {
 protected:
  LearnedUsage() { ::setenv("BERTH_LEARN_MODULE", "/nonexistent/learn.so", 1); }
  ~LearnedUsage() override { ::unsetenv("BERTH_LEARN_MODULE"); }

  void expect_refusal(const std::vector<std::string>& words,
                      const std::vector<std::string>& parts) const {
    expect_refused(run_berth(directory, words), parts);
  }
  // A training that is right, with these words more.
  static std::vector<std::string> train(const std::vector<std::string>& more,
                                        const std::string& model = "zoo:tiny") {
    std::vector<std::string> words = {"train",  "-m", "hdp",     "--on", model,     "-c",
                                      "2xP100", "-b", "64evals", "-o",   "x.policy"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  static std::vector<std::string> place(const std::vector<std::string>& more) {
    std::vector<std::string> words = {"place", "zoo:tiny", "-c", "2xP100"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  TemporaryDirectory directory;
};

TEST_F(LearnedUsage, WithoutTheModuleTheSentenceSaysWhereItWasLookedFor) {
  directory.write("x", "no matter what");
  for (const auto& words : {train({}), place({"-m", "colocrl"}), place({"--policy", "x"})}) {
    expect_refusal(words, {"libberth_learn.so", "\"/nonexistent/learn.so\"", "BERTH_LEARN_MODULE",
                           "apt-get install libtorch-dev"});
  }
  EXPECT_EQ(directory.names(), std::vector<std::string>{"x"});
}

TEST_F(LearnedUsage, AModuleThatIsNoneIsNotLoaded) {
  directory.write("m.so", "this is no library");
  ::setenv("BERTH_LEARN_MODULE", directory.file("m.so").c_str(), 1);
  expect_refusal(train({}), {"m.so", "cannot be loaded", "apt-get install"});
}

TEST_F(LearnedUsage, AModuleOfAnotherBuildIsRefused) {
  ::setenv("BERTH_LEARN_MODULE", BERTH_STALE_MODULE, 1);
  expect_refusal(train({}), {"stale_module", "Berth 0.0.9 (build 0123456789abcdef)",
                             "this is Berth " BERTH_VERSION, "both together"});
  ::setenv("BERTH_LEARN_MODULE", BERTH_FOREIGN_MODULE, 1);
  expect_refusal(train({}), {"foreign_module", "not the module of learned methods"});
}

TEST_F(LearnedUsage, TheRestDoesNotNeedTheModule) {
  const ProcessResult methods = run_berth(directory, {"methods", "hdp"});
  EXPECT_EQ(methods.status, 0) << methods.error;
  EXPECT_NE(methods.out.find("Preset paper: 256."), std::string::npos) << methods.out;
  EXPECT_NE(run_berth(directory, {"methods"}).out.find("colocrl"), std::string::npos);
  const ProcessResult compare =
      run_berth(directory, {"compare", "zoo:tiny", "-c", "2xP100", "-b", "20evals"});
  EXPECT_EQ(compare.status, 0) << compare.error;
  EXPECT_EQ(compare.out.find("hdp"), std::string::npos) << compare.out;
  const ProcessResult named =
      run_berth(directory, {"compare", "zoo:tiny", "-c", "2xP100", "-m", "hdp,single"});
  EXPECT_EQ(named.status, 0) << named.error;
  EXPECT_NE(named.out.find("libberth_learn.so"), std::string::npos) << named.out;
}

TEST_F(LearnedUsage, TrainSaysWhatIsMissing) {
  const std::vector<std::pair<std::string, std::string>> all = {
      {"-m", "hdp"}, {"--on", "zoo:tiny"}, {"-c", "2xP100"}, {"-b", "64evals"}, {"-o", "x.policy"}};
  const std::vector<std::string> names = {"--method", "--on", "--cluster", "--budget", "--output"};
  for (std::size_t missing = 0; missing < all.size(); ++missing) {
    std::vector<std::string> words = {"train"};
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i == missing) continue;
      words.insert(words.end(), {all[i].first, all[i].second});
    }
    expect_refusal(words, {"berth train needs " + names[missing]});
  }
}

TEST_F(LearnedUsage, TrainTakesOnlyWhatCanBeTrained) {
  expect_refusal(train({"-m", "auto"}), {"auto does not learn", "colocrl, hdp"});
  expect_refusal(train({"-m", "hdpp"}), {"did you mean \"hdp\"?"});
  expect_refusal(train({"-m", "hdp:grups=3"}), {"did you mean \"groups\"?"});
  expect_refusal(train({"-b", "64"}), {"the budget \"64\" has no unit"});
  expect_refusal(train({"--seed", "x"}), {"--seed", "\"x\""});
  expect_refusal(train({"-c", "2xP10"}), {"2xP10"});
  expect_refusal(train({"-c", "2xP100,"}), {"2xP100,"});
  expect_refusal(train({}, "zoo:tinny"), {"did you mean \"tiny\"?"});
  expect_refusal(train({}, "no.json"), {"no.json"});
  expect_refusal(train({"--without", "gpu:9"}), {"gpu:9"});
  expect_refusal(train({"--mode", "train"}), {"training or inference"});
}

TEST_F(LearnedUsage, RangesOfModels) {
  expect_refusal(train({}, "zoo:tiny:batch=9..8"), {"--on zoo:tiny:batch=9..8", "\"9..8\" is no"});
  expect_refusal(train({}, "zoo:tiny:batch=1..x"), {"\"1..x\" is not a range", "0..23"});
  expect_refusal(train({}, "zoo:tiny:batch=.."), {"\"..\" is not a range"});
  expect_refusal(train({}, "zoo:tiny:batch=1..2..3"), {"\"1..2..3\" is not a range"});
  expect_refusal(train({}, "zoo:tiny:bach=1..2"),
                 {"\"bach\" is not an option of workload \"tiny\""});
  expect_refusal(train({}, "zoo:tinny:batch=1..2"), {"did you mean \"tiny\"?"});
  expect_refusal(train({}, "zoo:tiny:batch=1..1001"), {"more than 1000 models"});
  expect_refusal(train({}, "zoo:tiny:batch=1..100:width=1..11"), {"more than 1000 models"});
  expect_refusal(train({}, "zoo:tiny:batch=-9223372036854775808..9223372036854775807"), {"1000"});
  // A value of the range that the workload refuses is named like any other.
  expect_refusal(train({}, "zoo:tiny:batch=0..2"), {"\"batch\"", "\"0\""});
}

TEST_F(LearnedUsage, WorkIsNotOverwritten) {
  directory.write("x.policy", "an hour of work");
  expect_refusal(train({}), {"\"x.policy\" exists already", "--resume", "-o", "remove it"});
  EXPECT_EQ(directory.read("x.policy"), "an hour of work");
  ASSERT_EQ(run_berth(directory, {"convert", "zoo:tiny", "-o", "m.json"}).status, 0);
  expect_refusal(train({"-o", "m.json", "--resume"}, "m.json"), {"overwrite the input"});
  expect_refusal(train({"-o", "a", "--curve", "a"}), {"both write to"});
  expect_refusal(train({"-o", "no/x.policy"}), {"no/x.policy"});
  expect_refusal(train({"-o", "-"}), {"--output cannot write to standard output"});
  expect_refusal(train({"-o", "a", "--curve", "-"}), {"--curve cannot write to standard output"});
}

TEST_F(LearnedUsage, PlaceByPolicyOrByMethod) {
  directory.write("x", "no matter what");
  expect_refusal(place({"--policy", "x", "-m", "hdp"}), {"--policy", "--method", "leave"});
  expect_refusal(place({"--policy", "x", "-b", "9evals"}), {"--budget", "--finetune", "--samples"});
  expect_refusal(place({"--policy", "x", "-m", "auto"}), {"--policy", "--method", "leave"});
  expect_refusal(place({"--samples", "3"}), {"--samples", "--policy"});
  expect_refusal(place({"--finetune", "3evals"}), {"--finetune", "--policy"});
  expect_refusal(place({"--policy", "no.policy"}), {"\"no.policy\""});
  expect_refusal(place({"--policy", "."}), {"\".\""});
  expect_refusal(place({"--policy", "x", "--samples", "-1"}), {"--samples", "\"-1\""});
  expect_refusal(place({"--policy", "x", "--samples", "1e3"}), {"--samples", "\"1e3\""});
  expect_refusal(place({"--policy", "x", "--finetune", "500"}), {"--finetune", "no unit"});
  expect_refusal(place({"--policy", "x", "--curve", "c"}), {"--curve", "--resume"});
  expect_refusal(place({"--policy", "x", "--keep", "0.9"}), {"--keep", "policy(x)"});
  expect_refusal(place({"--policy", "x", "-o", "x"}), {"overwrite the input \"x\""});
  expect_refusal(place({"-m", "hdp", "--keep", "0.9"}), {"--keep", "hdp"});
  expect_refusal(place({"--curve", "c"}), {"--curve", "colocrl, hdp", "auto"});
  expect_refusal(place({"-m", "hdp", "--curve", "c", "-o", "c"}), {"both write to"});
}

}  // namespace
}  // namespace berth::cli
