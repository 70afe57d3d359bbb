// berth compare: several methods side by side.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "base/json_writer.h"
#include "cli/answer.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/live_text.h"
#include "cli/search.h"
#include "cli/step_size.h"
#include "place/remarks.h"
#include "report/assumptions.h"
#include "report/comparison.h"
#include "report/summary.h"

namespace berth::cli {
namespace {

struct CompareArguments {
  SettingArguments setting;
  // In evaluations, so that a table comes out the same on every machine.
  SearchArguments search{.budget = "2000evals"};
  std::string methods;
  bool tasks_given = false;
  bool sorted = false;
  OutputFile plan{"--output", ""};
  PictureArguments pictures;
};

bool parse(Words words, CompareArguments& compare, Console& console) {
  Arguments arguments("compare", "Runs several methods on one problem, one row each.");
  compare.setting.declare(arguments);
  arguments.option(
      "-m,--methods", "LIST", compare.methods,
      "Methods, separated by commas; default: all that apply except learned ones, auto twice.");
  arguments.flag("--sort", compare.sorted, "List the best plan first, not in the order given.");
  compare.search.declare(arguments);
  arguments.option("-o,--output", "FILE", compare.plan.path, "Write the best plan.");
  compare.pictures.declare(arguments);
  console.declare(arguments);
  arguments.note(
      "By default all methods decide the placement alone, and auto has a second row that\n"
      "also decides the order of ops; --tasks sets what all decide. The budget is per\n"
      "method. Methods that need no search run first; on a terminal their rows appear as\n"
      "they are done. Ctrl-C keeps the rows that are done. Exit status: 3 when none fits.");
  arguments.example("berth compare zoo:layered --cluster 4xP100", "every method");
  arguments.example("berth compare zoo:layered -c 4xP100 -m etf,random:tries=500,metis --sort",
                    "some methods, one with an option, best first");
  arguments.example("berth compare zoo:layered -c 4xP100 --report compare.html",
                    "with a picture of the best plan");
  if (!arguments.parse(words)) return false;
  compare.tasks_given = arguments.given("--tasks");
  return true;
}

// A method and what it may decide.
struct Contender {
  place::Method method;
  Tasks tasks;
  std::string variant = {};

  report::ComparisonRow row() const {
    return {
        .method = method.options.canonical(), .failure = "", .variant = variant, .tasks = tasks};
  }
};

// Where a proof is out of reach, `exact` is not among the default methods.
constexpr std::size_t kMostGroupsToProve = 40;

// Those that are named; empty for the default ones.
std::vector<std::string> methods_of(const CompareArguments& compare) {
  return compare.methods.empty() ? std::vector<std::string>{} : split_list(compare.methods);
}

std::vector<Contender> contenders_of(const CompareArguments& compare, const Search& search,
                                     std::size_t groups) {
  const Tasks tasks = search.request.tasks;
  std::vector<Contender> contenders;
  if (!compare.methods.empty()) {
    for (const std::string& text : methods_of(compare)) {
      contenders.push_back({place::parse_method(text), tasks});
    }
    return contenders;
  }
  for (const place::Placer& placer : place::placers()) {
    if (placer.name == "expert" && !search.expert) continue;
    if (placer.learned) continue;  // it takes minutes where the others take seconds
    if (placer.name == "exact" && groups > kMostGroupsToProve) continue;
    contenders.push_back({place::parse_method(placer.name), tasks});
    // The papers decide placement alone; what priorities add is shown in a row of its own.
    if (placer.name != "auto" || compare.tasks_given || tasks.schedule) continue;
    Tasks more = tasks;
    more.schedule = true;
    contenders.push_back({place::parse_method(placer.name), more, " +schedule"});
  }
  std::stable_partition(contenders.begin(), contenders.end(),
                        [](const Contender& each) { return !each.method.placer->searches; });
  return contenders;
}

struct Entry {
  std::size_t place = 0;  // among the contenders, as they were given
  report::ComparisonRow row;
  Plan plan;
  bounds::Bounds bounds;  // that hold for the tasks of the row
};

Entry run(const Contender& contender, const Setting& setting, const Search& search,
          TaskBounds& bounds, const Console& console, const std::string& heading) {
  Entry entry;
  entry.row = contender.row();
  place::Request request = search.request;
  request.tasks = contender.tasks;
  request.bounds = bounds.known(contender.tasks);
  try {
    Found found = run_method(contender.method, setting, request, console, heading);
    if (!found.placed.outcome.routable) {
      entry.row.failure = place::remark_on(found.placed.outcome);
      return entry;
    }
    bounds.learn(contender.tasks, found.placed);
    entry.row.outcome = std::move(found.placed.outcome);
    entry.row.search_seconds = found.search_seconds;
    entry.row.evaluations = found.placed.evaluations;
    entry.row.interrupted = found.placed.interrupted;
    entry.row.gap_reached = found.placed.gap_reached;
    entry.row.remark = std::move(found.placed.remark);
    entry.plan = std::move(found.placed.plan);
  } catch (const InputError& error) {
    // A wrong option is wrong on every problem, and no result of this one.
    if (error.code() == ErrorCode::bad_option) throw;
    entry.row.failure = error.what();
  }
  return entry;
}

std::vector<report::ComparisonRow> rows_of(const std::vector<Entry>& entries) {
  std::vector<report::ComparisonRow> rows;
  for (const Entry& entry : entries) rows.push_back(entry.row);
  return rows;
}

// Those that need no search first, else as they were given.
std::vector<std::size_t> order_of_running(const std::vector<Contender>& contenders) {
  std::vector<std::size_t> order(contenders.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_partition(order.begin(), order.end(),
                        [&](std::size_t i) { return !contenders[i].method.placer->searches; });
  return order;
}

// What one search has proved holds for the rows before it too.
void settle(std::vector<Entry>& entries, TaskBounds& bounds) {
  std::ranges::sort(entries, {}, &Entry::place);
  for (Entry& entry : entries) {
    if (!entry.row.has_plan()) continue;
    entry.bounds = bounds.of(entry.row.tasks);
    entry.row.bound = entry.bounds.best;
  }
}

void sort_best_first(std::vector<Entry>& entries) {
  // Selection by best_row keeps one definition of "best"; there are only a few rows.
  for (std::size_t i = 0; i < entries.size(); ++i) {
    std::vector<report::ComparisonRow> rest;
    for (std::size_t j = i; j < entries.size(); ++j) rest.push_back(entries[j].row);
    const std::size_t best = report::best_row(rest);
    if (best == report::kNoRow) return;
    const auto begin = entries.begin() + static_cast<std::ptrdiff_t>(i);
    const auto chosen = begin + static_cast<std::ptrdiff_t>(best);
    std::rotate(begin, chosen, chosen + 1);
  }
}

std::string to_json(const Setting& setting, const place::Request& request,
                    std::span<const report::ComparisonRow> rows, const bounds::Bound& bound) {
  const std::size_t best = report::best_row(rows);
  JsonWriter json;
  json.begin_object();
  json.field("model", setting.model->spec).field("cluster", setting.cluster_text);
  json.field("seed", request.seed).field("budget", format_budget(request.budget));
  json.field("tasks", format_tasks(request.tasks));
  json.field("lower_bound_seconds", bound.seconds).field("lower_bound", bound.name);
  report::write_assumptions(json, *setting.problem, setting.model->training_memory);
  json.key("best");
  best == report::kNoRow ? json.null() : json.value(rows[best].method);
  json.key("best_row");  // a method can have two rows
  best == report::kNoRow ? json.null() : json.value(best);
  json.field("interrupted", Interrupt::requested());
  json.key("rows");
  report::write_rows(json, rows, *setting.problem);
  json.end_object();
  return json.take();
}

// The files about the best plan.
std::vector<Written> write_best(const CompareArguments& compare, const Setting& setting,
                                const Search& search, const Entry& best,
                                std::span<const report::ComparisonRow> rows,
                                const Console& console) {
  std::vector<Written> written;
  if (!compare.plan.path.empty()) {
    const PlanRecord record =
        plan_record(setting, search.request, best.row.method, best.row.outcome, best.row.bound);
    write_output(compare.plan, [&] {
      return plan_to_json(best.plan, record, setting.problem->graph(), setting.problem->cluster());
    });
    written.push_back({compare.plan.path, "the plan of " + best.row.name()});
  }
  const PictureArguments& pictures = compare.pictures;
  if (pictures.report.path.empty() && pictures.trace.path.empty() && pictures.dot.path.empty()) {
    return written;
  }
  const report::Heading heading = setting.heading(best.row.name(), step_size(*setting.model, ""));
  const report::Analysis analysis = report::analyse(*setting.problem, best.plan, best.bounds);
  for (Written& file : write_pictures(pictures, heading, analysis, {}, rows, console)) {
    written.push_back(std::move(file));
  }
  return written;
}

std::string headline(const Setting& setting, const bounds::Bound& bound,
                     std::span<const report::ComparisonRow> rows, report::Ink ink) {
  // Rows that may decide more can have another bound.
  std::string others;
  for (const report::ComparisonRow& row : rows) {
    if (!row.has_plan() || row.bound.seconds == bound.seconds) continue;
    others += fmt::format("; for {} {} ({})", report::plain_name(row.name(), 40),
                          format_seconds(row.bound.seconds), row.bound.name);
  }
  std::string basis;
  for (const std::string& sentence : setting.assumptions()) {
    basis += report::wrap_text(sentence, report::kPageColumns, 0);
  }
  return ink.dim(report::title_line(setting.model_title(), setting.cluster_title(), "")) + '\n' +
         report::wrap_text(fmt::format("lower bound {} ({}){}", format_seconds(bound.seconds),
                                       bound.name, others),
                           report::kPageColumns, 0) +
         basis + '\n';
}

// Rows are shown as they are done. Ctrl-C ends the current method with its best plan, and no
// further method is started.
std::vector<Entry> run_all(const std::vector<Contender>& contenders, const Setting& setting,
                           const Search& search, TaskBounds& bounds, const Console& console) {
  std::vector<Entry> entries;
  LiveText live(console);
  for (const std::size_t i : order_of_running(contenders)) {
    if (Interrupt::requested()) break;
    entries.push_back(run(contenders[i], setting, search, bounds, console,
                          fmt::format("{} of {}", entries.size() + 1, contenders.size())));
    entries.back().place = i;
    settle(entries, bounds);
    if (!console.live()) continue;
    const report::Ink ink = console.ink();
    const std::vector<report::ComparisonRow> rows = rows_of(entries);
    live.show(headline(setting, bounds.of(search.request.tasks).best, rows, ink) +
              report::comparison_table(rows, ink) +
              ink.dim(fmt::format("{} of {} done", entries.size(), contenders.size())) + '\n');
  }
  return entries;
}

// How far it came, and which row is not all that its method could do.
std::string interrupted_text(const std::vector<report::ComparisonRow>& rows, std::size_t methods) {
  std::string text = fmt::format("interrupted after {} of {}", rows.size(),
                                 report::format_number_of(methods, "method"));
  for (const report::ComparisonRow& row : rows) {
    if (row.interrupted) text += fmt::format("; {} with its best plan so far", row.name());
  }
  return '\n' + text + '\n';
}

// If a gap was given, says which searches ended because of it.
std::string ended_lines(std::span<const report::ComparisonRow> rows, double gap) {
  std::string names;
  for (const report::ComparisonRow& row : rows) {
    if (gap <= place::kNoGap || !row.gap_reached) continue;
    names += (names.empty() ? "" : ", ") + report::plain_name(row.name(), 40);
  }
  if (names.empty()) return "";
  return fmt::format("\nended early, within {} of the lower bound: {}\n",
                     report::format_percent(gap), names);
}

}  // namespace

int compare_command(Words words) {
  CompareArguments compare;
  Console console;
  if (!parse(words, compare, console)) return kDone;
  compare.pictures.command = command_line("compare", words);
  std::vector<std::string> inputs = compare.setting.input_files();
  if (!compare.search.from.empty()) inputs.push_back(compare.search.from);
  for (const std::string& text : methods_of(compare)) {
    std::ranges::move(place::parse_method(text).input_files(), std::back_inserter(inputs));
  }
  const PictureArguments& pictures = compare.pictures;
  check_outputs(std::vector{compare.plan, pictures.report, pictures.trace, pictures.dot}, inputs,
                console);

  const Setting setting = load_setting(compare.setting, console);
  const Search search(compare.search, setting, console);
  const std::vector<Contender> contenders =
      contenders_of(compare, search, setting.problem->group_count());
  TaskBounds bounds(*setting.problem);
  std::vector<Entry> entries = run_all(contenders, setting, search, bounds, console);
  if (compare.sorted) sort_best_first(entries);
  const std::vector<report::ComparisonRow> rows = rows_of(entries);
  const std::size_t best = report::best_row(rows);

  std::vector<Written> written;
  if (best != report::kNoRow) {
    written = write_best(compare, setting, search, entries[best], rows, console);
  }
  const report::Ink ink = console.ink();
  const bounds::Bound& bound = bounds.of(search.request.tasks).best;
  if (console.json()) console.object(to_json(setting, search.request, rows, bound));
  console.answer(headline(setting, bound, rows, ink) + report::comparison_table(rows, ink));
  console.answer(ended_lines(rows, search.request.gap));
  if (best != report::kNoRow && !rows[best].outcome.feasible) {
    console.answer(
        ink.bad("\nNo method found a plan that fits; * has the fewest bytes over memory.\n"));
  }
  if (Interrupt::requested()) console.answer(interrupted_text(rows, contenders.size()));
  console.answer('\n' + what_next(written, compare.setting, compare.plan.path));
  return best != report::kNoRow && rows[best].outcome.feasible ? kDone : kNoFeasiblePlan;
}

}  // namespace berth::cli
