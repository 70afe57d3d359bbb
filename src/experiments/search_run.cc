#include "experiments/search_run.h"

#include <fmt/format.h>

#include "base/error.h"
#include "experiments/subject.h"

namespace berth::experiments {
namespace {

// One figure of a pair, before it is measured.
struct Contest {
  std::string name;  // of the figure
  std::string method;
  Budget budget;
  Tasks tasks = {};
};

// Placers to compare auto with: not itself, and not those that take an hour or must be trained
// first.
bool is_baseline(const place::Placer& placer, const Subject& subject) {
  if (placer.name == "expert") return subject.expert() != nullptr;
  return placer.name != "auto" && placer.name != "exact" && !placer.learned;
}

std::vector<Contest> contests_of(const Subject& subject, const SearchRun& run,
                                 const std::vector<Budget>& budgets) {
  const Budget& main_budget = budgets[budgets.size() / 2];
  std::vector<Contest> contests;
  for (const place::Placer& placer : place::placers()) {
    if (is_baseline(placer, subject)) contests.push_back({placer.name, placer.name, main_budget});
  }
  for (const Budget& budget : budgets) {
    contests.push_back({SearchRun::auto_figure(format_budget(budget)), "auto", budget});
  }
  contests.push_back({run.schedule_figure(), "auto", main_budget, {.schedule = true}});
  return contests;
}

SearchFigure measure(const Contest& contest, Subject& subject, std::uint64_t seed,
                     const std::string& heading) {
  SearchFigure figure{.name = contest.name,
                      .method = contest.method,
                      .tasks = format_tasks(contest.tasks),
                      .budget = format_budget(contest.budget)};
  place::Request request = subject.request(contest.budget, seed);
  request.tasks = contest.tasks;
  try {
    const Measured measured = subject.run(contest.method, request, heading);
    const bounds::Bound bound = subject.bound(contest.tasks, measured.placed);
    figure.fits = measured.placed.outcome.feasible;
    figure.step_seconds = measured.placed.outcome.step_seconds;
    figure.bound_seconds = bound.seconds;
    figure.bound_name = bound.name;
    figure.evaluations = measured.placed.evaluations;
    figure.search_seconds = measured.seconds;
  } catch (const InputError& error) {
    if (error.code() != ErrorCode::does_not_apply) throw;
    figure.failure = error.what();
  }
  return figure;
}

}  // namespace

SearchRun new_search_run(const std::vector<Budget>& budgets, std::uint64_t seed) {
  SearchRun run{.seed = seed, .berth_version = BERTH_VERSION};
  for (const Budget& budget : budgets) run.budgets.push_back(format_budget(budget));
  return run;
}

void run_search_pairs(const std::vector<SearchPair>& pairs, const std::vector<Budget>& budgets,
                      const Observer& observer, SearchRun& run) {
  for (std::size_t i = 0; i < pairs.size() && !run.interrupted; ++i) {
    const std::string heading = fmt::format("[{}/{}] {}", i + 1, pairs.size(), pairs[i].name());
    Subject subject(pairs[i].workload, pairs[i].cluster, observer);
    SearchRow row{.workload = pairs[i].workload,
                  .cluster = pairs[i].cluster,
                  .ops = subject.problem().op_count()};
    for (const Contest& contest : contests_of(subject, run, budgets)) {
      if (observer.stop.requested()) break;
      row.figures.push_back(measure(contest, subject, run.seed, heading));
    }
    run.interrupted = observer.stop.requested();
    if (!run.interrupted) run.rows.push_back(std::move(row));
  }
}

}  // namespace berth::experiments
