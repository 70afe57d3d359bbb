// Schedules worked out by hand, rule by rule. Devices are called a, b, c; unless said otherwise
// every pair is joined by a link of 1 byte/s without latency, so a tensor of n bytes travels n
// seconds.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "graph/graph_builder.h"
#include "sim/simulator.h"

namespace berth {
namespace {

struct Op {
  std::string name;
  double seconds = 1;
  std::string device = "a";
  std::vector<std::string> inputs = {};  // names of ops; their output 0
  std::int64_t bytes = 1;                // of output 0
  std::vector<std::string> after = {};
  double priority = 0;
  std::int64_t temp_bytes = 0;
  std::string type = "Add";
  std::uint32_t alias = Graph::kNone;
  bool resident = false;
  bool kept = false;
  std::int64_t param_bytes = 0;
};

struct Case {
  std::vector<Op> ops;
  std::vector<Link> links = {};  // empty: one between every pair
  std::vector<std::string> switches = {};
  std::vector<std::int64_t> slots = {1, 1, 1};
  std::vector<std::vector<std::string>> fused = {};
};

Cluster make_cluster(const Case& given) {
  std::vector<Device> devices(given.slots.size());
  std::vector<Link> links = given.links;
  for (std::uint32_t d = 0; d < devices.size(); ++d) {
    devices[d].name = std::string(1, static_cast<char>('a' + d));
    devices[d].kind = "gpu";
    devices[d].slots = given.slots[d];
    for (std::uint32_t e = 0; e < d && given.links.empty(); ++e) {
      links.push_back({.from = e, .to = d, .bandwidth = 1});
    }
  }
  return Cluster("hand", devices, given.switches, links);
}

Graph make_graph(const Case& given) {
  GraphBuilder builder("hand");
  for (const Op& op : given.ops) {
    const OpId id = builder.add_op(op.name, op.type);
    builder.add_seconds(id, "gpu", op.seconds);
    builder.set_temp_bytes(id, op.temp_bytes);
    builder.set_param_bytes(id, op.param_bytes);
    builder.add_output(id, {.bytes = op.bytes, .resident = op.resident, .alias = op.alias});
    if (op.kept) builder.add_graph_output({id, 0});
  }
  for (const Op& op : given.ops) {
    const OpId id = *builder.find_op(op.name);
    for (const auto& input : op.inputs) builder.add_input(id, {*builder.find_op(input), 0});
    for (const auto& earlier : op.after) builder.add_after(id, *builder.find_op(earlier));
  }
  return std::move(builder).build();
}

struct Result {
  std::string schedule;  // "x@a 0-1" for every op and "x>b 1-2" for every transfer
  std::vector<std::int64_t> peaks;
};

Result run(const Case& given) {
  const Problem problem(make_graph(given), make_cluster(given));
  Plan plan;
  bool priorities = false;
  for (const Op& op : given.ops) {
    plan.placement.push_back(*problem.cluster().find_device(op.device));
    plan.priority.push_back(op.priority);
    priorities = priorities || op.priority != 0;
  }
  if (!priorities) plan.priority.clear();
  for (const auto& group : given.fused) {
    plan.fused.emplace_back();
    for (const auto& name : group) plan.fused.back().push_back(*problem.graph().find_op(name));
  }
  require_valid(problem, plan, "plan");
  Simulator simulator(problem);
  const Timeline timeline = simulator.trace(plan);
  EXPECT_EQ(timeline.outcome, simulator.evaluate(plan));
  Result result;
  std::vector<std::string> lines;
  for (const auto& op : timeline.ops) {
    lines.push_back(fmt::format("{}@{} {}-{}", problem.graph().op_name(op.op),
                                problem.cluster().device(op.device).name, op.start_seconds,
                                op.end_seconds));
  }
  for (const auto& transfer : timeline.transfers) {
    lines.push_back(fmt::format(
        "{}>{} {}-{}", problem.graph().op_name(problem.graph().producer(transfer.tensor)),
        problem.cluster().device(transfer.to).name, transfer.start_seconds, transfer.end_seconds));
  }
  result.schedule = fmt::format("{}", fmt::join(lines, ", "));
  result.peaks = timeline.outcome.peak_bytes;
  return result;
}

TEST(Schedule, EarliestReadyGoesFirstThenLowestIndex) {
  // z (ready 0) before x and y (ready 2), although their indices are lower; x before y by index.
  const Case given{{{"long", 3, "a"},
                    {"x", 1, "a", {"b1"}, 1},
                    {"y", 1, "a", {"b1"}, 1},
                    {"b1", 1, "b", {}, 1},
                    {"z", 1, "a"}}};
  EXPECT_EQ(run(given).schedule, "long@a 0-3, b1@b 0-1, z@a 3-4, x@a 4-5, y@a 5-6, b1>a 1-2");
}

TEST(Schedule, HighestPriorityGoesFirst) {
  const Case given{{{"long", 2, "a"}, {"x", 1, "a"}, {"y", 1, "a", {}, 1, {}, 5}}};
  EXPECT_EQ(run(given).schedule, "y@a 0-1, long@a 1-3, x@a 3-4");
}

TEST(Schedule, PriorityDoesNotPreemptNorWait) {
  // y has the priority but is ready only at 1, when x is running.
  const Case given{{{"x", 3, "a"}, {"p", 1, "b"}, {"y", 1, "a", {}, 1, {"p"}, 9}, {"z", 1, "a"}}};
  EXPECT_EQ(run(given).schedule, "x@a 0-3, p@b 0-1, y@a 3-4, z@a 4-5");
}

TEST(Schedule, AllEventsOfAnInstantComeBeforeAnyStart) {
  // At 2 the end of p frees a, and the end of q makes low ready: low (index 0) beats high (index
  // 3).
  const Case given{{{"low", 1, "a", {}, 1, {"q"}},
                    {"p", 2, "a"},
                    {"q", 2, "b"},
                    {"high", 1, "a", {}, 1, {"q"}}}};
  EXPECT_EQ(run(given).schedule, "p@a 0-2, q@b 0-2, low@a 2-3, high@a 3-4");
}

TEST(Schedule, ZeroCostOpsEndInAFurtherRound) {
  // zero starts at 0 in round one and ends in round two, so next can start only then; first (ready
  // in round one, index 2) has started on b by that time, though next has the lower index.
  const Case given{{{"zero", 0, "a"}, {"next", 1, "b", {}, 1, {"zero"}}, {"first", 1, "b"}}};
  EXPECT_EQ(run(given).schedule, "zero@a 0-0, first@b 0-1, next@b 1-2");
}

TEST(Schedule, ReadyTimeIsTheInstantNotTheRound) {
  // Both are ready at 1: late in its second round, early in its first. Device b is busy until 3, so
  // neither has started, and the lower index goes first.
  const Case given{{{"late", 1, "b", {}, 1, {"zero"}},
                    {"early", 1, "b", {}, 1, {"p"}},
                    {"p", 1, "a"},
                    {"zero", 0, "a", {}, 1, {"p"}},
                    {"busy", 3, "b"}}};
  EXPECT_EQ(run(given).schedule, "p@a 0-1, busy@b 0-3, zero@a 1-1, late@b 3-4, early@b 4-5");
}

TEST(Schedule, AZeroCostOpHoldsItsSlotUntilTheNextRound) {
  const Case given{{{"z1", 0, "a"}, {"z2", 0, "a"}, {"x", 1, "b", {}, 1, {"z2"}}, {"y", 1, "b"}}};
  EXPECT_EQ(run(given).schedule, "z1@a 0-0, y@b 0-1, z2@a 0-0, x@b 1-2");
}

TEST(Schedule, AZeroLengthTransferArrivesInTheRoundItWasSentIn) {
  const Case given{{{"x", 1, "a", {}, 0}, {"y", 1, "b", {"x"}}}};
  EXPECT_EQ(run(given).schedule, "x@a 0-1, y@b 1-2, x>b 1-1");
}

TEST(Schedule, ATensorIsSentOnceADeviceInDeviceOrder) {
  const Case given{
      {{"x", 1, "b", {}, 2}, {"c1", 1, "c", {"x"}}, {"a1", 1, "a", {"x"}}, {"a2", 1, "a", {"x"}}}};
  EXPECT_EQ(run(given).schedule, "x@b 0-1, a1@a 3-4, c1@c 3-4, a2@a 4-5, x>a 1-3, x>c 1-3");
}

TEST(Schedule, TransfersOfOneChannelQueueInOrderOfReservation) {
  const Case given{
      {{"x", 1, "a", {}, 3}, {"y", 1, "a", {}, 1}, {"u", 1, "b", {"x"}}, {"v", 1, "b", {"y"}}}};
  EXPECT_EQ(run(given).schedule, "x@a 0-1, y@a 1-2, u@b 4-5, v@b 5-6, x>b 1-4, y>b 4-5");
}

TEST(Schedule, DuplexCarriesBothWaysAtOnceHalfDuplexDoesNot) {
  Case given{
      {{"x", 1, "a", {}, 2}, {"y", 1, "b", {}, 2}, {"u", 1, "b", {"x"}}, {"v", 1, "a", {"y"}}}};
  EXPECT_EQ(run(given).schedule, "x@a 0-1, y@b 0-1, v@a 3-4, u@b 3-4, x>b 1-3, y>a 1-3");
  given.links = {{.from = 0, .to = 1, .bandwidth = 1, .duplex = false}};
  EXPECT_EQ(run(given).schedule, "x@a 0-1, y@b 0-1, u@b 3-4, v@a 5-6, x>b 1-3, y>a 3-5");
}

TEST(Schedule, ARouteOccupiesAllItsChannelsAtTheBottlenecksRate) {
  // a and b reach c over one switch; the link to c is shared, that of a is slow.
  const Case given{.ops = {{"x", 1, "a", {}, 4},
                           {"y", 2, "b", {}, 4},
                           {"u", 1, "c", {"x"}},
                           {"v", 1, "c", {"y"}}},
                   .links = {{.from = 0, .to = 3, .bandwidth = 1, .latency_seconds = 1},
                             {.from = 1, .to = 3, .bandwidth = 4, .latency_seconds = 1},
                             {.from = 2, .to = 3, .bandwidth = 4, .latency_seconds = 1}},
                   .switches = {"sw"}};
  // x: 1 + (1 + 1) + 4/1 = 7; y waits for the shared link, then 7 + 2 + 4/4 = 10.
  EXPECT_EQ(run(given).schedule, "x@a 0-1, y@b 0-2, u@c 7-8, v@c 10-11, x>c 1-7, y>c 7-10");
}

TEST(Schedule, AReservedChannelIsNotBackfilled) {
  // y>c is reserved to start at 5 behind x>c (shared last link). z>b, reserved later, could use the
  // idle first link of b before 5, but does not.
  const Case given{.ops = {{"x", 1, "a", {}, 4},
                           {"y", 2, "b", {}, 2},
                           {"z", 1, "b", {}, 1, {"y"}},
                           {"u", 1, "c", {"x"}},
                           {"v", 1, "c", {"y"}},
                           {"w", 1, "a", {"z"}}},
                   .links = {{.from = 0, .to = 3, .bandwidth = 1},
                             {.from = 1, .to = 3, .bandwidth = 1},
                             {.from = 2, .to = 3, .bandwidth = 1}},
                   .switches = {"sw"}};
  EXPECT_EQ(run(given).schedule,
            "x@a 0-1, y@b 0-2, z@b 2-3, u@c 5-6, v@c 7-8, w@a 8-9, x>c 1-5, y>c 5-7, z>a 7-8");
}

TEST(Schedule, SlotsRunOpsAtOnce) {
  const Case given{.ops = {{"x", 2, "a"}, {"y", 3, "a"}, {"z", 1, "a"}}, .slots = {2}};
  EXPECT_EQ(run(given).schedule, "x@a 0-2, y@a 0-3, z@a 2-3");
}

TEST(Schedule, AfterOrdersAcrossDevicesWithoutATransfer) {
  const Case given{.ops = {{"x", 2, "a"}, {"y", 1, "b", {}, 1, {"x"}}},
                   .links = {{.from = 0, .to = 2, .bandwidth = 1}}};
  EXPECT_EQ(run(given).schedule, "x@a 0-2, y@b 2-3");
}

TEST(Schedule, AFusedGroupRunsAsOneOp) {
  // m and r fused: cost 3 + 1 (given, launches and bandwidth are free here, so nothing is saved
  // but traffic at infinite bandwidth). s joins the outside; m's output stays inside.
  const Case given{.ops = {{"m", 3, "a", {}, 5, {}, 0, 2, "MatMul"},
                           {"s", 1, "b", {}, 1},
                           {"r", 1, "a", {"m", "s"}, 4, {}, 0, 7},
                           {"t", 1, "b", {"r"}}},
                   .fused = {{"m", "r"}}};
  const Result result = run(given);
  // Ready when s arrives at 2; index of the group is that of m.
  EXPECT_EQ(result.schedule, "s@b 0-1, m@a 2-6, t@b 10-11, s>a 1-2, r>b 6-10");
  // On a: the copy of s (1) with r's output (4) and the larger workspace (7); m's 5 bytes never
  // are.
  EXPECT_EQ(result.peaks[0], 12);
}

TEST(Memory, OutputsFromStartToLastConsumerAndTransfer) {
  // x (10) lives on a until its transfer ends at 11; y (3) is computed meanwhile.
  const Case given{
      {{"x", 1, "a", {}, 10}, {"y", 5, "a", {"x"}, 3, {}, 0, 2}, {"u", 1, "b", {"x"}}}};
  const Result result = run(given);
  EXPECT_EQ(result.schedule, "x@a 0-1, y@a 1-6, u@b 11-12, x>b 1-11");
  EXPECT_EQ(result.peaks, (std::vector<std::int64_t>{15, 11, 0}));
}

TEST(Memory, ACopyIsTakenWhenItsTransferStartsNotWhenItIsReserved) {
  // y's copy starts at 5, when x's has gone to w and w has ended: never both at once on b.
  const Case given{{{"x", 1, "a", {}, 4},
                    {"y", 1, "a", {}, 100},
                    {"w", 0, "b", {"x"}, 0},
                    {"v", 1, "b", {"y"}, 0}}};
  EXPECT_EQ(run(given).peaks[1], 100);
}

TEST(Memory, TheLevelOfAnInstantIsAfterAllItsFreesAndAllocations) {
  // At 1 x ends and y starts; x's workspace (8) goes as y's (8) comes: never 16.
  const Case given{{{"x", 1, "a", {}, 1, {}, 0, 8}, {"y", 1, "a", {"x"}, 1, {}, 0, 8}}};
  EXPECT_EQ(run(given).peaks[0], 10);
}

TEST(Memory, ResidentOutputsTakeNoFurtherBytesAtHomeButCopiesDo) {
  const Case given{{{.name = "w", .seconds = 0, .bytes = 50, .resident = true, .param_bytes = 50},
                    {"x", 1, "a", {"w"}, 1},
                    {"y", 1, "b", {"w"}, 1}}};
  EXPECT_EQ(run(given).peaks, (std::vector<std::int64_t>{51, 51, 0}));
}

TEST(Memory, AnAliasSharesItsInputsBufferAndKeepsItAlive) {
  // view shares x's 10 bytes; x's last own consumer is view, but the buffer lives until z has read
  // view, while y (20) is there as well.
  const Case given{{{"x", 1, "a", {}, 10},
                    {.name = "view", .seconds = 1, .inputs = {"x"}, .bytes = 10, .alias = 0},
                    {"y", 1, "a", {"view"}, 20},
                    {"z", 1, "a", {"view", "y"}, 1}}};
  EXPECT_EQ(run(given).peaks[0], 31);
}

TEST(Memory, AGraphOutputIsKeptUntilTheStepEnds) {
  Case given{{{.name = "x", .bytes = 10}, {"y", 1, "a", {"x"}, 1}, {"z", 1, "a", {"y"}, 7}}};
  EXPECT_EQ(run(given).peaks[0], 11);
  given.ops[0].kept = true;
  EXPECT_EQ(run(given).peaks[0], 18);
}

}  // namespace
}  // namespace berth
