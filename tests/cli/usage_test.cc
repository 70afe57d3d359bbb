// What goes wrong, and the one sentence that says so.
#include <gtest/gtest.h>

#include <algorithm>

#include "cli/berth_process.h"

namespace berth::cli {
namespace {

class Usage : public testing::Test {
 protected:
  ProcessResult berth(const std::vector<std::string>& words) const {
    return run_berth(directory, words);
  }
  void expect_refusal(const std::vector<std::string>& words,
                      const std::vector<std::string>& parts) const {
    expect_refused(berth(words), parts);
  }

  TemporaryDirectory directory;
};

TEST_F(Usage, OverviewHelpAndVersion) {
  EXPECT_NE(berth({}).out.find("berth COMMAND --help"), std::string::npos);
  EXPECT_EQ(berth({"--help"}).out, berth({}).out);
  EXPECT_EQ(berth({"--version"}).out.find("berth "), 0u);
  EXPECT_EQ(berth({"version"}).out, berth({"--version"}).out);
  for (const char* command : {"place", "simulate", "compare", "sweep", "train", "inspect", "lint",
                              "convert", "methods", "zoo", "clusters", "version"}) {
    const ProcessResult help = berth({command, "--help"});
    EXPECT_EQ(help.status, 0) << command;
    EXPECT_EQ(help.error, "") << command;
    EXPECT_NE(help.out.find("Usage: berth " + std::string(command)), std::string::npos) << help.out;
    EXPECT_EQ(berth({"help", command}).out, help.out);
  }
}

// What a script passes on when its variable is not set.
TEST_F(Usage, EmptyValuesAreRefused) {
  for (const char* option : {"--output", "--policy", "--finetune", "--constraints", "--curve"}) {
    expect_refusal({"place", "zoo:tiny", "-c", "2xP100", option, ""}, {option, "empty", "--help"});
  }
  expect_refusal(
      {"train", "-m", "go", "--on", "zoo:tiny", "-c", "2xP100", "-b", "8evals", "-o", ""},
      {"--output", "empty", "FILE"});
  EXPECT_TRUE(directory.names().empty());
}

TEST_F(Usage, UnknownNamesAnswerWithTheNearest) {
  expect_refusal({"plce"}, {"\"plce\"", "did you mean \"place\"?"});
  expect_refusal({"place", "zoo:tiny", "--cluster", "4xP100", "--methd", "etf"},
                 {"--methd", "did you mean \"--method\"?"});
  expect_refusal({"place", "zoo:tiny", "--cluster", "4xP100", "--method", "eft"}, {"eft", "etf"});
  expect_refusal({"place", "zoo:tinny", "--cluster", "4xP100"}, {"tinny", "tiny"});
  expect_refusal({"place", "zoo:tiny", "--cluster", "4xP10"}, {"4xP10"});
  expect_refusal({"bench", "foo"}, {"there is no benchmark \"foo\"; the benchmarks are colocrl, "
                                    "hdp, mars, search, generalize and learn\n"});
  expect_refusal({"bench", "serach"}, {"generalize and learn; did you mean \"search\"?\n"});
  expect_refusal({"place", "zoo:tiny", "-c", "4xP100", "--tasks", "placment"},
                 {"the tasks are placement, schedule and fusion; did you mean \"placement\"?\n"});
}

TEST_F(Usage, MissingAndWrongArguments) {
  expect_refusal({"place"}, {"MODEL"});
  expect_refusal({"place", "zoo:tiny"}, {"--cluster"});
  expect_refusal({"place", "zoo:tiny", "--cluster"}, {"--cluster", "needs a value"});
  expect_refusal({"place", "zoo:tiny", "-c", "4xP100", "extra"}, {"\"extra\""});
  expect_refusal({"place", "zoo:tiny", "-c", "4xP100", "--seed", "-1"}, {"--seed", "\"-1\""});
  expect_refusal({"place", "zoo:tiny", "-c", "4xP100", "--budget", "10"}, {"10"});
  expect_refusal({"place", "zoo:tiny", "-c", "4xP100", "--mode", "train"}, {"training"});
  expect_refusal({"place", "zoo:tiny", "-c", "4xP100", "--tasks", "scheduling"}, {"scheduling"});
  expect_refusal({"inspect", "nowhere.json"}, {"nowhere.json"});
}

TEST_F(Usage, OutputsNeverDestroyInputs) {
  ASSERT_EQ(berth({"convert", "zoo:tiny", "-o", "m.json"}).status, 0);
  const std::string before = directory.read("m.json");
  expect_refusal({"place", "m.json", "-c", "4xP100", "-o", "m.json"}, {"overwrite", "m.json"});
  expect_refusal({"place", "m.json", "-c", "4xP100", "-o", "./m.json"}, {"overwrite"});
  expect_refusal({"convert", "m.json", "-o", "m.json"}, {"overwrite"});
  expect_refusal({"place", "m.json", "-c", "4xP100", "-o", "x", "--report", "x"}, {"both write"});
  EXPECT_EQ(directory.read("m.json"), before);
  EXPECT_EQ(directory.names(), std::vector<std::string>{"m.json"});
}

TEST_F(Usage, OutputsAreCheckedBeforeTheSearch) {
  expect_refusal({"place", "zoo:tiny", "-c", "4xP100", "-o", "no/such/plan.json"}, {"no/such"});
  expect_refusal({"place", "zoo:tiny", "-c", "4xP100", "-o", "."}, {"directory"});
}

TEST_F(Usage, InvalidPlansNameTheOp) {
  ASSERT_EQ(berth({"convert", "zoo:tiny", "-o", "m.json"}).status, 0);
  directory.write("p.json",
                  R"({"format": "berth.plan", "version": 1, "placement": {"nobody": "gpu:0"}})");
  expect_refusal({"simulate", "m.json", "-c", "4xP100", "--plan", "p.json"}, {"p.json", "nobody"});
}

TEST_F(Usage, HostileFilesEndInASentence) {
  directory.write("empty.json", "");
  directory.write("broken.json", "{\"format\": \"berth.graph\", ");
  directory.write("binary.json", std::string("\x00\xff\x1b[2J", 6));
  for (const char* name : {"empty.json", "broken.json", "binary.json"}) {
    expect_refusal({"inspect", name}, {name});
    expect_refusal({"clusters", name}, {name});
    expect_refusal({"simulate", "zoo:tiny", "-c", "4xP100", "--plan", name}, {name});
  }
}

TEST_F(Usage, QuietIsQuiet) {
  const ProcessResult result = berth({"place", "zoo:tiny", "-c", "4xP100", "-q"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.out + result.error, "");
}

}  // namespace
}  // namespace berth::cli
