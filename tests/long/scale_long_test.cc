// A million ops through the methods that promise to scale, on eight devices.
#include <gtest/gtest.h>

#include "cluster/presets.h"
#include "frontends/model.h"
#include "place/placer.h"
#include "sim/simulator.h"

namespace berth {
namespace {

class Scale : public testing::TestWithParam<const char*> {};

TEST_P(Scale, AMillionOpsOnEightDevices) {
  static const Problem problem(load_model("zoo:layered:ops=1000000").graph, make_preset("8xA100"));
  place::Request request;
  request.budget.evaluations = 20;
  const place::Placed placed = place::parse_method(GetParam()).place(problem, request);
  EXPECT_TRUE(violations(problem, placed.plan).empty());
  Simulator simulator(problem);
  EXPECT_EQ(simulator.evaluate(placed.plan), placed.outcome);
  EXPECT_GE(placed.outcome.step_seconds, bounds::lower_bounds(problem).best.seconds);
}

INSTANTIATE_TEST_SUITE_P(Methods, Scale,
                         testing::Values("single", "round_robin", "topo", "balanced_layers", "etf",
                                         "heft", "metis"));

}  // namespace
}  // namespace berth
