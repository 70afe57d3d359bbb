#include "plan/plan_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "base/thrown.h"
#include "plan/small_problem.h"

namespace berth {
namespace {

const Graph& small_graph() {
  static const Graph graph =
      graph_of(op("x", "Input", "") + "," + op("mm", "MatMul", R"("x")") + "," +
               op("bias", "Add", R"("mm")") + "," + op("relu", "Relu", R"("bias")"));
  return graph;
}

PlanFile parse(std::string_view text, std::vector<std::string>* warnings = nullptr) {
  return parse_plan(text, "p", small_graph(), small_cluster(), warnings);
}

constexpr std::string_view kHead = R"({"format": "berth.plan", "version": 1, )";
constexpr std::string_view kPlacement =
    R"("placement": {"x": "gpu:0", "mm": "gpu:1", "bias": "gpu:1", "relu": "cpu:0"})";

std::string plan_with(const std::string& more) {
  return fmt::format("{}{},\n{}}}", kHead, kPlacement, more);
}

TEST(PlanFile, ReadsPlacementPriorityAndFusion) {
  std::vector<std::string> warnings;
  const PlanFile file =
      parse(plan_with(R"("priority": {"mm": 3, "x": -0.5}, "fused": [["relu"], ["bias", "mm"]])"),
            &warnings);
  EXPECT_TRUE(warnings.empty());
  EXPECT_EQ(file.plan.placement,
            (std::vector<DeviceId>{DeviceId(1), DeviceId(2), DeviceId(2), DeviceId(0)}));
  EXPECT_EQ(file.plan.priority, (std::vector<double>{-0.5, 3, 0, 0}));
  // In normal form, whatever the order in the file.
  EXPECT_EQ(file.plan.fused, (std::vector<std::vector<OpId>>{{OpId(1), OpId(2)}, {OpId(3)}}));
}

TEST(PlanFile, LeftOutIsEmpty) {
  const PlanFile file = parse(fmt::format("{}{}}}", kHead, kPlacement));
  EXPECT_TRUE(file.plan.priority.empty());
  EXPECT_TRUE(file.plan.fused.empty());
  EXPECT_FALSE(file.record.seed);
  EXPECT_FALSE(file.record.step_seconds);
  EXPECT_TRUE(file.record.peak_bytes.empty());
  EXPECT_EQ(parse(plan_with(R"("priority": {})")).plan.priority, std::vector<double>(4, 0));
}

PlanRecord full_record() {
  PlanRecord record;
  record.model = "zoo:tiny";
  record.model_sha256 = "abc";
  record.precision = "tf32";
  record.cluster = "4xK40";
  record.cluster_sha256 = "def";
  record.method = "anneal(restarts=4)";
  record.seed = 18446744073709551615u;
  record.budget = "5000evals";
  record.step_seconds = 0.1;
  record.lower_bound_seconds = 1.0 / 3;
  record.feasible = false;
  record.peak_bytes = {0, 9223372036854775807, 2, 3};
  record.berth_version = "0.1.0";
  return record;
}

void expect_same_record(const PlanRecord& a, const PlanRecord& b) {
  EXPECT_EQ(a.model, b.model);
  EXPECT_EQ(a.model_sha256, b.model_sha256);
  EXPECT_EQ(a.precision, b.precision);
  EXPECT_EQ(a.cluster, b.cluster);
  EXPECT_EQ(a.cluster_sha256, b.cluster_sha256);
  EXPECT_EQ(a.method, b.method);
  EXPECT_EQ(a.seed, b.seed);
  EXPECT_EQ(a.budget, b.budget);
  EXPECT_EQ(a.step_seconds, b.step_seconds);
  EXPECT_EQ(a.lower_bound_seconds, b.lower_bound_seconds);
  EXPECT_EQ(a.feasible, b.feasible);
  EXPECT_EQ(a.peak_bytes, b.peak_bytes);
  EXPECT_EQ(a.berth_version, b.berth_version);
}

void expect_round_trip(const Plan& plan, const PlanRecord& record) {
  const std::string text = plan_to_json(plan, record, small_graph(), small_cluster());
  std::vector<std::string> warnings;
  const PlanFile file = parse(text, &warnings);
  EXPECT_TRUE(warnings.empty());
  EXPECT_EQ(file.plan, plan);
  expect_same_record(file.record, record);
  EXPECT_EQ(plan_to_json(file.plan, file.record, small_graph(), small_cluster()), text);
}

TEST(PlanFile, RoundTrips) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    Plan plan;
    for (int i = 0; i < 4; ++i) plan.placement.emplace_back(random.below(4));
    if (random.chance(0.5)) {
      for (int i = 0; i < 4; ++i) {
        plan.priority.push_back(random.chance(0.5) ? 0 : random.uniform() * 1e3 - 500);
      }
    }
    if (random.chance(0.5)) plan.fused = {{OpId(0), OpId(3)}, {OpId(1), OpId(2)}};
    PlanRecord record = full_record();
    if (random.chance(0.5)) record = {};
    if (random.chance(0.5)) record.seed = random.next();
    expect_round_trip(plan, record);
  }
}

TEST(PlanFile, IsWrittenForPeople) {
  Plan plan = parse(plan_with(R"("priority": {"mm": 3}, "fused": [["mm", "bias"]])")).plan;
  PlanRecord record = full_record();
  record.seed = 7;
  EXPECT_EQ(plan_to_json(plan, record, small_graph(), small_cluster()), R"json({
  "format": "berth.plan",
  "version": 1,
  "model": {
    "name": "zoo:tiny",
    "sha256": "abc"
  },
  "precision": "tf32",
  "cluster": {
    "name": "4xK40",
    "sha256": "def"
  },
  "method": "anneal(restarts=4)",
  "seed": 7,
  "budget": "5000evals",
  "predicted": {
    "step_seconds": 0.1,
    "lower_bound_seconds": 0.3333333333333333,
    "feasible": false,
    "peak_bytes": {
      "cpu:0": 0,
      "gpu:0": 9223372036854775807,
      "gpu:1": 2,
      "gpu:2": 3
    }
  },
  "berth_version": "0.1.0",
  "placement": {
    "x": "gpu:0",
    "mm": "gpu:1",
    "bias": "gpu:1",
    "relu": "cpu:0"
  },
  "priority": {
    "mm": 3
  },
  "fused": [
    ["mm", "bias"]
  ]
}
)json");
}

TEST(PlanFile, UnknownKeysAreTold) {
  std::vector<std::string> warnings;
  EXPECT_EQ(thrown([] { parse(plan_with(R"("prioritys": {})")); }),
            "p:2:1: the key \"prioritys\" of a plan is unknown; did you mean \"priority\"?");
  parse(plan_with(R"("by": "hand", "predicted": {"step": 1}, "model": {"hash": 1})"), &warnings);
  EXPECT_EQ(warnings,
            (std::vector<std::string>{
                "p:2:1: the key \"by\" of a plan is unknown and ignored",
                "p:2:51: the key \"hash\" of \"model\" is unknown and ignored",
                "p:2:29: the key \"step\" of \"predicted\" is unknown and ignored; did you mean "
                "\"step_seconds\"?"}));
}

struct Case {
  std::string text;
  std::string message;
};

void expect_messages(const std::vector<Case>& cases) {
  for (const Case& wrong : cases) {
    EXPECT_EQ(thrown([&] { parse(wrong.text); }), wrong.message) << wrong.text;
  }
}

std::string placing(const std::string& placement) {
  return std::string(kHead) + "\"placement\":\n" + placement + "}";
}

TEST(PlanFile, WrongPlacements) {
  expect_messages({
      {R"({"format": "berth.graph", "version": 1})",
       "p:1:12: \"format\" is \"berth.graph\"; a plan file has \"format\": \"berth.plan\""},
      {std::string(kHead) + "\"fused\": []}",
       "p:1:1: the key \"placement\" is missing; a plan must have it"},
      {placing("[]"), "p:2:1: expected an object but found an array"},
      {placing("{}"),
       "p:2:1: \"placement\" lacks 4 of the model's 4 ops: \"x\", \"mm\", \"bias\" and \"relu\"; "
       "every op must be placed"},
      {placing(R"({"x": "gpu:0", "bias": "gpu:0", "relu": "gpu:0"})"),
       "p:2:1: \"placement\" lacks 1 of the model's 4 ops: \"mm\"; every op must be placed"},
      {placing(R"({"reul": "gpu:0"})"),
       "p:2:2: the model has no op \"reul\"; did you mean \"relu\"?"},
      {placing(R"({"x": "gpu:0", "x": "gpu:0"})"),
       "p:2:16: op \"x\" is placed twice; place it once"},
      {placing(R"({"x": "gpu:9"})"),
       "p:2:7: the cluster has no device \"gpu:9\"; its devices are cpu:0, gpu:0, gpu:1 and gpu:2; "
       "did you mean \"gpu:0\"?"},
      {placing(R"({"x": 0})"), "p:2:7: expected a string but found the number 0"},
      {std::string(kHead) + std::string(kPlacement),
       "p:1:116: the text ends inside the object that was opened at line 1, column 1"},
  });
}

TEST(PlanFile, WrongPrioritiesAndGroups) {
  expect_messages({
      {plan_with(R"("priority": {"y": 1})"), "p:2:14: the model has no op \"y\""},
      {plan_with(R"("priority": {"x": 1, "x": 1})"),
       "p:2:22: op \"x\" has two priorities; give it one"},
      {plan_with(R"("priority": {"x": 1e999})"),
       "p:2:19: the number 1e999 is too large: it must be finite as a double"},
      {plan_with(R"("priority": {"x": "1"})"),
       "p:2:19: expected a number but found the string \"1\""},
      {plan_with(R"("fused": ["x"])"), "p:2:11: expected an array but found the string \"x\""},
      {plan_with(R"("fused": [[]])"), "p:2:11: a fused group is empty; it needs at least one op"},
      {plan_with(R"("fused": [["x", "y"]])"), "p:2:17: the model has no op \"y\""},
      {plan_with(R"("fused": [["x", "mm"], ["relu", "mm"]])"),
       "p:2:33: op \"mm\" is fused twice; it can be in one group, once"},
      {plan_with(R"("fused": [], "fused": [])"),
       "p:2:14: the key \"fused\" of a plan is given twice; give it once"},
  });
}

TEST(PlanFile, WrongRecords) {
  expect_messages({
      {plan_with(R"("seed": -1)"),
       "p:2:9: \"seed\" must be a whole number from 0 to 9223372036854775807 but is -1"},
      {plan_with(R"("seed": "18446744073709551616")"),
       "p:2:9: \"seed\" must be a whole number of 64 bits but is \"18446744073709551616\""},
      {plan_with(R"("seed": "1x")"),
       "p:2:9: \"seed\" must be a whole number of 64 bits but is \"1x\""},
      {plan_with(R"("model": "tiny")"), "p:2:10: expected an object but found the string \"tiny\""},
      {plan_with(R"("model": {"name": "a", "name": "b"})"),
       "p:2:24: the key \"name\" of \"model\" is given twice; give it once"},
      {plan_with(R"("predicted": {"step_seconds": -1})"),
       "p:2:31: \"step_seconds\" must not be negative but is -1"},
      {plan_with(R"("predicted": {"feasible": 1})"),
       "p:2:27: expected true or false but found the number 1"},
      {plan_with(R"("predicted": {"peak_bytes": {"gpu": 1}})"),
       "p:2:30: the cluster has no device \"gpu\"; its devices are cpu:0, gpu:0, gpu:1 and gpu:2"},
      {plan_with(R"("predicted": {"peak_bytes": {"gpu:0": 1, "gpu:0": 1}})"),
       "p:2:42: device \"gpu:0\" has two peaks; give it one"},
      {plan_with(R"("predicted": {"peak_bytes": {"gpu:0": -1}})"),
       "p:2:39: a size in \"peak_bytes\" must not be negative but is -1"},
  });
}

}  // namespace
}  // namespace berth
