// What every placer must do, whatever its idea, on every tiny problem and on random ones.
//
// A test program includes this once and instantiates both suites with methods of its own: the tests
// of placers with all that do not learn, those of the learned part with those that do.
#pragma once

#include <gtest/gtest.h>

#include <cctype>
#include <ostream>
#include <thread>

#include "base/random.h"
#include "place/evaluator.h"
#include "place/placer.h"
#include "place/tiny_problems.h"
#include "plan/plan_file.h"
#include "sim/simulator.h"
#include "support/random_problem.h"

namespace berth::place::conformance {

using fixtures::tiny_problems;
using fixtures::TinyProblem;

struct Candidate {
  std::string method;
  double evaluations = 60;
  std::uint64_t random_problems = 100;

  std::string name() const { return place::parse_method(method).placer->name; }
};

inline void PrintTo(const Candidate& candidate, std::ostream* out) { *out << candidate.method; }

struct Case {
  Candidate candidate;
  const TinyProblem* tiny;
};

inline void PrintTo(const Case& one, std::ostream* out) {
  *out << one.candidate.method << " on " << one.tiny->name;
}

inline std::vector<Case> cases_of(const std::vector<Candidate>& candidates) {
  std::vector<Case> cases;
  for (const Candidate& candidate : candidates) {
    for (const TinyProblem& tiny : tiny_problems()) cases.push_back({candidate, &tiny});
  }
  return cases;
}

inline std::string case_name(const ::testing::TestParamInfo<Case>& info) {
  std::string name = info.param.candidate.name() + "_" + info.param.tiny->name;
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
}

class Conformance : public ::testing::TestWithParam<Case> {
 protected:
  Conformance() : problem_(*GetParam().tiny->problem) {
    place::Request plain;
    expert_ = place::parse_method("single").place(problem_, plain).plan;
  }

  place::Request request(std::uint64_t seed = 1) const {
    place::Request request;
    request.budget.evaluations = GetParam().candidate.evaluations;
    request.seed = seed;
    request.expert = &expert_;
    return request;
  }

  place::Placed place(const place::Request& request) const {
    return place::parse_method(GetParam().candidate.method).place(problem_, request);
  }

  const Problem& problem_;
  Plan expert_;
};

TEST_P(Conformance, PlanIsCompleteAndValid) {
  const place::Placed placed = place(request());
  ASSERT_EQ(placed.plan.placement.size(), problem_.op_count());
  for (const DeviceId device : placed.plan.placement) {
    ASSERT_LT(device.index(), problem_.device_count());
  }
  EXPECT_EQ(violations(problem_, placed.plan), std::vector<std::string>());
  EXPECT_TRUE(placed.outcome.routable);
}

TEST_P(Conformance, HonoursPinsAndColocation) {
  const place::Placed placed = place(request());
  for (std::size_t index = 0; index < problem_.op_count(); ++index) {
    const OpId op(index);
    const DeviceId device = placed.plan.placement[index];
    EXPECT_TRUE(problem_.allowed(op, device)) << problem_.graph().op_name(op);
    const OpId first = problem_.members(problem_.group(op)).front();
    EXPECT_EQ(device, placed.plan.placement[first.index()]) << problem_.graph().op_name(op);
  }
}

TEST_P(Conformance, OutcomeIsWhatTheSimulatorSays) {
  const place::Placed placed = place(request());
  Simulator simulator(problem_);
  EXPECT_EQ(placed.outcome, simulator.evaluate(placed.plan));
  EXPECT_GE(placed.evaluations, 1);
  EXPECT_FALSE(placed.interrupted);
}

TEST_P(Conformance, FitsOrSaysThatItDoesNot) {
  const place::Placed placed = place(request());
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
    const Plan start = place::parse_method(method).place(problem_, request(9)).plan;
    place::Request from_start = request();
    from_start.start = &start;
    const place::Placed placed = place(from_start);
    EXPECT_FALSE(place::better(simulator.evaluate(start), placed.outcome)) << method;
  }
}

TEST_P(Conformance, SameSeedAndBudgetGiveTheSamePlan) {
  const place::Placed first = place(request());
  // Other work in between, so that state left behind by a library would show.
  place(request(2));
  const place::Placed again = place(request());
  EXPECT_EQ(first.plan, again.plan);
  EXPECT_EQ(first.evaluations, again.evaluations);
  EXPECT_EQ(first.remark, again.remark);
  place::Placed elsewhere;
  std::thread([&] { elsewhere = place(request()); }).join();
  EXPECT_EQ(first.plan, elsewhere.plan);
}

// Not every problem has an expert's plan, for one.
TEST_P(Conformance, SaysInItsResultWhereItDoesNotApply) {
  place::Request without = request();
  without.expert = nullptr;
  const place::Placed placed =
      place::parse_method(GetParam().candidate.method).try_place(problem_, without);
  EXPECT_EQ(placed.plan.placement.size(), placed.applies() ? problem_.op_count() : 0);
  EXPECT_EQ(placed.evaluations > 0, placed.applies());
}

TEST_P(Conformance, StopsAtItsBudget) {
  place::Request one = request();
  one.budget.evaluations = 1;
  const place::Placed placed = place(one);
  EXPECT_EQ(placed.plan.placement.size(), problem_.op_count());
  EXPECT_LE(placed.evaluations, 2);
}

TEST_P(Conformance, PlanSurvivesSavingAndLoading) {
  const place::Placed placed = place(request());
  const std::string text = plan_to_json(placed.plan, {}, problem_.graph(), problem_.cluster());
  const PlanFile loaded = parse_plan(text, "saved.json", problem_.graph(), problem_.cluster());
  EXPECT_EQ(loaded.plan, placed.plan);
}

// The same promises in short, on problems nobody thought of.
class ConformanceAtRandom : public ::testing::TestWithParam<Candidate> {};

TEST_P(ConformanceAtRandom, PlansAreValidRepeatableAndAsSimulated) {
  for (std::uint64_t seed = 0; seed < GetParam().random_problems; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    RandomProblemOptions shape;
    shape.colocation = seed % 2 == 0;
    shape.max_ops = 5 + static_cast<std::int64_t>(seed) % 80;
    shape.max_devices = 1 + static_cast<std::int64_t>(seed) % 9;
    Graph graph = random_graph(random, shape, seed % 3 == 0);
    const Problem problem(std::move(graph), random_cluster(random, shape, seed % 3 == 0));
    const Plan expert = place::parse_method("single").place(problem, {}).plan;
    place::Request request;
    request.seed = seed;
    request.budget.evaluations = GetParam().evaluations;
    request.expert = &expert;
    const place::Placed placed = place::parse_method(GetParam().method).place(problem, request);
    EXPECT_EQ(violations(problem, placed.plan), std::vector<std::string>());
    EXPECT_EQ(placed.outcome, Simulator(problem).evaluate(placed.plan));
    EXPECT_EQ(placed.outcome.feasible && placed.outcome.routable, placed.outcome.over_bytes == 0);
    EXPECT_EQ(placed.plan, place::parse_method(GetParam().method).place(problem, request).plan);
  }
}

inline std::string candidate_name(const ::testing::TestParamInfo<Candidate>& info) {
  return info.param.name();
}

}  // namespace berth::place::conformance
