// How far proofs of optimality reach. docs/results/exact.txt keeps what these print.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

#include "place/placer.h"
#include "support/enumeration.h"
#include "support/odd_problem.h"
#include "support/small_problem.h"

namespace berth {
namespace {

constexpr double kSeconds = 60;  // for each problem

struct Attempt {
  place::Placed placed;
  double seconds = 0;

  bool fits() const { return placed.outcome.feasible; }
  bool proven() const {
    return placed.remark == "proven: no placement is shorter" ||
           placed.remark == "every placement was tried or ruled out, and none fits";
  }
};

Attempt attempt(const Problem& problem) {
  place::Request request;
  request.budget.seconds = kSeconds;
  const auto begin = std::chrono::steady_clock::now();
  Attempt result{.placed = place::parse_method("exact").place(problem, request)};
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  result.seconds = elapsed.count();
  return result;
}

struct Tally {
  int proven = 0;
  double slowest_seconds = 0;
};

Tally attempt_all(std::uint64_t first_seed, std::uint64_t count, std::size_t groups,
                  std::size_t devices) {
  Tally tally;
  for (std::uint64_t seed = first_seed; seed < first_seed + count; ++seed) {
    const Problem problem = small_problem(seed, groups, devices);
    const Attempt one = attempt(problem);
    const double bound = one.placed.bound_seconds;
    const double step = one.placed.outcome.step_seconds;
    fmt::print("{} x {}, seed {}: {} in {:.2f} s, {:.0f} evaluations, ", groups, devices, seed,
               one.proven() ? "closed" : "OPEN", one.seconds, one.placed.evaluations);
    if (one.fits()) {
      fmt::print("bound of the search {:.4f}, usual bound {:.4f} of the step\n", bound / step,
                 bounds::lower_bounds(problem).best.seconds / step);
    } else {
      fmt::print("nothing found that fits\n");
    }
    tally.proven += one.proven() ? 1 : 0;
    tally.slowest_seconds = std::max(tally.slowest_seconds, one.seconds);
  }
  fmt::print("{} x {}: {} of {} closed within {:.0f} s, the slowest took {:.2f} s\n", groups,
             devices, tally.proven, count, kSeconds, tally.slowest_seconds);
  return tally;
}

TEST(ExactLong, FindsTheOptimumOfOddProblems) {
  for (std::uint64_t seed = 1'000'000; seed < 1'060'000; ++seed) {
    SCOPED_TRACE(seed);
    const Problem problem = odd_problem(seed);
    const double shortest = shortest_step(problem);
    place::Request request;
    request.budget.evaluations = seed % 3 == 0 ? 60 : 20'000;
    const place::Placed placed = place::parse_method("exact").place(problem, request);
    ASSERT_LE(placed.bound_seconds, shortest);
    if (seed % 3 == 0) continue;
    ASSERT_EQ(placed.outcome.feasible, std::isfinite(shortest));
    if (!placed.outcome.feasible) continue;
    ASSERT_EQ(placed.bound_seconds, shortest);
    ASSERT_EQ(placed.outcome.step_seconds, shortest);
  }
}

TEST(ExactLong, ClosesADozenGroupsOnThreeDevices) {
  EXPECT_EQ(attempt_all(1000, 100, 12, 3).proven, 100);
}

TEST(ExactLong, ClosesMostOfTwentyGroupsOnFourDevices) {
  EXPECT_GE(attempt_all(1000, 100, 20, 4).proven, 80);
}

}  // namespace
}  // namespace berth
