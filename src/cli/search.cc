#include "cli/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>

#include "base/decimal.h"
#include "base/error.h"
#include "base/progress.h"
#include "base/quantity.h"
#include "cli/interrupt.h"
#include "cli/train_answer.h"
#include "report/assumptions.h"
#include "report/text.h"

namespace berth::cli {
namespace {

// The time limit for all plans to compare with: on a large problem that does not fit, repairing
// them would take longer than the search.
constexpr double kReferenceOpSimulations = 2e6;
// Methods to compare a plan with, and how they are called.
constexpr std::pair<std::string_view, std::string_view> kReferences[] = {
    {"single", "best single device"}, {"round_robin", "round robin"}, {"expert", "human expert"}};

constexpr const char* kProofName = "search";  // of a bound

}  // namespace

std::string progress_line(const std::string& method, const place::SearchProgress& progress) {
  if (progress.training) return training_line(method, *progress.training, "keeps the best");
  std::string best = "nothing yet";
  if (progress.best_step_seconds > 0) best = format_seconds(progress.best_step_seconds);
  if (!progress.best_feasible) best += " (does not fit yet)";
  return fmt::format("{}  {} {:.0f}%  best {}  {} evals  {:.0f} s  (Ctrl-C: keep best)", method,
                     report::text_bar(progress.fraction_done, 6), progress.fraction_done * 100,
                     best, format_count(static_cast<std::uint64_t>(progress.evaluations)),
                     progress.seconds);
}

std::uint64_t parse_seed(const std::string& text) {
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw InputError(
        fmt::format("--seed is a whole number from 0 to 2^64 - 1, not {}", quoted(text)));
  }
  return seed;
}

double parse_gap(const std::string& text) {
  if (text.empty()) return place::kNoGap;
  constexpr double kLargest = 100;
  const Decimal number = parse_decimal(text);
  const std::string_view unit = trimmed(std::string_view(text).substr(number.length));
  const double gap = unit == "%" ? number.value / 100 : number.value;
  const bool known = number.length > 0 && (unit == "%" || unit.empty());
  // It is not clear whether a bare 5 means 5%.
  if (!known || !(gap >= 0 && gap <= kLargest) || (unit.empty() && gap >= 1)) {
    throw InputError(fmt::format(
        "--gap is how far above the lower bound a plan may be to end the search, as in --gap 1% or "
        "--gap 0.01, not {}",
        quoted(text)));
  }
  return std::max(gap, place::kNoGap);
}

void SearchArguments::declare(Arguments& arguments) {
  arguments.option("-b,--budget", "BUDGET", budget,
                   fmt::format("What a search may spend: 10s, 5000evals; default {}.", budget));
  arguments.option("--seed", "N", seed, "Seed of the random numbers; default 0.");
  arguments.option("--tasks", "LIST", tasks,
                   "What to decide: placement (default), schedule, fusion.");
  arguments.option("--gap", "PART", gap,
                   "Stop when a plan is this close to the lower bound: 1%, 0.01.");
  arguments.option("--from", "PLAN", from, "A plan to start from; the result is never worse.");
  arguments.reads_file("--from");
}

Search::Search(const SearchArguments& arguments, const Setting& setting, const Console& console) {
  request.budget = parse_budget(arguments.budget);
  request.seed = parse_seed(arguments.seed);
  request.tasks = parse_tasks(arguments.tasks);
  request.gap = parse_gap(arguments.gap);
  const std::optional<double> keep = parse_keep(arguments.keep);
  if (keep && arguments.from.empty()) {
    throw InputError(
        "--keep limits how many ops of a running plan move; name that plan with --from");
  }
  if (!arguments.from.empty()) {
    running = load_running_plan(arguments.from, keep, setting, console);
    const Plan& start = running->start;
    request.start = &start;
    if (keep) request.keep = &running->move_limit;
    // The bound must hold for what the start plan does, since the result may be that plan.
    request.tasks.schedule = request.tasks.schedule || !start.priority.empty();
    request.tasks.fusion = request.tasks.fusion || !start.fused.empty();
  }
  expert = expert_plan(setting);
  if (expert) request.expert = &*expert;
}

std::string ended_early(const place::Placed& placed, double gap) {
  if (!placed.gap_reached) return "";
  if (gap <= place::kNoGap) return "ended early: the lower bound is reached";
  return fmt::format("ended early: within {} of the lower bound", report::format_percent(gap));
}

Found run_search(const std::string& name, const place::Request& request, const Console& console,
                 const std::function<place::Placed(const place::Request&)>& place) {
  Interrupt::install();
  Progress progress(!console.quiet());
  place::Request observed = request;
  observed.stop = Interrupt::token();
  observed.progress = [&](const place::SearchProgress& at) {
    progress.update(progress_line(name, at));
  };
  const auto begin = std::chrono::steady_clock::now();
  Found found;
  found.placed = place(observed);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  found.search_seconds = elapsed.count();
  return found;
}

Found run_method(const place::Method& method, const Setting& setting, const place::Request& request,
                 const Console& console, const std::string& heading) {
  const std::string name =
      (heading.empty() ? "" : heading + "  ") + report::plain_name(method.options.canonical(), 30);
  return run_search(name, request, console, [&](const place::Request& observed) {
    return method.place(*setting.problem, observed);
  });
}

const bounds::Bounds& TaskBounds::of(Tasks tasks) {
  const auto [entry, is_new] = known_.try_emplace(format_tasks(tasks));
  if (is_new) entry->second = bounds::lower_bounds(problem_, tasks);
  return entry->second;
}

const bounds::Bounds* TaskBounds::known(Tasks tasks) const {
  const auto entry = known_.find(format_tasks(tasks));
  if (entry == known_.end() || entry->second.best.name == kProofName) return nullptr;
  return &entry->second;
}

void TaskBounds::learn(Tasks tasks, const place::Placed& placed) {
  const auto [entry, is_new] = known_.try_emplace(format_tasks(tasks));
  entry->second =
      is_new ? bounds_of(problem_, tasks, placed) : with_proof(std::move(entry->second), placed);
}

bounds::Bounds bounds_of(const Problem& problem, Tasks tasks, const place::Placed& placed) {
  return with_proof(placed.bounds ? *placed.bounds : bounds::lower_bounds(problem, tasks), placed);
}

bounds::Bounds with_proof(bounds::Bounds bounds, const place::Placed& placed) {
  if (placed.bound_seconds <= bounds.best.seconds) return bounds;
  bounds.best = {placed.bound_seconds, kProofName, "the search proved that no plan is shorter",
                 bounds.best.tasks};
  bounds.all.push_back(bounds.best);
  return bounds;
}

std::vector<report::Reference> reference_plans(const Setting& setting, const Plan* expert) {
  std::vector<report::Reference> references;
  place::Request request;
  const auto ops = static_cast<double>(std::max<std::size_t>(1, setting.problem->op_count()));
  request.budget.evaluations = std::clamp(std::floor(kReferenceOpSimulations / ops), 1.0, 1000.0);
  request.expert = expert;
  for (const auto& [method, title] : kReferences) {
    if (method == "expert" && expert == nullptr) continue;
    place::Placed placed = place::parse_method(method).try_place(*setting.problem, request);
    if (!placed.applies()) continue;
    references.push_back({std::string(title), std::move(placed.outcome), std::string(method)});
  }
  return references;
}

PlanRecord plan_record(const Setting& setting, const place::Request& request,
                       const std::string& method, const Outcome& outcome,
                       const bounds::Bound& bound) {
  PlanRecord record;
  record.model = setting.model->spec;
  record.model_sha256 = model_sha256(*setting.model);
  const DType precision = report::precision_facts(*setting.problem).products;
  if (precision != DType::unknown) record.precision = dtype_name(precision);
  record.cluster = setting.cluster_text;
  record.cluster_sha256 = setting.cluster_sha256;
  record.method = method;
  record.seed = request.seed;
  record.budget = format_budget(request.budget);
  record.step_seconds = outcome.step_seconds;
  record.lower_bound_seconds = bound.seconds;
  record.feasible = outcome.feasible;
  record.peak_bytes = outcome.peak_bytes;
  record.berth_version = BERTH_VERSION;
  return record;
}

}  // namespace berth::cli
