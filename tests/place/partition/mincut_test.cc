#include "place/partition/mincut.h"

#include <gtest/gtest.h>

#include "place/method_runs.h"
#include "place/tiny_problems.h"

namespace berth::place {
namespace {

using namespace fixtures;

TEST(MinCut, CutsAChainOnce) {
  const Problem& problem = tiny_problem("chain");
  const Placed placed = run_method("mincut", problem);
  EXPECT_EQ(placed.outcome.transfers, 1);
  EXPECT_NE(placed.plan.placement.front(), placed.plan.placement.back());
}

TEST(MinCut, CutsWhereTheBytesAreFew) {
  std::vector<TinyOp> ops;
  for (int i = 0; i < 10; ++i) {
    TinyOp op{.name = "op" + std::to_string(i), .output_bytes = i == 5 ? 10 : 1000};
    if (i > 0) op.inputs = {"op" + std::to_string(i - 1)};
    ops.push_back(op);
  }
  const Problem problem(tiny_graph("thin", ops), tiny_cluster());
  EXPECT_EQ(run_method("mincut", problem).outcome.transferred_bytes, 10);
}

TEST(MinCut, TradesBalanceForTheCut) {
  const Problem problem(layered_graph(1000, 8), tiny_cluster({.gpus = 4}));
  const auto sent = [&](const char* method) {
    return run_method(method, problem).outcome.transferred_bytes;
  };
  EXPECT_LE(sent("mincut:imbalance=0.8"), sent("mincut:imbalance=0.02"));
  // No worse than METIS with as much freedom, on graphs as narrow as these.
  EXPECT_LE(double(sent("mincut:imbalance=0.03")), 1.2 * double(sent("metis")));
}

TEST(MinCut, SendsGpuOnlyOpsNowhereElse) {
  const Problem& problem = tiny_problem("restricted ops");
  const Placed placed = run_method("mincut", problem);
  EXPECT_EQ(problem.cluster().device(placed.plan.placement[0]).kind, "cpu");
  EXPECT_EQ(problem.cluster().device(placed.plan.placement[3]).kind, "gpu");
}

}  // namespace
}  // namespace berth::place
