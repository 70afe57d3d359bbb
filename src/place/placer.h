// The interface of every method: a name, options described by records, and a function from problem
// and request to a plan. Heuristics, partitioners, searches and learned policies are all placers,
// so `place`, `compare`, the conformance tests and the benchmarks treat them alike.
//
// To add one: name.h and name.cc with a function that returns its Placer, tests/place/name_test.cc,
// and one line in registry.cc. docs/adding-a-placer.md explains it step by step.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "base/options.h"
#include "base/stop.h"
#include "bounds/bounds.h"
#include "plan/plan.h"
#include "sim/outcome.h"

namespace berth::place {

// The progress of training; shown while it runs.
struct TrainingProgress {
  double evaluations = 0;
  std::int64_t updates = 0;
  double seconds = 0;
  double seconds_left = 0;   // at the pace so far; infinite when not known
  double fraction_done = 0;  // of the budget
  double best_step_seconds = 0;
  bool best_feasible = false;
  double mean_step_seconds = 0;  // of the last 200 samples that fit; 0 when there are none
  double entropy = 0;            // mean of a decision, nats
};

// The progress of a search; shown while it runs.
struct SearchProgress {
  double evaluations = 0;
  double seconds = 0;
  double fraction_done = 0;  // of the budget
  double best_step_seconds = 0;
  bool best_feasible = false;
  std::optional<TrainingProgress> training = {};  // of a learned method
};

// How much of a running plan has to stay. The cost of moving an op is not part of the step time.
struct MoveLimit {
  std::vector<DeviceId> devices;  // by op, where it is now; invalid where its device is lost
  std::size_t most_moved = 0;     // ops that may move, not counting those of lost devices
};

// A plan this close to a lower bound (relative) counts as optimal: the difference is rounding.
inline constexpr double kNoGap = 1e-9;

struct Request {
  Budget budget;
  std::uint64_t seed = 0;
  Tasks tasks;
  // A plan at most this much above a lower bound that the method knows ends the search: 0.01 is 1%.
  double gap = kNoGap;
  const Plan* start = nullptr;      // a plan to begin from; the result is never worse
  const MoveLimit* keep = nullptr;  // with a start plan that respects it; only `auto` takes it
  const Plan* expert = nullptr;     // the human expert's plan of the workload, where it has one
  const bounds::Bounds* bounds = nullptr;  // for these tasks, where the caller knows them already
  std::function<void(const SearchProgress&)> progress = {};
  StopToken stop = {};  // when it is set, the best plan so far is the result
  // Passed through to placers registered at run time: what their owner knows about the call.
  std::shared_ptr<const void> context = {};
};

// What a learned method reports about its policy, besides the best plan it has seen.
struct Learned {
  std::string start;                 // the placer whose plan came first
  Outcome start_outcome;             // of that plan
  Outcome greedy;                    // of the plan the final policy thinks best
  double sample_mean_seconds = 0;    // of the last samples (200 at most) that fit; 0 if none does
  std::int64_t samples = 0;          // how many of them there were
  double sample_feasible_share = 0;  // of the last samples
  std::int64_t updates = 0;
};

// What one phase of a search did, with the best plan before and after it.
struct PhaseReport {
  std::string name;
  double seconds = 0;
  double evaluations = 0;
  double step_seconds_before = 0;  // infinite where no plan that fits was known
  double step_seconds = 0;         // after it, likewise

  // By what part it shortened the step: 0.1 is 10%. None where one of the two is infinite.
  std::optional<double> gain() const;
};

// What a placer found. The plan is complete and valid; whether it fits is in the outcome.
struct Placed {
  Plan plan;
  Outcome outcome;
  double evaluations = 0;  // one is as many op simulations as the graph has ops
  bool interrupted = false;
  bool gap_reached = false;  // the search ended because the plan is within the gap of a bound
  double bound_seconds = 0;  // no plan is shorter, as the search itself has proved
  // The lower bounds for the request's tasks, where the search had to know them anyway.
  std::optional<bounds::Bounds> bounds = {};
  std::optional<Learned> learned = {};
  std::vector<PhaseReport> phases = {};  // in order, of a search that has them
  std::string remark;  // a sentence worth telling: "did not fit; split over 2 devices", or empty
  // Why the method has no plan for this problem, as a sentence. Where it is set, nothing else is:
  // that a method does not apply is a result, not an error.
  std::string not_applicable = {};
  bool applies() const { return not_applicable.empty(); }
};

struct Placer {
  std::string name;
  std::string summary;    // one line for `berth methods`
  std::string reference;  // where it comes from; may be empty
  std::vector<OptionSpec> options;
  std::function<Placed(const Problem&, const Request&, const Options&)> place;
  bool learned = false;            // done by the module of learned methods (learned/module.h)
  bool searches = false;           // uses up the budget; others make one or two plans
  bool knows_bound = false;        // ends within the gap of a lower bound (Request::gap)
  bool asks_every_device = false;  // tries every device per op, which takes minutes with thousands
};

// A method string such as "random(tries=100)" resolved against the registry.
struct Method {
  const Placer* placer;
  Options options;
  // For callers that need a plan: throws InputError with the code does_not_apply if there is none.
  Placed place(const Problem& problem, const Request& request) const;
  // For callers that try several methods: the plan, or why the method does not apply.
  Placed try_place(const Problem& problem, const Request& request) const {
    return placer->place(problem, request, options);
  }
  // Files that the options name as inputs, so that no output overwrites them.
  std::vector<std::string> input_files() const;
};

// The registry, in the order of listings: Berth's own placers, then those registered at run time.
// Placers stay where they are until the process ends; the list is a snapshot.
std::vector<std::reference_wrapper<const Placer>> placers();
// Adds a placer for the rest of the process, from any thread. Throws InputError for a name that is
// taken, or that parse_method could not read.
void register_placer(Placer placer);
Method parse_method(std::string_view text);  // throws InputError with the valid names or options

}  // namespace berth::place
