#include "report/lint.h"

#include <gtest/gtest.h>

#include "report/analysis.h"
#include "report/costed_graph.h"
#include "report/graph_facts.h"
#include "report/link_usage.h"
#include "support/small_case.h"

namespace berth::report {
namespace {

bool mentions(const std::vector<std::string>& sentences, const std::string& part) {
  for (const std::string& sentence : sentences) {
    if (sentence.find(part) != std::string::npos) return true;
  }
  return false;
}

TEST(Lint, FindsTheMoveThatHelps) {
  const Problem problem = small_problem();
  Plan plan = small_plan();
  // d beside b saves the second transfer: 9 instead of 12 seconds.
  const Analysis analysis = analyse(problem, plan, bounds::lower_bounds(problem));
  const LintFindings findings = lint_plan(analysis, {});
  EXPECT_TRUE(mentions(findings.advice, "Moving d to gpu:1 alone would shorten the step by 25%"));
  EXPECT_TRUE(findings.errors.empty());
}

TEST(Lint, NamesDevicesOverMemoryAndBetterPlans) {
  const Problem problem = small_problem("1200B");
  const Plan plan = small_plan();
  const Analysis analysis = analyse(problem, plan, bounds::lower_bounds(problem));
  Outcome fits = analysis.outcome();
  fits.feasible = true;
  const LintFindings findings = lint_plan(analysis, {{"best single device", fits}});
  EXPECT_TRUE(mentions(findings.warnings, "gpu:0 is over memory"));
  EXPECT_TRUE(mentions(findings.warnings, "but the best single device does"));
}

// A chain: gpu:1 has next to nothing to do, and nothing that it could take would help.
TEST(Lint, DoesNotAdviseWhatBringsNothing) {
  const Problem problem(parse_graph(R"({"format": "berth.graph", "version": 1, "name": "g", "ops": [
      {"name": "a", "type": "MatMul", "outputs": [{"bytes": 100}], "seconds": {"gpu": 2}},
      {"name": "b", "type": "MatMul", "inputs": ["a"], "outputs": [{"bytes": 100}], "seconds": {"gpu": 3}},
      {"name": "c", "type": "MatMul", "inputs": ["b"], "outputs": [{"bytes": 100}], "seconds": {"gpu": 3}},
      {"name": "d", "type": "Relu", "inputs": ["a"], "outputs": [{"bytes": 1}], "seconds": {"gpu": 0.5}}]})",
                                    "graph"),
                        small_problem().cluster());
  const DeviceId first(0), second(1);
  for (const Plan& plan :
       {Plan{{first, first, first, second}}, Plan{{first, first, first, first}}}) {
    const Analysis analysis = analyse(problem, plan, bounds::lower_bounds(problem));
    for (const std::string& advice : lint_plan(analysis, {}).advice) {
      EXPECT_NE(advice.find("would shorten the step by"), std::string::npos) << advice;
      EXPECT_EQ(advice.find("shorten the step by 0."), std::string::npos) << advice;
    }
  }
  const Plan best{{first, first, first, second}};
  EXPECT_TRUE(lint_plan(analyse(problem, best, bounds::lower_bounds(problem)), {}).advice.empty());
  EXPECT_TRUE(lint_plan(analyse(problem, best, bounds::Bounds{}), {}).advice.empty());  // by trying
}

// With b first, c runs beside a: 7 instead of 10 or so.
TEST(Lint, SaysWhatPrioritiesWouldBring) {
  const Problem problem(parse_graph(R"({"format": "berth.graph", "version": 1, "name": "g", "ops": [
      {"name": "a", "type": "MatMul", "outputs": [{"bytes": 1}], "seconds": {"gpu": 3}},
      {"name": "b", "type": "MatMul", "outputs": [{"bytes": 1}], "seconds": {"gpu": 1}},
      {"name": "c", "type": "MatMul", "inputs": ["b"], "outputs": [{"bytes": 1}], "seconds": {"gpu": 5}}]})",
                                    "graph"),
                        small_problem().cluster());
  Plan plan{{DeviceId(0), DeviceId(0), DeviceId(1)}};
  const auto says = [&] {
    for (const std::string& advice :
         lint_plan(analyse(problem, plan, bounds::Bounds{}), {}, {.order_command = "order"})
             .advice) {
      if (!advice.starts_with("Priorities would shorten the step by")) continue;
      EXPECT_TRUE(advice.ends_with(": order decides them.")) << advice;
      return true;
    }
    return false;
  };
  EXPECT_TRUE(says());
  plan.priority = {0, 1, 0};
  EXPECT_FALSE(says());
}

// b and d take 5 s on gpu:1 and their tensors 2 s there, while c and e go on: 9 instead of 12.
TEST(Lint, OffersWorkToADeviceThatHasNone) {
  const Problem problem = small_problem();
  const Plan plan{.placement = std::vector<DeviceId>(5, DeviceId(0))};
  const Analysis analysis = analyse(problem, plan, bounds::lower_bounds(problem));
  const LintFindings findings = lint_plan(analysis, {});
  EXPECT_TRUE(
      mentions(findings.advice, "gpu:0 computes 100% of the step and gpu:1 0%: moving 2 ops"));
  EXPECT_TRUE(mentions(findings.advice, "would shorten the step by 25%, to 9.00 s."));
}

TEST(Lint, TriesTheReadersBesideTheProducer) {
  const Problem problem = small_problem();
  // d takes 2 s, and b:0 travels 3 s to it.
  const Plan helps = small_plan();
  EXPECT_TRUE(mentions(
      lint_plan(analyse(problem, helps, bounds::lower_bounds(problem)), {}).advice,
      "1 transfer (3.00 s on the links) is read only by ops that would take less time on the "
      "device of the producer: moving them there would shorten the step by 25%, to 9.00 s. The "
      "longest transfer is b:0 from gpu:1 to gpu:0."));
  // c takes 1 s, and a:0 travels 2 s to it; but beside a it would wait for b.
  const Plan hinders{{DeviceId(0), DeviceId(0), DeviceId(1), DeviceId(0), DeviceId(0)}};
  EXPECT_FALSE(
      mentions(lint_plan(analyse(problem, hinders, bounds::lower_bounds(problem)), {}).advice,
               "on the links"));
}

TEST(Lint, NoticesIdlePriorities) {
  const Problem problem = small_problem();
  const Plan plan{.placement = std::vector<DeviceId>(5, DeviceId(0)),
                  .priority = std::vector<double>(5, 7)};
  const Analysis analysis = analyse(problem, plan, bounds::lower_bounds(problem));
  const LintFindings findings = lint_plan(analysis, {});
  EXPECT_TRUE(mentions(findings.advice, "priorities change nothing"));
}

TEST(LinkUsage, CountsEveryChannelOfARoute) {
  const Problem problem = small_problem();
  const Plan plan = small_plan();
  const Analysis analysis = analyse(problem, plan, bounds::Bounds{});
  ASSERT_EQ(analysis.channels.size(), 2u);
  EXPECT_EQ(analysis.channels[0].busy_seconds, 2);
  EXPECT_EQ(analysis.channels[1].busy_seconds, 3);
  EXPECT_EQ(analysis.channels[1].bytes, 200);
  EXPECT_EQ(channel_name(problem.cluster(), analysis.channels[0].channel), "gpu:0 -> gpu:1");
  EXPECT_EQ(busiest_channel(analysis.channels)->channel, 1u);
}

TEST(GraphFacts, CountWhatIsThere) {
  const Problem problem = small_problem();
  const GraphFacts facts = graph_facts(problem.graph());
  EXPECT_EQ(facts.ops, 5u);
  EXPECT_EQ(facts.depth, 3u);
  EXPECT_EQ(facts.param_bytes, 1000);
  EXPECT_EQ(facts.tensor_bytes, 500);
  EXPECT_EQ(problem.graph().tensor_name(facts.largest_tensors.front()), "b:0");
  const std::vector<DeviceFacts> devices = device_facts(problem);
  ASSERT_EQ(devices.size(), 1u) << "the two devices are alike";
  EXPECT_EQ(devices[0].total_seconds, 12);
  EXPECT_TRUE(devices[0].outcome.feasible);
}

TEST(CostedGraph, KeepsEveryCostAndEverythingElse) {
  const Problem problem = small_problem();
  const Graph costed = costed_graph(problem);
  EXPECT_EQ(graph_to_json(costed), graph_to_json(problem.graph()));
}

}  // namespace
}  // namespace berth::report
