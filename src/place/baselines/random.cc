#include "place/baselines/random.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/random.h"
#include "place/groups/units.h"
#include "place/remarks.h"
#include "place/repair/memory_repair.h"
#include "place/repair/route_repair.h"

namespace berth::place {
namespace {

constexpr double kTriesWithoutBudget = 100;
constexpr double kTriesBeforeRepair = 100;

// The groups that draw a device together. `ops` keeps groups in their own order.
std::vector<std::vector<GroupId>> groups_by_unit(const Problem& problem, const std::string& text) {
  std::vector<std::vector<GroupId>> groups;
  if (text == "ops") {
    for (std::size_t group = 0; group < problem.group_count(); ++group) {
      groups.push_back({GroupId(group)});
    }
    return groups;
  }
  const Units units = make_units(problem, text);
  groups.resize(units.size());
  for (std::size_t index = 0; index < problem.group_count(); ++index) {
    const GroupId group(index);
    groups[units.of_op[problem.members(group).front().index()]].push_back(group);
  }
  return groups;
}

class BlindSearch {
 public:
  BlindSearch(const Problem& problem, const Request& request, const std::string& units)
      : problem_(problem),
        units_(groups_by_unit(problem, units)),
        evaluator_(problem, request),
        random_(request.seed),
        routed_(fully_routed(problem.cluster())),
        graph_(problem),
        costs_(problem) {}

  Placed run(double tries, double tries_before_repair) {
    for (double drawn = 0; drawn < tries && !evaluator_.exhausted();) {
      draw();
      drawn += 1;
      // Once only: repair costs many evaluations, and the budget is for drawing.
      if (drawn == tries_before_repair && !evaluator_.exhausted()) repair();
    }
    return evaluator_.finish(remark());
  }

 private:
  void draw() {
    GroupDevices devices(problem_.group_count());
    for (const std::vector<GroupId>& unit : units_) {
      const std::span<const DeviceId> allowed = problem_.allowed_devices(unit.front());
      const DeviceId device = allowed[random_.below(allowed.size())];
      for (const GroupId group : unit) devices[group.index()] = device;
    }
    if (!routed_) repair_routes(problem_, graph_, devices);
    const Outcome& outcome = evaluator_.consider(plan_of(problem_, devices));
    if (any_drawn_ && !better(outcome, best_outcome_)) return;
    any_drawn_ = true;
    best_outcome_ = outcome;
    best_devices_ = std::move(devices);
  }

  void repair() {
    if (best_outcome_.feasible) return;
    repaired_ = repair_memory({problem_, graph_, costs_}, evaluator_, best_devices_, best_outcome_);
  }

  std::string remark() const {
    if (repaired_ && !best_outcome_.feasible) {
      return "no draw fits in memory; the plan is a draw with groups moved";
    }
    return remark_on(evaluator_.best_outcome());
  }

  const Problem& problem_;
  std::vector<std::vector<GroupId>> units_;
  Evaluator evaluator_;
  Random random_;
  bool routed_;
  GroupGraph graph_;
  GroupCosts costs_;
  bool any_drawn_ = false;
  bool repaired_ = false;
  Outcome best_outcome_;       // of the draws alone
  GroupDevices best_devices_;  // likewise
};

Placed place_at_random(const Problem& problem, const Request& request, const Options& options) {
  const Budget& budget = request.budget;
  double tries = static_cast<double>(options.integer("tries"));
  if (tries == 0) {
    tries = budget == Budget{} ? kTriesWithoutBudget : std::numeric_limits<double>::infinity();
  }
  const double half_budget = std::max(1.0, std::floor(budget.evaluations / 2));
  return BlindSearch(problem, request, options.text("units"))
      .run(tries, std::min({tries, kTriesBeforeRepair, half_budget}));
}

}  // namespace

Placer random_placer() {
  return {.name = "random",
          .summary = "the best of many placements drawn uniformly at random",
          .reference = "",
          .options = {{.name = "tries",
                       .type = OptionSpec::Type::integer,
                       .default_value = "0",
                       .sentence = "Maximum number of draws; 0 for as many as the budget allows, "
                                   "or 100 when it is unlimited."},
                      {.name = "units",
                       .type = OptionSpec::Type::text,
                       .default_value = "ops",
                       .sentence = "What gets a device in each draw: a number N for at most N "
                                   "units made by acyclic coarsening, `coloc` for colocation "
                                   "groups (labels, then ops with only one reader), `ops`, or "
                                   "`auto` for ops or 256, whichever gives the shorter list "
                                   "schedule."}},
          .place = place_at_random,
          .searches = true};
}

}  // namespace berth::place
