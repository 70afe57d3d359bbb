// berth simulate: run a plan through the execution rules.
#include <fmt/format.h>

#include "base/file.h"
#include "base/json_writer.h"
#include "cli/answer.h"
#include "cli/commands.h"
#include "cli/search.h"
#include "cli/step_size.h"
#include "report/assumptions.h"
#include "report/outcome_json.h"
#include "report/summary.h"

namespace berth::cli {
namespace {

struct SimulateArguments {
  SettingArguments setting;
  std::string plan;
  std::string tasks;
  PictureArguments pictures;
};

bool parse(Words words, SimulateArguments& simulate, Console& console) {
  Arguments arguments("simulate", "Simulates one step of a plan and explains where the time goes.");
  simulate.setting.declare(arguments);
  simulate.setting.declare_batch_dim(arguments);
  arguments.option("-p,--plan", "PLAN", simulate.plan, "The plan file.", Arguments::Need::required);
  arguments.reads_file("--plan");
  arguments.option("--tasks", "LIST", simulate.tasks,
                   "Tasks that the lower bound allows; default: those of the plan.");
  simulate.pictures.declare(arguments);
  console.declare(arguments);
  arguments.note(
      "Exit status: 0 also when the plan does not fit in memory; 2 when it is invalid (an op on a\n"
      "device it may not use, colocated ops apart, a tensor with no route).");
  arguments.example("berth simulate zoo:layered --cluster 4xP100 --plan plan.json",
                    "the step time of a plan, and why");
  arguments.example(
      "berth simulate model.json -c 4xP100 -p plan.json --report step.html --trace step.json",
      "with pictures of the step");
  return arguments.parse(words);
}

// The bound must hold for the plan at hand, so it allows at least what the plan does.
Tasks tasks_of(const SimulateArguments& simulate, const Plan& plan) {
  Tasks tasks = simulate.tasks.empty() ? Tasks{} : parse_tasks(simulate.tasks);
  tasks.schedule = tasks.schedule || !plan.priority.empty();
  tasks.fusion = tasks.fusion || !plan.fused.empty();
  return tasks;
}

}  // namespace

int simulate_command(Words words) {
  SimulateArguments simulate;
  Console console;
  if (!parse(words, simulate, console)) return kDone;
  simulate.pictures.command = command_line("simulate", words);
  std::vector<std::string> inputs = simulate.setting.input_files();
  inputs.push_back(simulate.plan);
  const PictureArguments& pictures = simulate.pictures;
  check_outputs(std::vector{pictures.report, pictures.trace, pictures.dot}, inputs, console);

  const Setting setting = load_setting(simulate.setting, console);
  const report::StepSize size = step_size(*setting.model, simulate.setting.batch_dim);
  const PlanFile file = load_plan(simulate.plan, setting, console);
  require_valid(*setting.problem, file.plan, input_name(simulate.plan));
  const Tasks tasks = tasks_of(simulate, file.plan);
  const report::Analysis analysis =
      report::analyse(*setting.problem, file.plan, bounds::lower_bounds(*setting.problem, tasks));
  const std::optional<Plan> expert = expert_plan(setting);
  const std::vector<report::Reference> references =
      reference_plans(setting, expert ? &*expert : nullptr);
  const report::Heading heading = setting.heading("plan " + input_name(simulate.plan), size);
  const std::vector<Written> written =
      write_pictures(pictures, heading, analysis, references, {}, console);
  if (console.json()) {
    JsonWriter json;
    json.begin_object();
    json.field("model", setting.model->spec).field("cluster", setting.cluster_text);
    json.field("plan", simulate.plan).field("tasks", format_tasks(tasks));
    report::write_outcome(json, *setting.problem, analysis.outcome(), analysis.bound);
    report::write_assumptions(json, *setting.problem, setting.model->training_memory);
    report::write_step_size(json, size);
    report::write_throughput(json, size, analysis.outcome().step_seconds);
    report::write_analysis(json, analysis);
    json.end_object();
    console.object(json.take());
  }
  console.answer(
      report::summarize({heading, analysis, references, {}, kWithoutFlag}, console.ink()));
  console.answer('\n' + what_next(written, simulate.setting, simulate.plan));
  return kDone;
}

}  // namespace berth::cli
