// Taking a move back is an exact round trip, whatever the move was made of.
#include "place/search/state.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "place/move_limit.h"
#include "support/constrained_problem.h"

namespace berth::place {
namespace {

struct Snapshot {
  Plan plan;
  std::vector<DeviceId> devices;
  std::size_t moved_ops;
  bool worth_a_look;

  bool operator==(const Snapshot&) const = default;
};

Snapshot snapshot(const SearchState& state, const Problem& problem) {
  Snapshot taken{state.plan(), {}, state.moved_ops(), state.is_worth_a_look()};
  for (std::size_t group = 0; group < problem.group_count(); ++group) {
    taken.devices.push_back(state.device(GroupId(group)));
  }
  return taken;
}

// One to eight changes of any kind, in any order.
void change(SearchState& state, const Problem& problem, Random& random) {
  const auto any_op = [&] { return OpId(random.below(problem.op_count())); };
  for (std::int64_t i = random.between(1, 8); i > 0; --i) {
    switch (random.below(4)) {
      case 0: {
        std::vector<double> priorities(problem.op_count());
        for (double& priority : priorities) priority = random.uniform();
        state.set_priorities(std::move(priorities));
        break;
      }
      case 1:
        state.raise_over(any_op(), any_op());
        break;
      default:
        state.move(GroupId(random.below(problem.group_count())),
                   DeviceId(random.below(problem.device_count())));
    }
  }
}

TEST(SearchState, UndoIsAnExactRoundTrip) {
  int changed = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    const PlantedProblem planted = constrained_problem(seed, {.least_devices = 2});
    const Problem& problem = planted.problem;
    Random random(seed);
    const MoveLimit limit{.devices = planted.plan.placement, .most_moved = problem.op_count()};
    SearchState state(problem, seed % 2 == 0 ? &limit : nullptr);
    state.reset(planted.plan);
    for (int i = 0; i < 100; ++i) {
      const Snapshot before = snapshot(state, problem);
      change(state, problem, random);
      changed += state.plan() != before.plan;
      state.undo();
      ASSERT_EQ(snapshot(state, problem), before) << "after change " << i;
      // On to another state, so that undoing is tried from everywhere.
      change(state, problem, random);
      state.accept();
      ASSERT_EQ(state.moved_ops(), seed % 2 == 0 ? count_moved(limit, state.plan()) : 0);
    }
  }
  EXPECT_GT(changed, 5000);
}

}  // namespace
}  // namespace berth::place
