#include "place/partition/partition.h"

#include <gtest/gtest.h>

#include <numeric>
#include <thread>

#include "place/method_runs.h"
#include "place/tiny_problems.h"

namespace berth::place {
namespace {

using namespace fixtures;

PartitionInput input_of(const Problem& problem, bool include_cpus = false) {
  return partition_input(problem, GroupGraph(problem), GroupCosts(problem),
                         devices_to_spread_over(problem, include_cpus), 1);
}

TEST(PartitionInput, WeighsWorkBytesAndSpeeds) {
  const Problem problem(tiny_graph("g", {{.name = "a", .gpu_seconds = 1, .cpu_seconds = 4},
                                         {.name = "b",
                                          .gpu_seconds = 3,
                                          .cpu_seconds = 12,
                                          .inputs = {"a"},
                                          .output_bytes = 50}}),
                        tiny_cluster());
  const PartitionInput input = input_of(problem, true);
  ASSERT_EQ(input.part_count(), 3u);
  ASSERT_EQ(input.vertex_count(), 2u);
  EXPECT_NEAR(double(input.work[1]) / input.work[0], 3, 1e-6);
  // A GPU is four times as fast as the CPU.
  EXPECT_NEAR(input.shares[0], 1.0 / 9, 1e-12);
  EXPECT_NEAR(input.shares[1], 4.0 / 9, 1e-12);
  EXPECT_EQ(input.shares[1], input.shares[2]);
  EXPECT_EQ(input.begins, (std::vector<std::int32_t>{0, 1, 2}));
  EXPECT_EQ(input.neighbours, (std::vector<std::int32_t>{1, 0}));
  EXPECT_EQ(input.bytes[0], input.bytes[1]);
}

TEST(PartitionInput, LeavesOutWhatCannotBeSpreadAndMarksWhatHasOneChoice) {
  const PartitionInput input = input_of(tiny_problem("pins"));
  // op4 is on the CPU for good; op2 and op7 are one vertex.
  EXPECT_EQ(input.vertex_count(), 6u);
  EXPECT_EQ(input.only_part, (std::vector<std::int32_t>{-1, 1, -1, -1, -1, -1}));
}

TEST(PartitionInput, SumsStayWithinThirtyTwoBits) {
  std::vector<TinyOp> ops;
  for (int i = 0; i < 50; ++i) {
    TinyOp op{.name = "op" + std::to_string(i), .gpu_seconds = 1e9, .cpu_seconds = 1e-9};
    if (i > 0) op.inputs = {"op" + std::to_string(i - 1)};
    op.output_bytes = std::int64_t{1} << 48;
    op.param_bytes = std::int64_t{1} << 48;
    ops.push_back(op);
  }
  const Problem problem(tiny_graph("huge", ops), tiny_cluster());
  for (const bool cpus : {false, true}) {
    const PartitionInput input = input_of(problem, cpus);
    const auto sum = [](const std::vector<std::int32_t>& weights) {
      return std::accumulate(weights.begin(), weights.end(), std::int64_t{0});
    };
    EXPECT_LT(sum(input.work), 300'000'000);
    EXPECT_LT(sum(input.memory), 300'000'000);
    EXPECT_LT(sum(input.bytes), 40'000'000);
    EXPECT_GT(*std::min_element(input.bytes.begin(), input.bytes.end()), 0);
  }
}

TEST(PartitionInput, UsesOneIslandWhereRoutesAreMissing) {
  EXPECT_EQ(input_of(tiny_problem("islands")).part_count(), 2u);
  EXPECT_EQ(input_of(tiny_problem("star")).part_count(), 1u);
  EXPECT_EQ(input_of(tiny_problem("forbidden device")).part_count(), 1u);
}

TEST(Partition, PartsTradePlacesToHonourPins) {
  // Halves that a partitioner would number 0 and 1, pinned the other way round.
  const Problem& problem = tiny_problem("chain");
  Constraints pins;
  pins.pins = {{"op0", {"gpu:1"}}, {"op7", {"gpu:0"}}};
  const Problem pinned(Graph(problem.graph()), Cluster(problem.cluster()), pins);
  Request request;
  const Placed placed =
      place_by_partition(pinned, request, parse_method("mincut").options,
                         [](const PartitionInput&) { return Parts{0, 0, 0, 0, 1, 1, 1, 1}; });
  EXPECT_EQ(devices_of(pinned, placed.plan), "gpu:1 gpu:1 gpu:1 gpu:1 gpu:0 gpu:0 gpu:0 gpu:0");
}

TEST(Partition, BisectionStandsInWhenALibraryFails) {
  Request request;
  const Placed placed =
      place_by_partition(tiny_problem("wide"), request, parse_method("mincut").options,
                         [](const PartitionInput&) { return std::nullopt; });
  EXPECT_NE(placed.remark.find("recursive bisection was used"), std::string::npos) << placed.remark;
}

TEST(Partition, IsLeftAsItIsWithoutRepair) {
  const Problem& problem = tiny_problem("spills to cpu");
  for (const char* method : {"scotch:repair=off", "metis:repair=off", "mincut:repair=off"}) {
    const Placed placed = run_method(method, problem);
    EXPECT_FALSE(placed.outcome.feasible) << method;
    EXPECT_EQ(placed.evaluations, 1) << method;
    EXPECT_TRUE(placed.remark.starts_with("the partition is ")) << placed.remark;
  }
  for (const char* method : {"scotch", "metis", "mincut"}) {
    const Placed placed = run_method(method, problem);
    EXPECT_TRUE(placed.outcome.feasible) << method;
    EXPECT_TRUE(placed.remark.ends_with("so groups were moved")) << placed.remark;
  }
}

TEST(Partition, ThreadsDoNotDisturbOneAnother) {
  const Problem problem(layered_graph(600, 9), tiny_cluster({.gpus = 4}));
  const std::vector<std::string> methods = {"scotch", "metis", "mincut", "metis:memory=on"};
  std::vector<Plan> alone;
  for (const std::string& method : methods) alone.push_back(run_method(method, problem).plan);
  std::vector<std::thread> threads;
  std::vector<int> differences(8, 0);
  for (std::size_t thread = 0; thread < differences.size(); ++thread) {
    threads.emplace_back([&, thread] {
      for (std::size_t i = 0; i < 2 * methods.size(); ++i) {
        const std::size_t method = (thread + i) % methods.size();
        const Plan plan = run_method(methods[method], problem).plan;
        differences[thread] += plan == alone[method] ? 0 : 1;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(differences, std::vector<int>(8, 0));
}

}  // namespace
}  // namespace berth::place
