// How far proofs of optimality reach.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>

#include "place/placer.h"
#include "support/small_problem.h"

namespace berth {
namespace {

struct Attempt {
  Placed placed;
  double seconds = 0;
  bool proven() const {
    return placed.remark == "proven: no placement is shorter" ||
           placed.remark == "every placement was tried or ruled out, and none fits";
  }
};

Attempt attempt(const Problem& problem, double budget_seconds) {
  Request request;
  request.budget.seconds = budget_seconds;
  const auto begin = std::chrono::steady_clock::now();
  Attempt result{.placed = parse_method("exact").place(problem, request)};
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

TEST(ExactLong, Scratch) {
  const auto env = [](const char* n, int v) { return getenv(n) ? atoi(getenv(n)) : v; };
  const int from = env("FROM", 0), count = env("COUNT", 10);
  const int groups = env("GROUPS_", 12), devices = env("DEVICES", 3);
  int proven = 0;
  double total = 0;
  for (int seed = from; seed < from + count; ++seed) {
    const Problem problem = small_problem(std::uint64_t(seed), std::size_t(groups), std::size_t(devices));
    const Attempt one = attempt(problem, env("SECONDS_", 60));
    proven += one.proven();
    total += one.seconds;
    fmt::print("{} {} {:.2f}s evals {:.0f} step {:.6f} root {:.3f} gap {:.4f} {} {} tight {} alike {}\n", seed,
               one.proven() ? "proven" : "OPEN", one.seconds, one.placed.evaluations,
               one.placed.outcome.step_seconds,
               lower_bounds(problem).best.seconds / one.placed.outcome.step_seconds,
               one.placed.outcome.step_seconds / one.placed.bound_seconds - 1,
               one.placed.outcome.feasible ? "" : "infeasible", problem.cluster().name(), problem.usable_bytes(DeviceId(0))!=kUnlimitedBytes, problem.class_count());
    fflush(stdout);
  }
  fmt::print("proven {} of {} in {:.1f} s\n", proven, count, total);
}

}  // namespace
}  // namespace berth
