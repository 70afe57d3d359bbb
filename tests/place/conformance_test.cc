// What every placer must do, whatever its idea, on every tiny problem.
#include <gtest/gtest.h>

#include <cctype>
#include <ostream>
#include <thread>

#include "base/random.h"
#include "place/judge.h"
#include "place/placer.h"
#include "place/tiny_problems.h"
#include "plan/plan_file.h"
#include "sim/simulator.h"
#include "support/random_problem.h"

namespace berth {
namespace {

using fixtures::tiny_problems;
using fixtures::TinyProblem;

constexpr double kEvaluations = 60;

struct Case {
  const Placer* placer;
  const TinyProblem* tiny;
};

void PrintTo(const Case& one, std::ostream* out) {
  *out << one.placer->name << " on " << one.tiny->name;
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const Placer& placer : placers()) {
    if (placer.learned) continue;  // the tests of the learned part have them
    for (const TinyProblem& tiny : tiny_problems()) cases.push_back({&placer, &tiny});
  }
  return cases;
}

std::string case_name(const ::testing::TestParamInfo<Case>& info) {
  std::string name = info.param.placer->name + "_" + info.param.tiny->name;
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
}

class Conformance : public ::testing::TestWithParam<Case> {
 protected:
  Conformance() : problem_(*GetParam().tiny->problem) {
    Request plain;
    expert_ = parse_method("single").place(problem_, plain).plan;
  }

  Request request(std::uint64_t seed = 1) const {
    Request request;
    request.budget.evaluations = kEvaluations;
    request.seed = seed;
    request.expert = &expert_;
    return request;
  }

  Placed place(const Request& request) const {
    return parse_method(GetParam().placer->name).place(problem_, request);
  }

  const Problem& problem_;
  Plan expert_;
};

TEST_P(Conformance, PlanIsCompleteAndValid) {
  const Placed placed = place(request());
  ASSERT_EQ(placed.plan.placement.size(), problem_.op_count());
  for (const DeviceId device : placed.plan.placement) {
    ASSERT_LT(device.index(), problem_.device_count());
  }
  EXPECT_EQ(violations(problem_, placed.plan), std::vector<std::string>());
  EXPECT_TRUE(placed.outcome.routable);
}

TEST_P(Conformance, HonoursPinsAndColocation) {
  const Placed placed = place(request());
  for (std::size_t index = 0; index < problem_.op_count(); ++index) {
    const OpId op(index);
    const DeviceId device = placed.plan.placement[index];
    EXPECT_TRUE(problem_.allowed(op, device)) << problem_.graph().op_name(op);
    const OpId first = problem_.members(problem_.group(op)).front();
    EXPECT_EQ(device, placed.plan.placement[first.index()]) << problem_.graph().op_name(op);
  }
}

TEST_P(Conformance, OutcomeIsWhatTheSimulatorSays) {
  const Placed placed = place(request());
  Simulator simulator(problem_);
  EXPECT_EQ(placed.outcome, simulator.evaluate(placed.plan));
  EXPECT_GE(placed.evaluations, 1);
  EXPECT_FALSE(placed.interrupted);
}

TEST_P(Conformance, FitsOrSaysThatItDoesNot) {
  const Placed placed = place(request());
  if (placed.outcome.feasible) {
    EXPECT_TRUE(GetParam().tiny->has_feasible_plan);
    EXPECT_EQ(placed.outcome.over_bytes, 0);
    return;
  }
  EXPECT_NE(placed.remark, "");
  if (placed.outcome.routable) {
    EXPECT_GT(placed.outcome.over_bytes, 0);
  }
}

TEST_P(Conformance, NeverWorseThanItsStart) {
  Simulator simulator(problem_);
  for (const char* method : {"etf", "round_robin", "random(tries=1)"}) {
    const Plan start = parse_method(method).place(problem_, request(9)).plan;
    Request from_start = request();
    from_start.start = &start;
    const Placed placed = place(from_start);
    EXPECT_FALSE(better(simulator.evaluate(start), placed.outcome)) << method;
  }
}

TEST_P(Conformance, SameSeedAndBudgetGiveTheSamePlan) {
  const Placed first = place(request());
  // Other work in between, so that state left behind by a library would show.
  place(request(2));
  const Placed again = place(request());
  EXPECT_EQ(first.plan, again.plan);
  EXPECT_EQ(first.evaluations, again.evaluations);
  EXPECT_EQ(first.remark, again.remark);
  Placed elsewhere;
  std::thread([&] { elsewhere = place(request()); }).join();
  EXPECT_EQ(first.plan, elsewhere.plan);
}

TEST_P(Conformance, StopsAtItsBudget) {
  Request one = request();
  one.budget.evaluations = 1;
  const Placed placed = place(one);
  EXPECT_EQ(placed.plan.placement.size(), problem_.op_count());
  EXPECT_LE(placed.evaluations, 2);
}

TEST_P(Conformance, PlanSurvivesSavingAndLoading) {
  const Placed placed = place(request());
  const std::string text = plan_to_json(placed.plan, {}, problem_.graph(), problem_.cluster());
  const PlanFile loaded = parse_plan(text, "saved.json", problem_.graph(), problem_.cluster());
  EXPECT_EQ(loaded.plan, placed.plan);
}

INSTANTIATE_TEST_SUITE_P(Placers, Conformance, ::testing::ValuesIn(all_cases()), case_name);

// The same promises in short, on problems nobody thought of.
class ConformanceAtRandom : public ::testing::TestWithParam<std::string> {};

TEST_P(ConformanceAtRandom, PlansAreValidRepeatableAndAsSimulated) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    RandomProblemOptions shape;
    shape.colocation = seed % 2 == 0;
    shape.max_ops = 5 + static_cast<std::int64_t>(seed) % 80;
    shape.max_devices = 1 + static_cast<std::int64_t>(seed) % 9;
    Graph graph = random_graph(random, shape, seed % 3 == 0);
    const Problem problem(std::move(graph), random_cluster(random, shape, seed % 3 == 0));
    const Plan expert = parse_method("single").place(problem, {}).plan;
    Request request;
    request.seed = seed;
    request.budget.evaluations = kEvaluations;
    request.expert = &expert;
    const Placed placed = parse_method(GetParam()).place(problem, request);
    EXPECT_EQ(violations(problem, placed.plan), std::vector<std::string>());
    EXPECT_EQ(placed.outcome, Simulator(problem).evaluate(placed.plan));
    EXPECT_EQ(placed.outcome.feasible && placed.outcome.routable, placed.outcome.over_bytes == 0);
    EXPECT_EQ(placed.plan, parse_method(GetParam()).place(problem, request).plan);
  }
}

std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const Placer& placer : placers()) {
    if (!placer.learned) names.push_back(placer.name);
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(Placers, ConformanceAtRandom, ::testing::ValuesIn(all_names()),
                         [](const auto& name) { return name.param; });

}  // namespace
}  // namespace berth
