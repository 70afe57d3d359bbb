// What `berth place` says when nothing fits: that nothing can only with a proof, and by how much.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/json_reader.h"
#include "cli/berth_process.h"

namespace berth::cli {
namespace {

constexpr const char* kClaim = "No plan can fit";

struct Claim {
  bool given = false;
  bool proved = false;
  std::int64_t missing_bytes = 0;
  std::string proof;
};

Claim claim_of(const std::string& json) {
  Claim claim;
  JsonReader reader(json, "stdout");
  reader.begin_object();
  while (const auto key = reader.next_key()) {
    if (*key != "infeasible") {
      reader.skip();
      continue;
    }
    claim.given = true;
    reader.begin_object();
    while (const auto inner = reader.next_key()) {
      if (*inner == "proved") {
        claim.proved = reader.read_bool();
      } else if (*inner == "missing_bytes") {
        claim.missing_bytes = reader.read_bytes("missing_bytes");
      } else if (*inner == "proof") {
        claim.proof = reader.read_string();
      } else {
        reader.skip();
      }
    }
  }
  reader.expect_end();
  return claim;
}

// On one line, whatever the width of the page.
std::string unwrapped(const std::string& text) {
  std::string line;
  for (const char c : text) {
    const bool space = c == ' ' || c == '\n';
    if (!space || (!line.empty() && line.back() != ' ')) line += space ? ' ' : c;
  }
  return line;
}

class Infeasible : public testing::Test {
 protected:
  // Ops that make and read nothing, by name, parameters and colocation, on two devices of 9000 B.
  struct Op {
    const char* name;
    std::int64_t param_bytes;
    const char* group = nullptr;
  };
  void write_model(const std::vector<Op>& ops) const {
    std::string text = R"({"format": "berth.graph", "version": 1, "name": "m", "ops": [)";
    for (const Op& op : ops) {
      if (&op != &ops.front()) text += ", ";
      text += fmt::format(R"({{"name": "{}", "type": "Op", "param_bytes": {}, )", op.name,
                          op.param_bytes);
      if (op.group) text += fmt::format(R"("colocate": "{}", )", op.group);
      text += R"("seconds": {"gpu": 1}})";
    }
    directory.write("m.json", text + "]}");
    directory.write("c.json", R"({"format": "berth.cluster", "version": 1, "name": "pair",
      "devices": [{"name": "gpu:0", "kind": "gpu", "memory": 9000},
                  {"name": "gpu:1", "kind": "gpu", "memory": 9000}],
      "links": [{"between": ["gpu:0", "gpu:1"], "bandwidth": "1GB/s"}]})");
  }
  ProcessResult place(const std::string& budget, bool json) const {
    std::vector<std::string> words = {"place", "m.json", "-c", "c.json", "-b", budget};
    if (json) words.emplace_back("--json");
    ProcessResult result = run_berth(directory, words);
    if (!json) result.out = unwrapped(result.out);
    return result;
  }
  // The claim in words and as JSON; the bytes are those the best plan is over.
  void expect_claimed(std::int64_t missing_bytes, const std::string& missing,
                      const std::string& reason) const {
    const ProcessResult text = place("500evals", false);
    EXPECT_EQ(text.status, 3) << text.error;
    EXPECT_NE(text.out.find("Does not fit: " + missing + " over"), std::string::npos) << text.out;
    EXPECT_NE(text.out.find(kClaim + (": " + reason)), std::string::npos) << text.out;
    const ProcessResult json = place("500evals", true);
    EXPECT_EQ(json.status, 3) << json.error;
    const Claim claim = claim_of(json.out);
    EXPECT_TRUE(claim.proved);
    EXPECT_EQ(claim.missing_bytes, missing_bytes);
    EXPECT_EQ(claim.proof.find(kClaim + (": " + reason)), 0u) << claim.proof;
  }

  TemporaryDirectory directory;
};

TEST_F(Infeasible, AnOpThatIsTooBig) {
  write_model({{"a", 1000}, {"big", 9500}});
  expect_claimed(500, "500 B", "op \"big\"");
}

TEST_F(Infeasible, AGroupThatIsTooBig) {
  write_model({{"a", 5000, "pair"}, {"b", 1000}, {"c", 4700, "pair"}});
  expect_claimed(700, "700 B", "");
  EXPECT_NE(place("500evals", false).out.find("the group \"pair\""), std::string::npos);
}

TEST_F(Infeasible, MoreParametersThanMemory) {
  write_model({{"a", 5000}, {"b", 5000}, {"c", 4500}, {"d", 4500}});
  expect_claimed(1000, "1000 B", "all devices together have");
}

// 5 + 4 and 3 + 3 + 3 fill both, but everything on one device is what one evaluation sees.
TEST_F(Infeasible, IsNotClaimedOfWhatIsOnlyTight) {
  write_model({{"a", 5000}, {"b", 3000}, {"c", 3000}, {"d", 4000}, {"e", 3000}});
  const ProcessResult text = place("1evals", false);
  EXPECT_EQ(text.status, 3) << text.error;
  EXPECT_EQ(text.out.find(kClaim), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("found no plan that fits"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("it is not proved that no plan fits"), std::string::npos) << text.out;
  const Claim claim = claim_of(place("1evals", true).out);
  EXPECT_TRUE(claim.given);
  EXPECT_FALSE(claim.proved);
  EXPECT_EQ(claim.proof, "");
  EXPECT_EQ(claim.missing_bytes, 9000);

  const ProcessResult found = place("2000evals", true);
  EXPECT_EQ(found.status, 0) << found.error;
  EXPECT_FALSE(claim_of(found.out).given);
}

// Two ops that must be on two devices which nothing joins.
TEST(NoRoute, IsToldAndNothingIsWritten) {
  const TemporaryDirectory directory;
  directory.write("model.json", R"({"format": "berth.graph", "version": 1, "name": "split", "ops": [
      {"name": "a", "type": "X", "devices": ["gpu:0"], "outputs": [{"bytes": 4}], "flops": 1e6},
      {"name": "b", "type": "X", "devices": ["gpu:1"], "inputs": ["a"], "flops": 1e6}]})");
  directory.write("cluster.json", R"({"format": "berth.cluster", "version": 1, "devices": [
      {"name": "gpu:0", "kind": "gpu", "memory": "unlimited", "flops": "9TFLOPS"},
      {"name": "gpu:1", "kind": "gpu", "memory": "unlimited", "flops": "9TFLOPS"}], "switches": [], "links": []})");
  const auto run = [&](const char* command, std::vector<std::string> more) {
    std::vector<std::string> words = {command, "model.json", "-c", "cluster.json", "-b", "20evals"};
    words.insert(words.end(), more.begin(), more.end());
    return run_berth(directory, words);
  };
  const std::string why = "no route leads from \"gpu:0\" to \"gpu:1\"";
  for (const char* method : {"single", "auto", "random"}) {
    const ProcessResult result =
        run("place", {"-m", method, "-o", "plan.json", "--report", "plan.html"});
    EXPECT_EQ(result.status, 3) << result.error;
    EXPECT_NE(result.out.find(why), std::string::npos) << result.out;
  }
  const ProcessResult json = run("place", {"--json"});
  EXPECT_EQ(json.status, 3);
  EXPECT_NE(json.out.find("\"step_seconds\": null"), std::string::npos) << json.out;
  const ProcessResult compared = run("compare", {"-o", "plan.json", "--report", "plan.html"});
  EXPECT_EQ(compared.status, 3) << compared.error;
  EXPECT_NE(compared.out.find("single: found no plan with a route"), std::string::npos);
  EXPECT_EQ(directory.names(), (std::vector<std::string>{"cluster.json", "model.json"}));
}

}  // namespace
}  // namespace berth::cli
