#include "place/partition/scotch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "place/method_runs.h"
#include "place/tiny_problems.h"

namespace berth::place {
namespace {

using namespace fixtures;

TEST(Scotch, BalancesWorkAndCutsLittle) {
  const Problem problem(layered_graph(2000, 7), tiny_cluster({.gpus = 4}));
  const Placed placed = run_method("scotch", problem);
  const std::vector<double> busy = busy_seconds(problem, placed.plan);
  EXPECT_EQ(busy[0], 0);  // the CPU
  const double mean = (busy[1] + busy[2] + busy[3] + busy[4]) / 4;
  for (std::size_t gpu = 1; gpu <= 4; ++gpu) EXPECT_NEAR(busy[gpu] / mean, 1, 0.06);
  const Placed dealt = run_method("round_robin", problem);
  EXPECT_LT(placed.outcome.transferred_bytes, dealt.outcome.transferred_bytes / 10);
}

TEST(Scotch, UsesTheCpuWhenAsked) {
  const Problem problem(layered_graph(2000, 7), tiny_cluster({.gpus = 2}));
  const std::vector<double> busy =
      busy_seconds(problem, run_method("scotch:devices=all", problem).plan);
  // A tenth as fast, so it should take as long as the others for a tenth of the work.
  EXPECT_NEAR(busy[0] / busy[1], 1, 0.2);
}

TEST(Scotch, PutsTalkativePartsOnFastLinks) {
  // Two pairs of GPUs, fast inside a pair and slow between; two chains of heavy traffic that each
  // are too much work for one GPU, joined by nothing. Each chain should get a pair.
  std::vector<Device> devices(4);
  for (std::size_t i = 0; i < 4; ++i) {
    devices[i].name = "gpu:" + std::to_string(i);
    devices[i].kind = "gpu";
  }
  // Neighbours in number are on different sides.
  const Cluster cluster("pairs", devices, {"left", "right"},
                        {{.from = 0, .to = 4, .bandwidth = 100e9},
                         {.from = 2, .to = 4, .bandwidth = 100e9},
                         {.from = 1, .to = 5, .bandwidth = 100e9},
                         {.from = 3, .to = 5, .bandwidth = 100e9},
                         {.from = 4, .to = 5, .bandwidth = 5e9}});
  std::vector<TinyOp> ops;
  for (const std::string chain : {"a", "b"}) {
    for (int i = 0; i < 40; ++i) {
      TinyOp op{.name = chain + std::to_string(i), .output_bytes = 1'000'000};
      if (i > 0) op.inputs.push_back(chain + std::to_string(i - 1));
      if (i > 1) op.inputs.push_back(chain + std::to_string(i - 2));
      ops.push_back(op);
    }
  }
  const Problem problem(tiny_graph("two chains", ops), cluster);
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Placed placed = run_method("scotch", problem, seed);
    std::set<std::size_t> sides_of_a;
    for (std::size_t op = 0; op < 40; ++op) {
      sides_of_a.insert(placed.plan.placement[op].index() % 2);
    }
    EXPECT_EQ(sides_of_a.size(), 1u) << devices_of(problem, placed.plan);
  }
}

TEST(Scotch, FixesWhatIsPinned) {
  Constraints pins;
  pins.pins = {{"op0", {"gpu:3"}}, {"op500", {"gpu:1"}}, {"op999", {"gpu:0"}}};
  const Problem problem(layered_graph(1000, 2), tiny_cluster({.gpus = 4}), pins);
  const Placed placed = run_method("scotch", problem);
  EXPECT_EQ(violations(problem, placed.plan), std::vector<std::string>());
  // Pins of single ops do not upset the balance.
  std::vector<double> busy = busy_seconds(problem, placed.plan);
  EXPECT_LT(*std::max_element(busy.begin(), busy.end()),
            1.1 * std::accumulate(busy.begin(), busy.end(), 0.0) / 4);
}

TEST(Scotch, AllStrategiesWork) {
  const Problem& problem = tiny_problem("layered");
  for (const char* strategy : {"default", "quality", "speed", "balance", "recursive"}) {
    const Placed placed = run_method(std::string("scotch:strategy=") + strategy, problem);
    EXPECT_EQ(placed.remark, "") << strategy;
  }
}

TEST(Scotch, SeedsMatterAndRepeat) {
  const Problem problem(layered_graph(500, 4), tiny_cluster({.gpus = 4}));
  std::set<std::string> plans;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const std::string plan = devices_of(problem, run_method("scotch", problem, seed).plan);
    EXPECT_EQ(plan, devices_of(problem, run_method("scotch", problem, seed).plan));
    plans.insert(plan);
  }
  EXPECT_GT(plans.size(), 1u);
}

}  // namespace
}  // namespace berth::place
