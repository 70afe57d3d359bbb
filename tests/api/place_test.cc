// Searching: the same as the program, stopped one by one, observed, and by placers of one's own.
#include <atomic>
#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "api/small_problem.h"

namespace api_tests {
namespace {

TEST(ApiPlace, FindsTheBestPlanAndSaysHow) {
  const berth::Problem problem = small_problem();
  const berth::Placed placed = berth::place(problem, {.budget = {.evaluations = 100}, .seed = 3});
  EXPECT_DOUBLE_EQ(placed.outcome.step_seconds, 12e-3);
  EXPECT_EQ(problem.simulate(placed.plan), placed.outcome);
  EXPECT_TRUE(placed.gap_reached);
  EXPECT_FALSE(placed.interrupted);
  EXPECT_GT(placed.evaluations, 0);
  EXPECT_DOUBLE_EQ(placed.bound.seconds, 12e-3);
  EXPECT_EQ(placed.method, "auto");
  const berth::PlanRecord record = berth::plan_record(problem, placed);
  EXPECT_EQ(record.budget, "100evals");
  EXPECT_EQ(record.seed, 3u);
  EXPECT_EQ(record.model, "diamond");
}

// The whole files: plan, hashes, prediction.
TEST(ApiPlace, WritesTheFileThatTheProgramWrites) {
  const struct {
    std::string model, cluster, method, tasks;
  } cases[] = {{"zoo:layered:ops=120", "4xP100", "auto", "placement"},
               {"zoo:layered:ops=120", "4xP100", "auto", "placement,schedule"},
               {"zoo:rnnlm:seq=4", "2xP100", "random(tries=20)", "placement"},
               {"zoo:rnnlm:seq=4", "2xP100", "expert", "placement"}};
  for (const auto& [model, cluster, method, tasks] : cases) {
    const std::string by_program = scratch("program.json");
    std::ostringstream line;
    line << BERTH_BINARY << " place " << model << " -c " << cluster << " -m '" << method
         << "' --tasks " << tasks << " --seed 5 --budget 300evals -q -o " << by_program
         << " > /dev/null";
    const std::string command = line.str();
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
    const berth::Problem problem(berth::Graph::load(model), berth::Cluster::load(cluster));
    const berth::Placed placed =
        berth::place(problem, {.method = method,
                               .budget = {.evaluations = 300},
                               .seed = 5,
                               .tasks = {.schedule = tasks != "placement"}});
    const std::string by_library = scratch("library.json");
    berth::write_plan(by_library, problem, placed);
    EXPECT_EQ(text_of(by_library), text_of(by_program)) << command;
  }
}

TEST(ApiPlace, AStartPlanIsNeverMadeWorse) {
  const berth::Problem problem = larger_problem();
  const berth::Placed good = berth::place(problem, {.budget = {.evaluations = 500}});
  const berth::Placed next =
      berth::place(problem, {.method = "random", .budget = {.evaluations = 5}, .start = good.plan});
  EXPECT_FALSE(berth::better(good.outcome, next.outcome));
}

TEST(ApiPlace, AStopEndsOneSearchOfTwo) {
  const berth::Problem problem = larger_problem();
  berth::StopSource first, second;
  std::atomic<bool> first_ended = false;
  std::atomic<int> reports_after_first = 0;
  berth::Placed stopped, other;
  const auto request = [](const berth::StopSource& stop) {
    // Without a limit: nothing but the token ends it.
    return berth::Request{.method = "auto:threads=1", .budget = {}, .stop = stop.token()};
  };
  std::thread one([&] {
    berth::Request asked = request(first);
    asked.progress = [&](const berth::Progress&) { first.request_stop(); };
    stopped = berth::place(problem, asked);
    first_ended = true;
  });
  std::thread two([&] {
    berth::Request asked = request(second);
    // It goes on after the first has ended, and is then stopped by itself.
    asked.progress = [&](const berth::Progress&) {
      if (first_ended && ++reports_after_first == 3) second.request_stop();
    };
    other = berth::place(problem, asked);
  });
  one.join();
  two.join();
  EXPECT_TRUE(stopped.interrupted);
  EXPECT_TRUE(other.interrupted);
  EXPECT_GE(reports_after_first, 3);
  EXPECT_TRUE(problem.violations(stopped.plan).empty());
}

TEST(ApiPlace, ProgressTellsOfTheSearch) {
  berth::StopSource stop;
  std::vector<berth::Progress> seen;
  berth::Request request{.method = "auto:threads=1", .budget = {.seconds = 60}};
  request.stop = stop.token();
  request.progress = [&](const berth::Progress& at) {
    seen.push_back(at);
    if (seen.size() == 2) stop.request_stop();
  };
  const berth::Placed placed = berth::place(larger_problem(), request);
  ASSERT_GE(seen.size(), 2u);
  EXPECT_LT(seen[0].evaluations, seen[1].evaluations);
  EXPECT_GT(seen[1].best_step_seconds, 0);
  EXPECT_GT(seen[1].fraction_done, 0);
  EXPECT_LE(placed.outcome.step_seconds, seen[0].best_step_seconds);
}

TEST(ApiPlace, AnExceptionOfACallbackPassesThrough) {
  berth::Request request{.budget = {.seconds = 60}};
  request.progress = [](const berth::Progress&) { throw std::range_error("mine"); };
  EXPECT_THROW(berth::place(larger_problem(), request), std::range_error);
}

// Everything on one device, which the seed chooses.
berth::Plan all_on_one(const berth::Problem& problem, const berth::Request& request) {
  return {.placement = std::vector<std::size_t>(problem.op_count(), request.seed)};
}

TEST(ApiOwnPlacer, WorksByNameLikeAnyOther) {
  berth::register_placer({.name = "all_on_one", .summary = "for tests", .place = all_on_one});
  const berth::Problem problem = small_problem();
  const berth::Placed placed = berth::place(problem, {.method = "all_on_one", .seed = 1});
  EXPECT_EQ(placed.plan.placement, std::vector<std::size_t>(4, 1));
  EXPECT_DOUBLE_EQ(placed.outcome.step_seconds, 14e-3);
  EXPECT_EQ(placed.method, "all_on_one");
  EXPECT_EQ(berth::methods().back().name, "all_on_one");
  // Better than the start plan or else the start plan.
  const berth::Plan split{.placement = {0, 0, 1, 0}};
  EXPECT_EQ(berth::place(problem, {.method = "all_on_one", .start = split}).plan, split);
  const berth::Error taken = error_of([] {
    berth::register_placer({.name = "all_on_one", .summary = "again", .place = all_on_one});
  });
  EXPECT_EQ(taken.subject(), "all_on_one");
}

TEST(ApiOwnPlacer, APlanThatIsNotValidIsAnError) {
  berth::register_placer({.name = "nowhere", .summary = "for tests", .place = all_on_one});
  const berth::Error error =
      error_of([] { berth::place(small_problem(), {.method = "nowhere", .seed = 7}); });
  EXPECT_EQ(error.code(), berth::ErrorCode::invalid_plan);
  EXPECT_EQ(error.subject(), "nowhere");
  EXPECT_NE(std::string(error.what()).find("device 7"), std::string::npos) << error.what();
}

// What the plan decides counts, not what was asked for: no plan is below its own bound.
TEST(ApiOwnPlacer, TheBoundHoldsForAPlanThatFuses) {
  berth::register_placer({.name = "fuses",
                          .summary = "for tests",
                          .place = [](const berth::Problem&, const berth::Request&) -> berth::Plan {
                            return {.placement = {0, 0}, .fused = {{0, 1}}};
                          }});
  berth::Device device = gpu("gpu:0");
  device.launch_seconds = 1e-3;
  berth::Op after = op("b", 2e-3, {"a"});
  after.type = "Relu";
  const berth::Problem problem(berth::Graph("pair", {op("a", 2e-3), after}, {"b"}),
                               berth::Cluster("one", {device}, {}, {}));
  const berth::Placed placed = berth::place(problem, {.method = "fuses"});
  EXPECT_DOUBLE_EQ(placed.outcome.step_seconds, 3e-3);
  EXPECT_DOUBLE_EQ(problem.bounds().best.seconds, 4e-3);
  EXPECT_LE(placed.bound.seconds, placed.outcome.step_seconds);
}

TEST(ApiOwnPlacer, ItsExceptionsPassThrough) {
  berth::register_placer({.name = "throws",
                          .summary = "for tests",
                          .place = [](const berth::Problem&, const berth::Request&) -> berth::Plan {
                            throw std::range_error("mine");
                          }});
  EXPECT_THROW(berth::place(small_problem(), {.method = "throws"}), std::range_error);
}

// What a program keeps of a call must outlive it.
TEST(ApiOwnPlacer, MayKeepTheProblem) {
  std::optional<berth::Problem> kept;
  berth::register_placer({.name = "keeps",
                          .summary = "for tests",
                          .place = [&](const berth::Problem& problem, const berth::Request& asked) {
                            kept = problem;
                            return all_on_one(problem, asked);
                          }});
  berth::place(small_problem(), {.method = "keeps"});
  EXPECT_EQ(kept->graph().op_name(3), "d");
}

}  // namespace
}  // namespace api_tests
