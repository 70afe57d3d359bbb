// berth place: find a plan.
#include <fmt/format.h>

#include <cmath>
#include <future>
#include <stdexcept>

#include "base/error.h"
#include "base/json_writer.h"
#include "cli/answer.h"
#include "cli/commands.h"
#include "cli/learned_answer.h"
#include "cli/phases_answer.h"
#include "cli/plan_source.h"
#include "cli/search.h"
#include "cli/step_size.h"
#include "place/order_gain.h"
#include "report/assumptions.h"
#include "report/outcome_json.h"
#include "report/summary.h"

namespace berth::cli {
namespace {

constexpr double kOrderWorthTelling = 0.02;  // of the step

struct PlaceArguments {
  SettingArguments setting;
  SearchArguments search;
  WayArguments way;
  OutputFile plan{"--output", ""};
  PictureArguments pictures;
  bool verbose = false;
};

bool parse(Words words, PlaceArguments& place, Console& console) {
  Arguments arguments("place",
                      "Finds a device for every op, for a short step that fits in memory.");
  place.setting.declare(arguments);
  place.setting.declare_batch_dim(arguments);
  place.way.declare(arguments);
  place.search.declare(arguments);
  arguments.option("--keep", "PART", place.search.keep,
                   "Share of the ops of --from that must not move: 0.9. Method auto only.");
  arguments.option("-o,--output", "FILE", place.plan.path, "Write the plan; - is standard output.");
  place.pictures.declare(arguments);
  arguments.flag("--verbose", place.verbose, "Also print what each phase of the search did.");
  console.declare(arguments);
  arguments.note(
      "Exit status: 0 when the plan fits, 3 when none was found that does (the best is reported\n"
      "and written anyway), 2 on bad input. Ctrl-C ends the search with its best plan.");
  arguments.example("berth place zoo:layered --cluster 4xP100 -o plan.json", "the default method");
  arguments.example("berth place model.json -c cluster.json -m random --budget 5000evals --seed 1",
                    "a search that gives the same plan on every machine");
  arguments.example(
      "berth place zoo:layered -c 4xP100 --from plan.json -m random --report plan.html",
      "start from a plan, and write a report");
  arguments.example("berth place zoo:gnmt -c 4xP100 --without gpu:3 --from plan.json --keep 0.9",
                    "gpu:3 is lost; at most a tenth of the other ops may move");
  arguments.example("berth place zoo:gnmt -c 4xP100 --policy gnmt.policy --samples 100",
                    "with a trained policy: its greedy plan and a hundred samples");
  if (!arguments.parse(words)) return false;
  place.way.method_given = arguments.given("--method");
  place.way.budget_given = arguments.given("--budget");
  return true;
}

// What every answer begins with.
void write_search(JsonWriter& json, const Setting& setting, const Search& search,
                  const PlanSource& way, const Found& found, const Outcome& outcome,
                  const bounds::Bound& bound) {
  const place::Request& request = search.request;
  json.field("model", setting.model->spec).field("cluster", setting.cluster_text);
  json.field("method", way.name).field("seed", request.seed);
  json.field("budget", format_budget(request.budget)).field("tasks", format_tasks(request.tasks));
  report::write_outcome(json, *setting.problem, outcome, bound);
  report::write_assumptions(json, *setting.problem, setting.model->training_memory);
  json.field("search_seconds", found.search_seconds).field("evaluations", found.placed.evaluations);
  json.field("interrupted", found.placed.interrupted);
  json.field("gap_reached", found.placed.gap_reached);
  write_phases(json, found.placed.phases);
  if (found.placed.learned) write_learned(json, *found.placed.learned);
  if (way.policy) write_policy_summary(json, *way.policy);
  if (search.running) {
    const place::MoveLimit& move_limit = search.running->move_limit;
    json.field("moved_ops", place::count_moved(move_limit, found.placed.plan));
    if (request.keep) json.field("most_moved_ops", move_limit.most_moved);
    json.field("lost_ops", place::count_lost(move_limit));
  }
  if (!found.placed.remark.empty()) json.field("remark", found.placed.remark);
}

std::string to_json(const Setting& setting, const Search& search, const PlanSource& way,
                    const Found& found, const report::Analysis& analysis,
                    const report::StepSize& size, std::optional<double> ordered_seconds,
                    std::span<const report::Reference> references,
                    std::span<const Written> written) {
  JsonWriter json;
  json.begin_object();
  write_search(json, setting, search, way, found, analysis.outcome(), analysis.bound);
  report::write_step_size(json, size);
  report::write_throughput(json, size, analysis.outcome().step_seconds);
  if (ordered_seconds) json.field("ordered_step_seconds", *ordered_seconds);
  json.key("references").begin_array();
  for (const report::Reference& reference : references) {
    json.begin_flat_object().field("name", reference.name);
    json.field("step_seconds", reference.outcome.step_seconds);
    json.field("feasible", reference.outcome.feasible).end_object();
  }
  json.end_array();
  report::write_analysis(json, analysis);
  json.key("written").begin_array();
  for (const Written& file : written) json.value(file.path);
  json.end_array().end_object();
  return json.take();
}

std::string search_line(const Found& found, const place::Request& request, report::Ink ink) {
  std::string why = ended_early(found.placed, request.gap);
  if (!why.empty()) why.insert(0, "; ");
  if (found.placed.interrupted) why = "; interrupted: the best plan so far";
  const std::string text = fmt::format(
      "found in {} with {}{}\n", format_seconds(found.search_seconds),
      report::format_number_of(static_cast<std::size_t>(std::llround(found.placed.evaluations)),
                               "evaluation"),
      why);
  return found.placed.interrupted ? ink.caution(text) : ink.dim(text);
}

// A plan that lacks a route cannot run: it has neither step nor memory, and there is nothing to
// draw or to keep.
int tell_no_route(const Setting& setting, const Search& search, const PlanSource& way,
                  const Found& found, const Console& console) {
  const std::string why = violations(*setting.problem, found.placed.plan, 1).front();
  const bounds::Bound bound = bounds_of(*setting.problem, search.request.tasks, found.placed).best;
  if (console.json()) {
    JsonWriter json;
    json.begin_object();
    write_search(json, setting, search, way, found, found.placed.outcome, bound);
    json.field("violation", why).end_object();
    console.object(json.take());
  }
  const report::Ink ink = console.ink();
  console.answer(
      fmt::format("{}\n\n{}: {}\n\n",
                  report::title_line(setting.model_title(), setting.cluster_title(), way.name),
                  ink.bad("No plan was found that can run"), why));
  console.answer(search_line(found, search.request, ink) +
                 "next: give the cluster a link there, or let these ops share a device\n");
  return kNoFeasiblePlan;
}

// Where the method found nothing that fits but a plan it is compared with does, say so.
std::string fitting_reference(const report::Analysis& analysis,
                              std::span<const report::Reference> references) {
  if (analysis.outcome().feasible) return "";
  const report::Reference* best = nullptr;
  for (const report::Reference& reference : references) {
    if (!reference.outcome.feasible) continue;
    if (!best || reference.outcome.step_seconds < best->outcome.step_seconds) best = &reference;
  }
  if (!best) return "";
  return fmt::format("\nThe plan of {} fits, with a step of {}: use --method {}.\n", best->name,
                     format_seconds(best->outcome.step_seconds), best->method);
}

// Other methods ignore the move limit.
void require_keeping_method(const PlaceArguments& place, const PlanSource& way) {
  if (place.search.keep.empty() || way.keeps) return;
  throw InputError(fmt::format("--keep works with the method {} only, and {} {}", kDefaultMethod,
                               way.policy_path.empty() ? "--method is" : "the plan is made by",
                               way.name));
}

// A method that exceeds the move limit has a bug, and its plan is useless to the user of the old
// one.
void check_kept(const Search& search, const Plan& plan) {
  if (!search.request.keep) return;
  const std::size_t moved = place::count_moved(*search.request.keep, plan);
  if (moved <= search.request.keep->most_moved) return;
  throw std::logic_error(fmt::format("{} ops moved, but --keep allows only {}", moved,
                                     search.request.keep->most_moved));
}

std::string policy_section(const PlanSource& way, const place::Placed& placed, report::Ink ink) {
  if (!placed.learned) return "";
  const std::string about = way.policy ? policy_text(*way.policy) : "";
  return '\n' + learned_text(*placed.learned, about, way.sampled, ink);
}

std::string moves_line(const Setting& setting, const Search& search, const Plan& plan) {
  if (!search.running || (!search.request.keep && setting.lost_devices.empty())) return "";
  return report::wrap_text(
      moves_sentence(search.running->move_limit, plan, setting, search.request.keep != nullptr),
      report::kPageColumns, 0);
}

// The step with the order of ops decided too, where nobody has asked for that. A policy decides
// devices alone, so it has nothing to add.
std::optional<double> ordered_step(const Search& search, const PlanSource& way,
                                   const report::Analysis& analysis) {
  const Tasks tasks = search.request.tasks;
  if (tasks.schedule || tasks.fusion || way.learned || !analysis.outcome().feasible) return {};
  return place::step_with_order(*analysis.problem, *analysis.plan, analysis.timeline);
}

std::string order_line(const report::Analysis& analysis, std::optional<double> ordered_seconds,
                       const PlanSource& way) {
  const double gain = ordered_seconds ? 1 - *ordered_seconds / analysis.outcome().step_seconds : 0;
  if (!(gain > kOrderWorthTelling)) return "";
  return report::wrap_text(
             fmt::format("With the order decided too: {} ({} less); add {}--tasks "
                         "placement,schedule",
                         format_seconds(*ordered_seconds), report::format_percent(gain),
                         way.keeps ? "" : fmt::format("-m {} ", kDefaultMethod)),
             report::kPageColumns, 0) +
         '\n';
}

}  // namespace

int place_command(Words words) {
  PlaceArguments place;
  Console console;
  if (!parse(words, place, console)) return kDone;
  place.pictures.command = command_line("place", words);
  PlanSource way = choose_way(place.way);
  require_keeping_method(place, way);
  std::vector<std::string> inputs = place.setting.input_files();
  if (!place.search.from.empty()) inputs.push_back(place.search.from);
  for (const std::string& path : way.input_files) inputs.push_back(path);
  const PictureArguments& pictures = place.pictures;
  check_outputs(
      std::vector{place.plan, pictures.report, pictures.trace, pictures.dot, place.way.curve},
      inputs, console);
  const OutputLock curve_lock(place.way.curve);

  if (!way.policy_path.empty()) way.policy = place::learn_module().summarize(way.policy_path);
  const Setting setting = load_setting(place.setting, console);
  const report::StepSize size = step_size(*setting.model, place.setting.batch_dim);
  const Search search(place.search, setting, console);
  if (!place.search.gap.empty() && !way.knows_bound) {
    console.warn(fmt::format("{} computes no lower bound, so --gap has no effect",
                             report::plain_name(way.name, 40)));
  }
  if (way.learned && (search.request.tasks.schedule || search.request.tasks.fusion)) {
    console.warn(
        fmt::format("{} decides devices alone; --tasks only sets what the lower bound is for",
                    report::plain_name(way.name, 40)));
  }
  // In parallel with the search, so that the answer does not wait for them.
  std::future<std::vector<report::Reference>> pending_references =
      std::async(std::launch::async | std::launch::deferred,
                 [&] { return reference_plans(setting, search.request.expert); });
  const Found found = run_search(
      report::plain_name(way.name, 30), search.request, console,
      [&](const place::Request& request) { return way.place(*setting.problem, request); });
  check_kept(search, found.placed.plan);
  if (!found.placed.outcome.routable) return tell_no_route(setting, search, way, found, console);
  const Plan& plan = found.placed.plan;
  const report::Analysis analysis = report::analyse(
      *setting.problem, plan, bounds_of(*setting.problem, search.request.tasks, found.placed));
  const bool feasible = analysis.outcome().feasible;

  std::vector<Written> written;
  if (!place.plan.path.empty()) {
    const PlanRecord record =
        plan_record(setting, search.request, way.name, analysis.outcome(), analysis.bound);
    write_output(place.plan, [&] {
      return plan_to_json(plan, record, setting.problem->graph(), setting.problem->cluster());
    });
    written.push_back({place.plan.path, feasible ? "the plan" : "the plan, which does not fit"});
  }
  const std::vector<report::Reference> references = pending_references.get();
  const report::Heading heading = setting.heading(way.name, size);
  for (Written& picture : write_pictures(pictures, heading, analysis, references, {}, console)) {
    written.push_back(std::move(picture));
  }
  const std::optional<double> order = ordered_step(search, way, analysis);
  if (!place.way.curve.path.empty()) written.push_back({place.way.curve.path, kCurveUse});
  if (console.json()) {
    console.object(
        to_json(setting, search, way, found, analysis, size, order, references, written));
  }
  const report::Ink ink = console.ink();
  console.answer(
      report::summarize({heading, analysis, references, found.placed.remark, kWithoutFlag}, ink));
  console.answer(fitting_reference(analysis, references) + policy_section(way, found.placed, ink));
  console.answer('\n' + moves_line(setting, search, plan) + order_line(analysis, order, way) +
                 search_line(found, search.request, ink) +
                 (place.verbose ? phases_text(found.placed.phases, ink) : "") +
                 what_next(written, place.setting, place.plan.path));
  return feasible ? kDone : kNoFeasiblePlan;
}

}  // namespace berth::cli
