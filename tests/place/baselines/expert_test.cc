#include "place/baselines/expert.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "place/method_runs.h"
#include "place/tiny_problems.h"

namespace berth::place {
namespace {

using namespace fixtures;

TEST(Expert, JudgesThePlanAsItIs) {
  const Problem& problem = tiny_problem("spills to cpu");
  const Plan on_gpu{std::vector<DeviceId>(problem.op_count(), DeviceId(1))};
  Request request;
  request.expert = &on_gpu;
  const Placed placed = parse_method("expert").place(problem, request);
  EXPECT_EQ(placed.plan, on_gpu);
  EXPECT_EQ(placed.evaluations, 1);
  EXPECT_FALSE(placed.outcome.feasible);
  EXPECT_NE(placed.remark.find("does not fit"), std::string::npos) << placed.remark;
}

TEST(Expert, DoesNotApplyWithoutAPlan) {
  const Problem& problem = tiny_problem("chain");
  const Placed placed = parse_method("expert").try_place(problem, {});
  EXPECT_FALSE(placed.applies());
  EXPECT_NE(placed.not_applicable.find("has no expert plan"), std::string::npos);
  try {
    parse_method("expert").place(problem, {});
    FAIL() << "nothing was thrown";
  } catch (const InputError& error) {
    EXPECT_EQ(error.code(), ErrorCode::does_not_apply);
    EXPECT_EQ(error.subject(), "expert");
    EXPECT_EQ(error.what(), placed.not_applicable);
  }
}

TEST(Expert, SaysWhatToUseWhereThereIsNoPlan) {
  const std::string error = input_error_of([] { run_method("expert", tiny_problem("chain")); });
  EXPECT_EQ(error,
            "\"chain\" has no expert plan for cluster \"tiny\"; use balanced_layers, contiguous or "
            "etf instead, or a workload with one (`berth zoo NAME` says so)");
}

TEST(Expert, RefusesAPlanThatBreaksThePins) {
  const Problem& problem = tiny_problem("pins");
  const Plan wrong{std::vector<DeviceId>(problem.op_count(), DeviceId(0))};
  Request request;
  request.expert = &wrong;
  const Placed placed = parse_method("expert").try_place(problem, request);
  EXPECT_EQ(placed.not_applicable.find("the expert's plan: "), 0u) << placed.not_applicable;
  EXPECT_NE(input_error_of([&] { parse_method("expert").place(problem, request); }), "nothing");
}

}  // namespace
}  // namespace berth::place
