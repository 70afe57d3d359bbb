// Micro-benchmarks of what is called often or on large input.
#include <benchmark/benchmark.h>

#include "bench_problem.h"
#include "bounds/bounds.h"
#include "frontends/graph_file.h"
#include "sim/simulator.h"

namespace berth {
namespace {

BenchOptions options_of(const benchmark::State& state) {
  return {.ops = static_cast<std::size_t>(state.range(0))};
}

void count_ops(benchmark::State& state) {
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

void evaluate(benchmark::State& state) {
  const Problem problem = make_bench_problem(options_of(state));
  const auto plans = random_placements(problem, 16, 1);
  Simulator simulator(problem);
  std::size_t next = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(simulator.evaluate(plans[next++ % plans.size()]).step_seconds);
  }
  count_ops(state);
}
BENCHMARK(evaluate)->Arg(100)->Arg(1000)->Arg(20'000);

void evaluate_with_priorities(benchmark::State& state) {
  const Problem problem = make_bench_problem(options_of(state));
  auto plans = random_placements(problem, 16, 1);
  for (Plan& plan : plans) {
    for (std::size_t i = 0; i < problem.op_count(); ++i) {
      plan.priority.push_back(static_cast<double>((i * 7919) % 101));
    }
  }
  Simulator simulator(problem);
  std::size_t next = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(simulator.evaluate(plans[next++ % plans.size()]).step_seconds);
  }
  count_ops(state);
}
BENCHMARK(evaluate_with_priorities)->Arg(1000);

void evaluate_generally(benchmark::State& state) {
  const Problem problem = make_bench_problem(options_of(state));
  const auto plans = random_placements(problem, 16, 1);
  Simulator simulator(problem);
  std::size_t next = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        simulator.evaluate_generally(plans[next++ % plans.size()]).step_seconds);
  }
  count_ops(state);
}
BENCHMARK(evaluate_generally)->Arg(1000);

void trace(benchmark::State& state) {
  const Problem problem = make_bench_problem(options_of(state));
  const auto plans = random_placements(problem, 1, 1);
  Simulator simulator(problem);
  for (auto _ : state) benchmark::DoNotOptimize(simulator.trace(plans[0]).ops.size());
  count_ops(state);
}
BENCHMARK(trace)->Arg(1000);

void bounds(benchmark::State& state) {
  const Problem problem = make_bench_problem(options_of(state));
  for (auto _ : state) benchmark::DoNotOptimize(bounds::lower_bounds(problem).best.seconds);
  count_ops(state);
}
BENCHMARK(bounds)->Arg(1000)->Arg(100'000)->Unit(benchmark::kMillisecond);

void read_graph(benchmark::State& state) {
  const std::string text = graph_to_json(make_bench_problem(options_of(state)).graph());
  for (auto _ : state) benchmark::DoNotOptimize(parse_graph(text, "bench").op_count());
  count_ops(state);
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK(read_graph)->Arg(1000)->Arg(100'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace berth

BENCHMARK_MAIN();
