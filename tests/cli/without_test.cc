// Losing devices: --without, --from over the loss, --keep.
#include <gtest/gtest.h>

#include "cli/berth_process.h"

namespace berth::cli {
namespace {

class Without : public testing::Test {
 protected:
  Without() {
    const ProcessResult made = berth({"place", "zoo:layered:ops=200", "-c", "4xP100", "-m",
                                      "round_robin", "-o", "p.json", "--quiet"});
    EXPECT_EQ(made.status, 0) << made.error;
  }
  ProcessResult berth(const std::vector<std::string>& words) const {
    return run_berth(directory, words);
  }
  // The command on the workload and cluster of the plan.
  ProcessResult on_model(const std::string& command, std::vector<std::string> words) const {
    words.insert(words.begin(), {command, "zoo:layered:ops=200", "-c", "4xP100"});
    return berth(words);
  }
  void expect_in(const ProcessResult& result, int status, const std::string& part) const {
    EXPECT_EQ(result.status, status) << result.error;
    const std::string& text = status == 2 ? result.error : result.out;
    EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text << result.error;
  }

  TemporaryDirectory directory;
};

TEST_F(Without, APlanIsCarriedOverAndUsedAgain) {
  const ProcessResult placed = on_model(
      "place", {"--without", "gpu:3", "--from", "p.json", "-b", "60evals", "-o", "q.json"});
  expect_in(placed, 0, "on 4xP100 without gpu:3, auto");
  expect_in(placed, 0, " ops of the lost gpu:3 were placed again");
  EXPECT_NE(directory.read("q.json").find("\"name\": \"4xP100 without gpu:3\""), std::string::npos);
  EXPECT_EQ(directory.read("q.json").find("\"gpu:3\""), std::string::npos);

  expect_in(on_model("simulate", {"--without", "gpu:3", "-p", "q.json"}), 0, "Step time");
  const ProcessResult same = on_model("lint", {"--without", "gpu:3", "-p", "q.json"});
  EXPECT_EQ(same.out.find("made for another"), std::string::npos) << same.out;
  expect_in(on_model("lint", {"-p", "q.json"}), 0,
            "made for another cluster (4xP100 without gpu:3)");
  expect_in(on_model("simulate", {"--without", "gpu:3", "-p", "p.json"}), 2,
            "the plan uses gpu:3, which --without removes; berth place --from p.json");
  // A plan for what is left can be carried on too; nothing of it is lost.
  expect_in(on_model("place", {"--without", "gpu:3", "--from", "q.json", "-b", "5evals", "--json"}),
            0, "\"lost_ops\": 0");
}

TEST_F(Without, NeverWorseThanTheMendedPlan) {
  const auto step = [&](const std::string& evaluations) {
    const std::string out =
        on_model("place", {"--without", "gpu:0", "--from", "p.json", "-b", evaluations, "--json"})
            .out;
    const std::string key = "\"step_seconds\": ";
    return std::stod(out.substr(out.find(key) + key.size()));
  };
  EXPECT_LE(step("300evals"), step("1evals"));
}

TEST_F(Without, KeepAllowsWhatItSays) {
  const std::vector<std::string> words = {"--without", "gpu:3", "--from", "p.json",
                                          "--keep",    "1",     "-b",     "300evals"};
  expect_in(on_model("place", words), 0, "0 of 152 ops moved (at most 0 allowed); 48 ops of");
  std::vector<std::string> json = words;
  json.emplace_back("--json");
  expect_in(on_model("place", json), 0, "\"moved_ops\": 0");
  json[5] = "0.9";
  expect_in(on_model("place", json), 0, "\"most_moved_ops\": 15");
}

TEST_F(Without, Refusals) {
  expect_in(on_model("place", {"--without", "gpu:4"}), 2,
            "--without gpu:4: cluster \"4xP100\" has no device \"gpu:4\"; its devices are cpu:0, "
            "gpu:0, gpu:1, gpu:2 and gpu:3");
  expect_in(
      on_model("compare", {"--without", "gpu:0,gpu:1,gpu:2,gpu:3,cpu:0"}), 2,
      "--without gpu:0,gpu:1,gpu:2,gpu:3,cpu:0: cluster \"4xP100\" would have no device left");
  expect_in(on_model("place", {"--keep", "0.5"}), 2, "name that plan with --from");
  for (const char* wrong : {"1.5", "-1", "most", "nan"}) {
    expect_in(on_model("place", {"--from", "p.json", "--keep", wrong}), 2, "from 0 to 1");
  }
  expect_in(on_model("place", {"--from", "p.json", "--keep", "1", "-m", "etf"}), 2,
            "--keep works with the method auto only, and --method is etf");
  expect_in(berth({"inspect", "zoo:tiny", "--without", "gpu:0"}), 2, "--cluster");
}

TEST_F(Without, PinsToLostDevices) {
  directory.write("m.json", R"({"format": "berth.graph", "version": 1, "name": "m", "ops": [
    {"name": "a", "type": "MatMul", "outputs": [{"bytes": 100}], "seconds": {"gpu": 2, "cpu": 9}, "devices": ["gpu:0"]},
    {"name": "b", "type": "MatMul", "inputs": ["a"], "outputs": [{"bytes": 200}], "seconds": {"gpu": 3, "cpu": 9}}]})");
  directory.write("pin.json", R"({"format": "berth.constraints", "version": 1,
    "pin": {"b": ["gpu:1", "gpu:0"]}, "forbid": ["gpu:1"]})");
  const std::vector<std::string> words = {"place",         "m.json",   "-c",       "2xP100",
                                          "--constraints", "pin.json", "--without"};
  const auto without = [&](const std::string& device) {
    std::vector<std::string> line = words;
    line.push_back(device);
    return berth(line);
  };
  expect_in(without("gpu:1"), 0, "Step time 5.00 s");
  expect_in(without("gpu:0"), 2,
            "op \"a\" of model \"m\" may run only on gpu:0, and cluster \"2xP100 without gpu:0\" "
            "has no such device left");
  directory.write("pin.json",
                  R"({"format": "berth.constraints", "version": 1, "pin": {"b": "gpu:1"}})");
  expect_in(without("gpu:1"), 2, "pin.json: \"b\" is pinned to gpu:1, which is lost");
}

TEST_F(Without, OtherCommandsTakeIt) {
  const ProcessResult inspect = on_model("inspect", {"--without", "gpu:1"});
  expect_in(inspect, 0, "On 4xP100 without gpu:1");
  EXPECT_EQ(inspect.out.find("gpu:1 P100"), std::string::npos) << inspect.out;
  ASSERT_EQ(berth({"convert", "4xP100", "--without", "gpu:1", "-o", "c.json"}).status, 0);
  EXPECT_EQ(directory.read("c.json").find("\"gpu:1\""), std::string::npos);
  expect_in(berth({"place", "zoo:tiny", "-c", "c.json", "-m", "single"}), 0,
            "on c.json (4xP100 without gpu:1)");
}

}  // namespace
}  // namespace berth::cli
