// Running a method: what `place` and `compare` share.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/running_plan.h"
#include "cli/setting.h"
#include "place/placer.h"
#include "report/analysis.h"

namespace berth::cli {

inline constexpr const char* kDefaultMethod = "auto";
// Constructive methods take a fraction of a second; this is for those that search as long as they
// may.
inline constexpr const char* kDefaultBudget = "10s";

std::uint64_t parse_seed(const std::string& text);  // throws InputError
double parse_gap(const std::string& text);          // "1%" or "0.01"; throws InputError

struct SearchArguments {
  std::string budget = kDefaultBudget;
  std::string seed = "0";
  std::string tasks = "placement";
  std::string from = {};  // a plan to start from
  std::string keep = {};  // how much of it stays
  std::string gap = {};   // to the lower bound, that is close enough

  void declare(Arguments& arguments);
};

// The arguments understood, with the plans they name. Hand it around by reference: the request
// points into it.
struct Search {
  place::Request request;
  std::optional<RunningPlan> running;  // the plan to start from
  std::optional<Plan> expert;

  Search(const SearchArguments& arguments, const Setting& setting, const Console& console);
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;
};

struct Found {
  place::Placed placed;
  double search_seconds = 0;
};

// Why the search ended before its budget was spent, if that was because of the gap; else empty.
std::string ended_early(const place::Placed& placed, double gap);

// One line for a terminal: how far the search is, its best step, and what Ctrl-C does.
std::string progress_line(const std::string& name, const place::SearchProgress& progress);

// Runs it with progress on a terminal under that name; Ctrl-C makes it return its best plan so far.
Found run_search(const std::string& name, const place::Request& request, const Console& console,
                 const std::function<place::Placed(const place::Request&)>& place);

// The same for a method, its name behind the heading if there is one.
Found run_method(const place::Method& method, const Setting& setting, const place::Request& request,
                 const Console& console, const std::string& heading = "");

// The lower bounds of a problem for the decisions of each row of a table, each computed once.
class TaskBounds {
 public:
  // The problem must outlive this.
  explicit TaskBounds(const Problem& problem) : problem_(problem) {}
  const bounds::Bounds& of(Tasks tasks);
  // Those computed already, or null: for a search that needs them. Bounds proved by other searches
  // are not included, so that the plan of a method does not depend on the methods it is compared
  // with.
  const bounds::Bounds* known(Tasks tasks) const;
  // What a search has proved holds for all rows with the same tasks.
  void learn(Tasks tasks, const place::Placed& placed);

 private:
  const Problem& problem_;
  std::map<std::string, bounds::Bounds> known_;
};

// The bounds with what the search itself has proved, where that is more.
bounds::Bounds with_proof(bounds::Bounds bounds, const place::Placed& placed);
// The same for a plan just found, whose search may have worked the bounds out already.
bounds::Bounds bounds_of(const Problem& problem, Tasks tasks, const place::Placed& placed);

// Plans that need no search, for comparison: the best single device, a naive split and the human
// expert's plan, where there is one. Methods that do not apply are left out.
std::vector<report::Reference> reference_plans(const Setting& setting, const Plan* expert);

// What a plan file records about the origin of its plan.
PlanRecord plan_record(const Setting& setting, const place::Request& request,
                       const std::string& method, const Outcome& outcome,
                       const bounds::Bound& bound);

}  // namespace berth::cli
