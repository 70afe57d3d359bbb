#include "place/list/heft.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>

#include "place/list/upward_rank.h"
#include "place/method_runs.h"
#include "place/run_placer.h"
#include "place/tiny_problems.h"

namespace berth::place {
namespace {

using namespace fixtures;

// The example of the paper: ten tasks on three processors, every edge with its own tensor.
Problem paper_example() {
  constexpr std::array<std::array<double, 3>, 10> kSeconds = {{{14, 16, 9},
                                                               {13, 19, 18},
                                                               {11, 13, 19},
                                                               {13, 8, 17},
                                                               {12, 13, 10},
                                                               {13, 16, 9},
                                                               {7, 15, 11},
                                                               {5, 11, 14},
                                                               {18, 12, 20},
                                                               {21, 7, 16}}};
  struct Edge {
    std::size_t from, to;
    std::int64_t bytes;
  };
  const std::vector<Edge> edges = {{1, 2, 18}, {1, 3, 12}, {1, 4, 9},   {1, 5, 11},  {1, 6, 14},
                                   {2, 8, 19}, {2, 9, 16}, {3, 7, 23},  {4, 8, 27},  {4, 9, 23},
                                   {5, 9, 13}, {6, 8, 15}, {7, 10, 17}, {8, 10, 11}, {9, 10, 13}};
  GraphBuilder builder("paper");
  std::vector<std::vector<std::pair<std::size_t, TensorRef>>> outputs(11);
  for (std::size_t task = 1; task <= 10; ++task) {
    const OpId op = builder.add_op(fmt::format("n{}", task), "Op");
    for (std::size_t device = 0; device < 3; ++device) {
      builder.add_seconds(op, fmt::format("p{}", device), kSeconds[task - 1][device]);
    }
    for (std::size_t from = 1; from < task; ++from) {
      for (const auto& [to, tensor] : outputs[from]) {
        if (to == task) builder.add_input(op, tensor);
      }
    }
    for (const Edge& edge : edges) {
      if (edge.from != task) continue;
      outputs[task].emplace_back(edge.to, builder.add_output(op, {.bytes = edge.bytes}));
    }
  }
  std::vector<Device> devices(3);
  std::vector<Link> links;
  for (std::uint32_t i = 0; i < 3; ++i) {
    devices[i].name = fmt::format("p{}", i);
    devices[i].kind = "processor";
    for (std::uint32_t j = 0; j < i; ++j) links.push_back({.from = j, .to = i, .bandwidth = 1});
  }
  return Problem(std::move(builder).build(), Cluster("mesh", devices, {}, links));
}

TEST(UpwardRank, IsThatOfThePaper) {
  const UpwardRanks ranks = upward_ranks(paper_example());
  const std::vector<double> published = {108,    77,     80,     80,     69,
                                         63.333, 42.667, 35.667, 44.333, 14.667};
  for (std::size_t op = 0; op < published.size(); ++op) {
    EXPECT_NEAR(ranks.seconds[op], published[op], 5e-4) << op;
  }
}

TEST(Heft, PlacesAsThePaperDoes) {
  const Problem problem = paper_example();
  const Placer heft = heft_placer();
  const Options ideal("heft", heft.options, {"heft", {{"links", "ideal"}}});
  const Placed placed = heft.place(problem, {}, ideal);
  EXPECT_EQ(devices_of(problem, placed.plan), "p2 p0 p2 p1 p2 p1 p2 p0 p1 p1");
}

// The paper's schedule takes 80 where a link carries any number of tensors at once; ours carries
// one after the other.
TEST(Heft, ComesCloseToThePaperOnSharedLinks) {
  const Problem problem = paper_example();
  EXPECT_LE(run_placer(heft_placer(), problem, with_schedule()).outcome.step_seconds, 91);
}

TEST(Heft, SpreadsIndependentOpsEvenly) {
  std::vector<TinyOp> ops;
  for (int i = 0; i < 12; ++i) ops.push_back({.name = fmt::format("op{}", i)});
  const Problem problem(tiny_graph("parallel", ops), tiny_cluster({.gpus = 4}));
  EXPECT_DOUBLE_EQ(run_placer(heft_placer(), problem).outcome.step_seconds, 3e-3);
}

// A long chain and short ops beside it: the chain must not wait.
TEST(Heft, LongestChainFirst) {
  std::vector<TinyOp> ops;
  for (int i = 0; i < 4; ++i) {
    ops.push_back({.name = fmt::format("short{}", i), .output_bytes = 0});
  }
  for (int i = 0; i < 4; ++i) {
    TinyOp op{.name = fmt::format("chain{}", i), .gpu_seconds = 1.1e-3, .output_bytes = 0};
    if (i > 0) op.inputs = {fmt::format("chain{}", i - 1)};
    ops.push_back(op);
  }
  const Problem problem(tiny_graph("chain and others", ops), tiny_cluster({.cpu_bytes = 0}));
  const Placed placed = run_placer(heft_placer(), problem);
  EXPECT_EQ(devices_of(problem, placed.plan), "gpu:1 gpu:1 gpu:1 gpu:1 gpu:0 gpu:0 gpu:0 gpu:0");
  EXPECT_DOUBLE_EQ(placed.outcome.step_seconds, 4.4e-3);
}

TEST(Heft, FindsWhatFitsWhereTheEstimateIsExact) {
  for (const char* name : {"tight memory", "spills to cpu"}) {
    const Placed placed = run_placer(heft_placer(), tiny_problem(name));
    EXPECT_TRUE(placed.outcome.feasible) << name;
  }
}

TEST(Heft, RanksArePrioritiesWhenAsked) {
  const Problem problem(layered_graph(200, 3), tiny_cluster({.gpus = 3}));
  const Placed plain = run_placer(heft_placer(), problem);
  EXPECT_TRUE(plain.plan.priority.empty());
  const Placed scheduled = run_placer(heft_placer(), problem, with_schedule());
  EXPECT_LE(scheduled.outcome.step_seconds, plain.outcome.step_seconds);
  EXPECT_EQ(scheduled.evaluations, 4);
}

TEST(Heft, BeatsOneDeviceOnLayers) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Problem problem(layered_graph(300, seed), tiny_cluster({.gpus = 4}));
    EXPECT_LT(run_placer(heft_placer(), problem).outcome.step_seconds,
              0.6 * best_single_seconds(problem))
        << seed;
  }
}

}  // namespace
}  // namespace berth::place
