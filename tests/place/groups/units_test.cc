#include "place/groups/units.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numeric>

#include "cluster/presets.h"
#include "frontends/model.h"
#include "place/groups/coarsening.h"
#include "place/list/list_plan.h"
#include "place/list/upward_rank.h"
#include "place/method_runs.h"
#include "place/tiny_problems.h"
#include "plan/contraction.h"
#include "sim/simulator.h"
#include "support/random_problem.h"

namespace berth::place {
namespace {

using namespace fixtures;

// "a b | c": the ops of every unit, by name.
std::string text_of(const Problem& problem, const Units& units) {
  std::string text;
  for (std::size_t unit = 0; unit < units.size(); ++unit) {
    if (unit > 0) text += "| ";
    for (const OpId op : units.members.row(unit)) {
      text += problem.graph().op_name(op);
      text += ' ';
    }
  }
  return text;
}

std::string text_of(const std::vector<UnitEdge>& edges) {
  std::string text;
  for (const UnitEdge& edge : edges) {
    text += fmt::format("{}-{}:{} ", edge.from, edge.to, edge.bytes);
  }
  return text;
}

// What holds of all units, however they were made.
void expect_sound(const Problem& problem, const Units& units) {
  ASSERT_EQ(units.of_op.size(), problem.op_count());
  std::vector<int> listed(problem.op_count(), 0);
  for (std::size_t unit = 0; unit < units.size(); ++unit) {
    const std::span<const OpId> members = units.members.row(unit);
    ASSERT_FALSE(members.empty());
    EXPECT_TRUE(std::is_sorted(members.begin(), members.end()));
    for (const OpId op : members) {
      ++listed[op.index()];
      EXPECT_EQ(units.of_op[op.index()], unit);
      EXPECT_EQ(problem.device_set(problem.group(op)),
                problem.device_set(problem.group(members[0])));
    }
  }
  EXPECT_EQ(listed, std::vector<int>(problem.op_count(), 1));
  std::uint32_t seen = 0;  // units come in the order of their first ops
  for (const OpId op : upward_ranks(problem).order) {
    ASSERT_LE(units.of_op[op.index()], seen);
    if (units.of_op[op.index()] == seen) ++seen;
  }
  for (std::size_t group = 0; group < problem.group_count(); ++group) {
    for (const OpId op : problem.members(GroupId(group))) {
      EXPECT_EQ(units.of_op[op.index()],
                units.of_op[problem.members(GroupId(group)).front().index()]);
    }
  }
}

bool acyclic(const Problem& problem, const Units& units) {
  std::vector<std::vector<OpId>> groups;
  for (std::size_t unit = 0; unit < units.size(); ++unit) {
    const std::span<const OpId> members = units.members.row(unit);
    groups.emplace_back(members.begin(), members.end());
  }
  return Contraction(problem.graph(), groups).find_cycle().empty();
}

TEST(Units, AreSoundOnEveryTinyProblem) {
  for (const TinyProblem& tiny : tiny_problems()) {
    for (const char* text : {"1", "3", "256", "coloc", "ops"}) {
      SCOPED_TRACE(tiny.name + " " + text);
      expect_sound(*tiny.problem, make_units(*tiny.problem, text));
    }
  }
}

TEST(Units, AreSoundOnRandomProblemsWithColocation) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Random random(seed);
    const RandomProblemOptions options = {.colocation = true};
    const Problem problem(random_graph(random, options, seed % 2 == 0),
                          random_cluster(random, options, seed % 2 == 0));
    for (const char* text : {"1", "4", "10", "coloc"}) {
      SCOPED_TRACE(fmt::format("{} {}", seed, text));
      const Units units = make_units(problem, text);
      expect_sound(problem, units);
      const bool has_number = text[0] != 'c';
      EXPECT_LE(units.size(), has_number ? std::stoul(text) : problem.group_count());
    }
  }
}

TEST(Units, OfCoarseningWaitForOneAnotherInNoCircle) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Problem problem(layered_graph(200, seed), tiny_cluster());
    for (const char* text : {"2", "7", "40", "150"}) {
      const Units units = make_units(problem, text);
      EXPECT_EQ(units.size(), std::stoul(text));
      EXPECT_TRUE(acyclic(problem, units)) << seed << " " << text;
    }
  }
}

TEST(Units, DepthFirstOrderRespectsEdgesAndFollowsChains) {
  // Two chains from one op: the index order goes back and forth between them.
  const Problem problem(tiny_graph("two chains", {{.name = "a"},
                                                  {.name = "l1", .inputs = {"a"}},
                                                  {.name = "r1", .inputs = {"a"}},
                                                  {.name = "l2", .inputs = {"l1"}},
                                                  {.name = "r2", .inputs = {"r1"}},
                                                  {.name = "end", .inputs = {"l2", "r2"}}}),
                        tiny_cluster());
  std::string names;
  for (const OpId op : depth_first_order(problem.graph())) {
    names += problem.graph().op_name(op);
    names += ' ';
  }
  EXPECT_EQ(names, "a l1 l2 r1 r2 end ");
  // A fork of 300 readers: more than a byte can count.
  std::vector<TinyOp> ops = {{.name = "fork"}};
  for (int i = 0; i < 300; ++i) {
    ops.push_back({.name = fmt::format("reader{}", i), .inputs = {"fork"}});
  }
  const Graph fork = tiny_graph("fork", ops);
  EXPECT_EQ(depth_first_order(fork).size(), 301u);
}

TEST(Units, JoinWhatSavesTheLargestTransfer) {
  // 1 GB/s: a megabyte takes as long as b does, so b and c are joined first, then d and e, which
  // are lightest.
  const Problem problem(
      tiny_graph("chain", {{.name = "a", .output_bytes = 10},
                           {.name = "b", .inputs = {"a"}, .output_bytes = 3'000'000},
                           {.name = "c", .inputs = {"b"}, .output_bytes = 10},
                           {.name = "d", .gpu_seconds = 1e-4, .inputs = {"c"}, .output_bytes = 10},
                           {.name = "e", .gpu_seconds = 1e-4, .inputs = {"d"}},
                           {.name = "f", .gpu_seconds = 3e-3, .inputs = {"e"}},
                           {.name = "g", .gpu_seconds = 3e-3, .inputs = {"f"}}}),
      tiny_cluster());
  EXPECT_EQ(text_of(problem, make_units(problem, "6")), "a | b c | d | e | f | g ");
  EXPECT_EQ(text_of(problem, make_units(problem, "5")), "a | b c | d e | f | g ");
}

TEST(Units, OfCoarseningAreNoGiants) {
  // Every tensor is worth more than all the work, so transfers alone would join everything to one.
  std::vector<TinyOp> ops;
  for (int i = 0; i < 100; ++i) {
    ops.push_back({.name = fmt::format("op{}", i), .output_bytes = 900'000'000});
    if (i > 0) ops.back().inputs = {fmt::format("op{}", i - 1)};
  }
  const Problem problem(tiny_graph("chain", ops), tiny_cluster());
  const Units units = make_units(problem, "10");
  ASSERT_EQ(units.size(), 10u);
  for (std::size_t unit = 0; unit < 10; ++unit) EXPECT_LE(units.members.row(unit).size(), 20u);
}

TEST(Units, AlternatingRulesStillGetDownToTheNumber) {
  // Neighbours are never alike here, so nothing could be joined in the order itself.
  std::vector<TinyOp> ops;
  for (int i = 0; i < 40; ++i) {
    ops.push_back({.name = fmt::format("op{}", i)});
    ops.back().devices = {i % 2 == 0 ? "cpu" : "gpu"};
    if (i > 0) ops.back().inputs = {fmt::format("op{}", i - 1)};
  }
  const Problem problem(tiny_graph("alternating", ops), tiny_cluster());
  const Units units = make_units(problem, "6");
  EXPECT_EQ(units.size(), 6u);
  expect_sound(problem, units);
  EXPECT_EQ(make_units(problem, "1").size(), 2u);
}

TEST(Units, OneUnitHoldsEverything) {
  const Problem problem(layered_graph(100, 3), tiny_cluster());
  const Units units = make_units(problem, "1");
  EXPECT_EQ(units.size(), 1u);
  EXPECT_TRUE(units.edges.empty());
  EXPECT_EQ(units.members.row(0).size(), problem.op_count());
}

TEST(Units, OfFewGroupsAreTheGroups) {
  const Problem& problem = tiny_problem("colocation");
  ASSERT_EQ(problem.group_count(), 5u);
  const std::string groups = text_of(problem, make_units(problem, "ops"));
  EXPECT_EQ(groups, "fork | branch1 branch4 | branch3 | branch5 | branch0 branch2 join ");
  EXPECT_EQ(text_of(problem, make_units(problem, "5")), groups);
  EXPECT_EQ(text_of(problem, make_units(problem, "1e30")), groups);
}

TEST(Units, OfColocJoinWhatFeedsOnlyOne) {
  // c and d feed only e, a feeds only them once these are one; b feeds two that stay apart; after
  // orders e and g, but feeds nothing. f may not run where b may.
  GraphBuilder builder("sole readers");
  const auto add = [&](const char* name, const std::vector<TensorRef>& inputs) {
    const OpId op = builder.add_op(name, "Op");
    for (const char* kind : {"cpu", "gpu"}) builder.add_seconds(op, kind, 1);
    for (const TensorRef input : inputs) builder.add_input(op, input);
    return builder.add_output(op, {.bytes = 8});
  };
  const TensorRef a = add("a", {});
  const TensorRef b = add("b", {});
  const TensorRef c = add("c", {a});
  const TensorRef d = add("d", {a});
  const TensorRef e = add("e", {b, c, d});
  const TensorRef f = add("f", {});
  builder.set_devices(f.op, {"cpu"});
  const TensorRef g = add("g", {b, f});
  builder.add_after(g.op, e.op);
  const Problem problem(std::move(builder).build(), tiny_cluster());
  EXPECT_EQ(text_of(problem, make_units(problem, "coloc")), "a c d e | b | f | g ");
}

TEST(Units, OfColocAreJoinedAgainWhereColocationClosesCircles) {
  // x feeds y and z, and y feeds only x's group: with y inside, the group feeds only z.
  const Problem problem(tiny_graph("circle", {{.name = "x1", .colocate = "x"},
                                              {.name = "y", .inputs = {"x1"}},
                                              {.name = "x2", .inputs = {"y"}, .colocate = "x"},
                                              {.name = "z", .inputs = {"x2"}},
                                              {.name = "u", .inputs = {"z"}},
                                              {.name = "v", .inputs = {"z"}}}),
                        tiny_cluster());
  EXPECT_EQ(text_of(problem, make_units(problem, "coloc")), "x1 y x2 z | u | v ");
}

TEST(Units, EdgesCountATensorOnceAReader) {
  const Problem problem(
      tiny_graph("edges", {{.name = "a", .output_bytes = 10},
                           {.name = "b", .inputs = {"a"}, .output_bytes = 7, .colocate = "x"},
                           {.name = "c", .inputs = {"b"}, .output_bytes = 5},
                           {.name = "d", .inputs = {"a", "c"}, .output_bytes = 3, .colocate = "x"},
                           {.name = "e", .inputs = {"d", "b"}, .output_bytes = 0}}),
      tiny_cluster());
  const Units units = make_units(problem, "ops");
  EXPECT_EQ(text_of(problem, units), "a | b d | c | e ");
  EXPECT_EQ(text_of(units.edges), "0-1:10 1-2:7 1-3:10 2-1:5 ");
}

TEST(Units, PlansPutEveryOpOnTheDeviceOfItsUnit) {
  const Problem& problem = tiny_problem("colocation");
  const Units units = make_units(problem, "ops");
  std::vector<DeviceId> devices(units.size(), DeviceId(0));
  devices[1] = DeviceId(2);
  EXPECT_EQ(devices_of(problem, plan_of_units(units, devices)),
            "cpu:0 cpu:0 gpu:1 cpu:0 cpu:0 gpu:1 cpu:0 cpu:0");
}

// A network of cells whose list schedule is shorter with single groups, and a recurrent one where
// it is longer.
TEST(Units, ByListScheduleAreThoseWithTheShorterOne) {
  for (const auto& [model, better, worse] : {std::tuple("zoo:enas_cifar:seed=5", "ops", "256"),
                                             std::tuple("zoo:enas_ptb:seed=3", "256", "ops")}) {
    SCOPED_TRACE(model);
    const Problem problem(load_model(model).graph, make_preset("4xP100"));
    const auto list_step = [&](const char* text) {
      return Simulator(problem)
          .evaluate(list_plan(problem, make_units(problem, text)))
          .step_seconds;
    };
    EXPECT_LT(list_step(better), list_step(worse));
    EXPECT_EQ(make_units(problem, "auto").of_op, make_units(problem, better).of_op);
  }
}

TEST(Units, BadTextNamesWhatWouldBeRight) {
  const Problem& problem = tiny_problem("chain");
  for (const char* text : {"", "0", "-3", "2.5", "12 ", "many", "256x", "Ops"}) {
    EXPECT_EQ(input_error_of([&] { make_units(problem, text); })
                  .find(fmt::format("option \"units\" must be a whole number of at least 1, "
                                    "\"coloc\", \"ops\" or \"auto\" but is \"{}\"",
                                    text)),
              0u);
  }
}

TEST(Units, OfATrainingGraphAreSpreadAndTheSameEveryTime) {
  const Problem problem(load_model("zoo:rnnlm").graph, make_preset("2xP100"));
  const Units units = make_units(problem, "256");
  EXPECT_EQ(units.size(), 256u);
  std::vector<double> work(units.size(), 0);
  double dearest_group = 0;
  for (std::size_t group = 0; group < problem.group_count(); ++group) {
    double seconds = 0;
    for (const OpId op : problem.members(GroupId(group))) seconds += problem.fastest_seconds(op);
    dearest_group = std::max(dearest_group, seconds);
    work[units.of_op[problem.members(GroupId(group)).front().index()]] += seconds;
  }
  const double total = std::accumulate(work.begin(), work.end(), 0.0);
  EXPECT_LE(*std::max_element(work.begin(), work.end()), std::max(0.03 * total, dearest_group));
  EXPECT_EQ(make_units(problem, "256").of_op, units.of_op);
}

}  // namespace
}  // namespace berth::place
