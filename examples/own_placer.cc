// Your own placer: registered at run time, it works by name like those of Berth.
//
// "lightest" takes the groups of ops in topological order and gives each to the device that has
// the least work so far. It does not look at transfers, so Berth's own search should win; with the
// plan of "lightest" as its start, the search is never worse than that.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "berth/berth.h"

namespace {

double seconds_of(const berth::Problem& problem, std::size_t group, std::size_t device) {
  double seconds = 0;
  for (const std::size_t op : problem.members(group)) seconds += problem.seconds(op, device);
  return seconds;
}

berth::Plan place_lightest(const berth::Problem& problem, const berth::Request&) {
  berth::Plan plan;
  plan.placement.resize(problem.op_count());
  std::vector<double> work(problem.device_count(), 0);
  std::vector<bool> placed(problem.group_count(), false);
  for (const std::size_t op : problem.graph().topological_order()) {
    const std::size_t group = problem.group(op);
    if (placed[group]) continue;
    const std::vector<std::size_t> allowed = problem.allowed_devices(group);
    const auto done_at = [&](std::size_t device) {
      return work[device] + seconds_of(problem, group, device);
    };
    const std::size_t best =
        *std::min_element(allowed.begin(), allowed.end(),
                          [&](std::size_t a, std::size_t b) { return done_at(a) < done_at(b); });
    work[best] = done_at(best);
    placed[group] = true;
    for (const std::size_t member : problem.members(group)) plan.placement[member] = best;
  }
  return plan;
}

}  // namespace

int main() try {
  berth::register_placer({.name = "lightest",
                          .summary = "groups in topological order, each to the least loaded device",
                          .place = place_lightest});

  const berth::Problem problem(berth::Graph::load("zoo:inception_v3:batch=8"),
                               berth::Cluster::load("2xP100"));
  for (const std::string method : {"lightest", "etf", "auto"}) {
    const berth::Placed placed =
        berth::place(problem, {.method = method, .budget = {.evaluations = 300}});
    std::printf("%-10s %8.3f ms\n", method.c_str(), 1e3 * placed.outcome.step_seconds);
  }
  const berth::Plan start = berth::place(problem, {.method = "lightest"}).plan;
  const berth::Placed improved =
      berth::place(problem, {.budget = {.evaluations = 300}, .start = start});
  std::printf("%-10s %8.3f ms\n", "improved", 1e3 * improved.outcome.step_seconds);
  return 0;
} catch (const berth::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
