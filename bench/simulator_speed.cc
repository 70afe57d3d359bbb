// Ops a second of the simulator with exact memory against the yardstick without, by size, in one
// run. The two take turns, so that the load of the machine hits both alike; every step time is
// compared before any time counts.
// Usage: simulator_speed [seconds per row [ops [devices [window]]]]; with ops, that row alone.
#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "bench_problem.h"
#include "sim/simulator.h"
#include "yardstick.h"

namespace berth {
namespace {

// Time this thread has really had: what other programs take of the machine does not count.
double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

struct Row {
  double yardstick_ns;  // an op
  double berth_ns;
};

Row measure(const BenchOptions& options, double seconds) {
  const Problem problem = make_bench_problem(options);
  const std::size_t plan_count = std::clamp<std::size_t>(200'000 / options.ops, 1, 64);
  const auto plans = random_placements(problem, plan_count, options.seed);
  Simulator simulator(problem);
  Yardstick yardstick(problem);
  for (const Plan& plan : plans) {
    const double expected = yardstick.step_seconds(plan);
    const double actual = simulator.evaluate(plan).step_seconds;
    if (expected != actual) {
      fmt::print(stderr, "step times differ: yardstick {}, simulator {}\n", expected, actual);
      std::exit(1);
    }
  }
  std::vector<double> yardstick_times, berth_times;
  const double begin = cpu_seconds();
  double sum = 0;
  while (cpu_seconds() - begin < seconds || berth_times.size() < 3) {
    double start = cpu_seconds();
    for (const Plan& plan : plans) sum += yardstick.step_seconds(plan);
    yardstick_times.push_back(cpu_seconds() - start);
    start = cpu_seconds();
    for (const Plan& plan : plans) sum -= simulator.evaluate(plan).step_seconds;
    berth_times.push_back(cpu_seconds() - start);
  }
  if (std::abs(sum) > 1e-6) std::exit(1);
  const double ops = static_cast<double>(options.ops * plans.size());
  return {1e9 * median(yardstick_times) / ops, 1e9 * median(berth_times) / ops};
}

void print_row(const BenchOptions& options, const Row& row, double base_ns) {
  fmt::print("{:>9} {:>8} {:>8} {:>14.2f} {:>14.2f} {:>8.2f} {:>10.1f} {:>10.2f}\n", options.ops,
             options.devices, options.window, 1e3 / row.yardstick_ns, 1e3 / row.berth_ns,
             row.yardstick_ns / row.berth_ns, row.berth_ns, row.berth_ns / base_ns);
}

}  // namespace
}  // namespace berth

int main(int argc, char** argv) {
  using namespace berth;
  const double seconds = argc > 1 ? std::atof(argv[1]) : 1.5;
  fmt::print(
      "The simulator with exact memory peaks against a plain event loop without memory.\n\n");
  fmt::print("{:>9} {:>8} {:>8} {:>14} {:>14} {:>8} {:>10} {:>10}\n", "ops", "devices", "window",
             "plain Mops/s", "Berth Mops/s", "ratio", "ns per op", "to 1,000");
  const BenchOptions base;
  if (argc > 2) {
    const auto argument = [&](int i, std::size_t otherwise) {
      return argc > i ? static_cast<std::size_t>(std::atoll(argv[i])) : otherwise;
    };
    const BenchOptions options{.ops = argument(2, base.ops),
                               .devices = argument(3, base.devices),
                               .window = argument(4, base.window)};
    const Row row = measure(options, seconds);
    print_row(options, row, row.berth_ns);
    return 0;
  }
  const double base_ns = measure(base, seconds).berth_ns;
  for (const std::size_t ops : {100, 1000, 5000, 20'000, 100'000, 1'000'000}) {
    const BenchOptions options{.ops = ops};
    print_row(options, measure(options, seconds), base_ns);
  }
  for (const std::size_t devices : {2, 8, 16, 64}) {
    const BenchOptions options{.devices = devices};
    print_row(options, measure(options, seconds), base_ns);
  }
  // Inputs from anywhere: no locality at all, the worst a graph can do to the cache.
  for (const std::size_t ops : {1000, 20'000, 1'000'000}) {
    const BenchOptions options{.ops = ops, .window = ops};
    print_row(options, measure(options, seconds), base_ns);
  }
  return 0;
}
