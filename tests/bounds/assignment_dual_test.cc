// The work bound's linear program: against closed forms, against slow but plain searches of the
// dual, and its simplex against programs solved by hand.
#include "bounds/assignment_dual.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "base/random.h"
#include "bounds/small_simplex.h"

namespace berth::bounds {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

AssignmentProgram random_program(Random& random, std::size_t items, std::size_t kinds) {
  AssignmentProgram program;
  for (std::size_t k = 0; k < kinds; ++k) {
    program.slots.push_back(static_cast<double>(random.between(1, 4)));
    program.capacity.push_back(kInfinity);
  }
  for (std::size_t i = 0; i < items; ++i) {
    const double size = std::exp(3 * random.uniform());
    const std::size_t possible = random.below(kinds);
    for (std::size_t k = 0; k < kinds; ++k) {
      const bool closed = k != possible && random.chance(0.1);
      program.seconds.push_back(closed ? kInfinity : size * std::exp(2 * random.uniform()));
    }
    program.bytes.push_back(std::floor(100 * random.uniform()));
  }
  return program;
}

// Greatest value of a concave function on [0, 1], by golden section.
double greatest(const std::function<double(double)>& concave) {
  const double ratio = (std::sqrt(5.0) - 1) / 2;
  double low = 0;
  double high = 1;
  double left = high - ratio * (high - low);
  double right = low + ratio * (high - low);
  double left_value = concave(left);
  double right_value = concave(right);
  for (int step = 0; step < 60; ++step) {
    if (left_value < right_value) {
      low = left;
      left = right;
      left_value = right_value;
      right = low + ratio * (high - low);
      right_value = concave(right);
    } else {
      high = right;
      right = left;
      right_value = left_value;
      left = high - ratio * (high - low);
      left_value = concave(left);
    }
  }
  return std::max({left_value, right_value, concave(0), concave(1)});
}

void expect_close(double actual, double expected) {
  EXPECT_LE(actual, expected * (1 + 1e-12));
  EXPECT_GE(actual, expected * (1 - 1e-8));
}

// Two kinds without memory: sorted by the ratio of costs, a first part goes to one kind and the
// rest to the other, and one item is split so that both end together.
double two_kinds(const AssignmentProgram& program) {
  const std::vector<double>& seconds = program.seconds;
  std::vector<std::size_t> order(program.items());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto ratio = [&](std::size_t i) {
    return seconds[2 * i] == kInfinity ? kInfinity : seconds[2 * i] / seconds[2 * i + 1];
  };
  std::sort(order.begin(), order.end(),
            [&](std::size_t left, std::size_t right) { return ratio(left) < ratio(right); });
  double best = kInfinity;
  for (std::size_t split = 0; split < order.size(); ++split) {
    double first = 0;
    double second = 0;
    for (std::size_t i = 0; i < split; ++i) first += seconds[2 * order[i]];
    for (std::size_t i = split + 1; i < order.size(); ++i) second += seconds[2 * order[i] + 1];
    // The split item: x of it on the first kind, where both times are equal or x is at an end.
    const double a = seconds[2 * order[split]];
    const double b = seconds[2 * order[split] + 1];
    for (double x : {0.0, 1.0, -1.0}) {
      if (x < 0) {
        if (a == kInfinity || b == kInfinity) continue;
        x = ((second + b) * program.slots[0] - first * program.slots[1]) /
            (a * program.slots[1] + b * program.slots[0]);
        if (x < 0 || x > 1) continue;
      }
      const double on_first = first + (x == 0 ? 0 : x * a);
      const double on_second = second + (x == 1 ? 0 : (1 - x) * b);
      best = std::min(best, std::max(on_first / program.slots[0], on_second / program.slots[1]));
    }
  }
  return best;
}

TEST(AssignmentDual, OneKindIsTheSumOverSlots) {
  const AssignmentProgram program{{4}, {kInfinity}, {1, 2, 3.5}, {0, 0, 0}};
  EXPECT_NEAR(maximise_dual(program).seconds, 6.5 / 4, 1e-14);
  EXPECT_LE(maximise_dual(program).seconds, 6.5 / 4);
}

TEST(AssignmentDual, NothingToDoTakesNoTime) {
  EXPECT_EQ(maximise_dual({{1, 1}, {kInfinity, kInfinity}, {}, {}}).seconds, 0);
  EXPECT_EQ(maximise_dual({{1, 1}, {kInfinity, kInfinity}, {0, 0, 0, 5}, {0, 0}}).seconds, 0);
}

TEST(AssignmentDual, TwoKindsMatchTheClosedForm) {
  Random random(1);
  for (int i = 0; i < 200; ++i) {
    SCOPED_TRACE(i);
    const auto items = static_cast<std::size_t>(random.between(1, 60));
    const AssignmentProgram program = random_program(random, items, 2);
    expect_close(maximise_dual(program).seconds, two_kinds(program));
  }
}

TEST(AssignmentDual, ThreeKindsMatchAPlainSearch) {
  Random random(2);
  for (int i = 0; i < 30; ++i) {
    SCOPED_TRACE(i);
    const auto items = static_cast<std::size_t>(random.between(1, 30));
    const AssignmentProgram program = random_program(random, items, 3);
    const double expected = greatest([&](double first) {
      return greatest([&](double share) {
        const double second = (1 - first) * share;
        return dual_value(program,
                          {first / program.slots[0], second / program.slots[1],
                           std::max(1 - first - second, 0.0) / program.slots[2]},
                          {0, 0, 0});
      });
    });
    expect_close(maximise_dual(program).seconds, expected);
  }
}

TEST(AssignmentDual, MemoryOfTheFastKindMatchesAPlainSearch) {
  Random random(3);
  for (int i = 0; i < 60; ++i) {
    SCOPED_TRACE(i);
    const auto items = static_cast<std::size_t>(random.between(3, 30));
    AssignmentProgram program = random_program(random, items, 2);
    double total = 0;
    for (std::size_t item = 0; item < items; ++item) {
      program.seconds[2 * item] = program.seconds[2 * item + 1] * (0.1 + 0.2 * random.uniform());
      if (program.seconds[2 * item] == kInfinity) {
        program.seconds[2 * item] = 1;
        program.seconds[2 * item + 1] = 2;
      }
      total += program.bytes[item];
    }
    program.capacity[0] = total * (0.2 + 0.6 * random.uniform()) + 1;
    const double widest = 20 * maximise_dual(program).seconds / program.capacity[0];
    const double expected = greatest([&](double first) {
      return greatest([&](double byte_price) {
        return dual_value(program, {first / program.slots[0], (1 - first) / program.slots[1]},
                          {byte_price * widest, 0});
      });
    });
    expect_close(maximise_dual(program).seconds, expected);
  }
}

TEST(AssignmentDual, MemoryForcesWorkOntoTheSlowKind) {
  // Four equal items; the fast kind holds one of them. By hand: the other three take 30 s on the
  // slow kind, whatever the fast one does.
  const AssignmentProgram program{
      {1, 1}, {10, kInfinity}, {1, 10, 1, 10, 1, 10, 1, 10}, {10, 10, 10, 10}};
  expect_close(maximise_dual(program).seconds, 30);
}

TEST(AssignmentDual, ManyKindsReachTheOptimumOfASymmetricProgram) {
  // Every item likes its own kind: all on it is optimal, and equal on all kinds.
  const std::size_t kinds = 12;
  AssignmentProgram program;
  program.slots.assign(kinds, 2);
  program.capacity.assign(kinds, kInfinity);
  for (std::size_t i = 0; i < 10 * kinds; ++i) {
    for (std::size_t k = 0; k < kinds; ++k) program.seconds.push_back(k == i % kinds ? 1 : 7);
    program.bytes.push_back(0);
  }
  expect_close(maximise_dual(program).seconds, 5);
}

TEST(AssignmentDual, AnyPricesAreBelowTheOptimum) {
  Random random(4);
  for (int i = 0; i < 200; ++i) {
    AssignmentProgram program = random_program(random, 12, 4);
    program.capacity = {500, 400, kInfinity, 300};
    const double best = maximise_dual(program).seconds;
    std::vector<double> slot_prices(4);
    std::vector<double> byte_prices(4, 0);
    for (std::size_t k = 0; k < 4; ++k) {
      slot_prices[k] = random.uniform();
      if (k != 2) byte_prices[k] = 0.01 * random.uniform();
    }
    EXPECT_LE(dual_value(program, slot_prices, byte_prices), best * (1 + 1e-8));
  }
}

TEST(SmallSimplex, SolvesAProgramByHand) {
  // max 3x + 5y, x <= 4, 2y <= 12, 3x + 2y <= 18: 36 at (2, 6), with prices 0, 3/2 and 1.
  SmallSimplex simplex({4, 12, 18});
  const double first[] = {1, 0, 3};
  const double second[] = {0, 2, 2};
  const std::size_t x = simplex.add_column(-3, first);
  const std::size_t y = simplex.add_column(-5, second);
  std::vector<std::size_t> slacks;
  for (std::size_t row = 0; row < 3; ++row) {
    std::vector<double> unit(3, 0);
    unit[row] = 1;
    slacks.push_back(simplex.add_column(0, unit));
  }
  simplex.set_basis(slacks);
  ASSERT_TRUE(simplex.optimise(100));
  EXPECT_NEAR(simplex.objective(), -36, 1e-12);
  EXPECT_NEAR(simplex.value(x), 2, 1e-12);
  EXPECT_NEAR(simplex.value(y), 6, 1e-12);
  EXPECT_NEAR(simplex.duals()[0], 0, 1e-12);
  EXPECT_NEAR(simplex.duals()[1], -1.5, 1e-12);
  EXPECT_NEAR(simplex.duals()[2], -1, 1e-12);

  // A better column arrives: z at 10 a unit, sharing the last row.
  const double third[] = {0, 0, 3};
  const std::size_t z = simplex.add_column(-10, third);
  ASSERT_TRUE(simplex.optimise(100));
  EXPECT_NEAR(simplex.objective(), -60, 1e-12);
  EXPECT_NEAR(simplex.value(z), 6, 1e-12);
}

TEST(SmallSimplex, EndsOnADegenerateProgram) {
  // Beale's example, on which the rule of the most negative reduced cost can cycle: optimum -1/20.
  SmallSimplex simplex({0, 0, 1});
  const double columns[4][3] = {
      {0.25, 0.5, 0}, {-60, -90, 0}, {-1.0 / 25, -1.0 / 50, 1}, {9, 3, 0}};
  const double costs[4] = {-0.75, 150, -0.02, 6};
  for (int j = 0; j < 4; ++j) simplex.add_column(costs[j], columns[j]);
  std::vector<std::size_t> slacks;
  for (std::size_t row = 0; row < 3; ++row) {
    std::vector<double> unit(3, 0);
    unit[row] = 1;
    slacks.push_back(simplex.add_column(0, unit));
  }
  simplex.set_basis(slacks);
  ASSERT_TRUE(simplex.optimise(1000));
  EXPECT_NEAR(simplex.objective(), -0.05, 1e-12);
}

}  // namespace
}  // namespace berth::bounds
