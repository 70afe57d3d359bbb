// What re-simulating only the part of a step that a move changes could save at best: the share of
// ops that have ended before the first of a move's effects, for moves of clusters of every family
// that the search uses. An effect is the end of an op whose output a moved op reads, since that is
// when it is sent elsewhere. Weights and other free ops, which end at the start of the step, are
// left out of account, as if telling them apart cost nothing.
// Usage: resimulation [cluster]
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "base/random.h"
#include "cluster/presets.h"
#include "frontends/model.h"
#include "place/groups/free_ops.h"
#include "place/placer.h"
#include "place/search/families.h"
#include "sim/simulator.h"

namespace berth {
namespace {

constexpr const char* kWorkloads[] = {"zoo:inception_v3", "zoo:resnet", "zoo:nmt",    "zoo:gnmt",
                                      "zoo:bert",         "zoo:gpt",    "zoo:layered"};
constexpr int kMovesOfFamily = 200;

// The share of ops that end before a move of the cluster has any effect.
double untouched_share(const Problem& problem, const place::FreeOps& free,
                       std::span<const GroupId> groups, const std::vector<double>& ends,
                       const std::vector<double>& sorted_ends) {
  double first = std::numeric_limits<double>::infinity();
  for (const GroupId group : groups) {
    for (const OpId op : problem.members(group)) {
      if (free.contains(op)) continue;
      double earliest = 0;
      bool reads = false;
      for (const TensorId tensor : problem.graph().inputs(op)) {
        const OpId producer = problem.graph().producer(tensor);
        if (free.contains(producer)) continue;
        const double end = ends[producer.index()];
        earliest = reads ? std::min(earliest, end) : end;
        reads = true;
      }
      first = std::min(first, earliest);
    }
  }
  const auto before = std::lower_bound(sorted_ends.begin(), sorted_ends.end(), first);
  return static_cast<double>(before - sorted_ends.begin()) /
         static_cast<double>(sorted_ends.size());
}

void measure(const char* workload, const std::string& cluster) {
  const Problem problem(load_model(workload).graph, make_preset(cluster));
  place::Request request;
  const Plan plan = place::parse_method("heft").place(problem, request).plan;
  const Timeline timeline = Simulator(problem).trace(plan);
  std::vector<double> ends(problem.op_count()), sorted_ends;
  for (const Timeline::OpRun& run : timeline.ops) {
    ends[run.op.index()] = run.end_seconds;
    sorted_ends.push_back(run.end_seconds);
  }
  std::sort(sorted_ends.begin(), sorted_ends.end());
  const place::GroupGraph graph(problem);
  const place::FreeOps free(problem);
  Random random(0);
  double all = 0, alone = 0;
  const std::vector<place::Family> families = place::make_families(problem, graph);
  for (const place::Family& family : families) {
    double sum = 0;
    for (int i = 0; i < kMovesOfFamily; ++i) {
      const auto groups = family.blocks.row(random.below(family.blocks.size()));
      sum += untouched_share(problem, free, groups, ends, sorted_ends);
    }
    const double share = sum / kMovesOfFamily;
    if (&family == &families.front()) alone = share;
    all += share / static_cast<double>(families.size());
  }
  fmt::print("{:18} {:8} {:14.0f}% {:14.0f}% {:12.2f}x\n", workload, problem.op_count(),
             100 * alone, 100 * all, 1 / (1 - all));
}

}  // namespace
}  // namespace berth

int main(int argc, char** argv) {
  const std::string cluster = argc > 1 ? argv[1] : "4xP100";
  fmt::print("share of ops that end before a move has any effect, {}\n", cluster);
  fmt::print("{:18} {:>8} {:>15} {:>15} {:>13}\n", "workload", "ops", "single groups",
             "all families", "at most");
  for (const char* workload : berth::kWorkloads) berth::measure(workload, cluster);
}
