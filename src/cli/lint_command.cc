// berth lint: what is wrong or wasteful in a plan, whoever made it.
#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json_writer.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/search.h"
#include "cli/setting.h"
#include "report/assumptions.h"
#include "report/lint.h"
#include "report/outcome_json.h"
#include "report/summary.h"

namespace berth::cli {
namespace {

struct LintArguments {
  SettingArguments setting;
  std::string plan;
};

bool parse(Words words, LintArguments& lint, Console& console) {
  Arguments arguments("lint", "Reports what is wrong or wasteful in a plan.");
  lint.setting.declare(arguments);
  arguments.option("-p,--plan", "PLAN", lint.plan, "The plan file.", Arguments::Need::required);
  arguments.reads_file("--plan");
  console.declare(arguments);
  arguments.note(
      "Exit status: 2 when the plan is invalid; 0 when it is clean or there is only advice.");
  arguments.example("berth lint zoo:layered --cluster 4xP100 --plan plan.json",
                    "a plan made by Berth");
  arguments.example("berth lint model.json -c cluster.json -p theirs.json --json",
                    "a plan made elsewhere, with JSON for scripts");
  return arguments.parse(words);
}

// A plan outlives its model: say so when the record no longer matches.
void check_record(const PlanRecord& record, const Setting& setting,
                  report::LintFindings& findings) {
  const std::string model = record.model_sha256.empty() ? "" : model_sha256(*setting.model);
  if (!model.empty() && model != record.model_sha256) {
    findings.warnings.push_back(
        fmt::format("It was made for another version of the model ({}); costs may have changed.",
                    report::plain_name(record.model, 60)));
  }
  const std::string_view precision = dtype_name(report::precision_facts(*setting.problem).products);
  if (!record.precision.empty() && record.precision != precision) {
    findings.warnings.push_back(fmt::format(
        "It was made for products in {}, and here they run in {}; --precision changes that.",
        report::plain_name(record.precision, 20), precision.empty() ? "none" : precision));
  }
  if (!record.cluster_sha256.empty() && record.cluster_sha256 != setting.cluster_sha256) {
    findings.warnings.push_back(fmt::format("It was made for another cluster ({}).",
                                            report::plain_name(record.cluster, 60)));
  }
}

std::string list(std::string_view title, const std::vector<std::string>& sentences,
                 report::Ink ink) {
  if (sentences.empty()) return "";
  std::string out = ink.bold(title) + "\n";
  for (const std::string& sentence : sentences) out += report::list_item(sentence);
  return out;
}

void write_list(JsonWriter& json, const char* key, const std::vector<std::string>& sentences) {
  json.key(key).begin_array();
  for (const std::string& sentence : sentences) json.value(sentence);
  json.end_array();
}

std::string to_json(const report::LintFindings& findings, const Setting& setting,
                    const report::Analysis* analysis) {
  JsonWriter json;
  json.begin_object();
  json.field("valid", findings.errors.empty()).key("feasible");
  analysis ? json.value(analysis->outcome().feasible) : json.null();
  write_list(json, "errors", findings.errors);
  write_list(json, "warnings", findings.warnings);
  write_list(json, "advice", findings.advice);
  // `feasible` is among the keys above already, so only what it does not say.
  if (analysis) {
    json.field("step_seconds", analysis->outcome().step_seconds);
    json.field("lower_bound_seconds", analysis->bound.seconds);
  }
  json.field("model", setting.model->spec).field("cluster", setting.cluster_text).end_object();
  return json.take();
}

}  // namespace

int lint_command(Words words) {
  LintArguments lint;
  Console console;
  if (!parse(words, lint, console)) return kDone;
  const Setting setting = load_setting(lint.setting, console);
  const report::Ink ink = console.ink();
  report::LintFindings findings;
  PlanFile file;
  try {
    file = load_plan(lint.plan, setting, console);
  } catch (const InputError& error) {
    findings.errors = {error.what()};
    if (console.json()) console.object(to_json(findings, setting, nullptr));
    throw;
  }
  findings.errors = violations(*setting.problem, file.plan, 100);
  if (!findings.errors.empty()) {
    check_record(file.record, setting, findings);
    if (console.json()) console.object(to_json(findings, setting, nullptr));
    console.answer(list("Invalid", findings.errors, ink) +
                   list("Warnings", findings.warnings, ink));
    print_error(
        fmt::format("{} is not a valid plan: {}", input_name(lint.plan), findings.errors.front()));
    return kBadInput;
  }
  const Tasks tasks{!file.plan.priority.empty(), !file.plan.fused.empty()};
  const report::Analysis analysis =
      report::analyse(*setting.problem, file.plan, bounds::lower_bounds(*setting.problem, tasks));
  const std::optional<Plan> expert = expert_plan(setting);
  findings = report::lint_plan(
      analysis, reference_plans(setting, expert ? &*expert : nullptr),
      {.stop = Interrupt::token(), .order_command = "berth place --tasks placement,schedule"});
  check_record(file.record, setting, findings);
  if (console.json()) console.object(to_json(findings, setting, &analysis));
  const Outcome& outcome = analysis.outcome();
  std::string text =
      fmt::format("Valid; {}; step time {}, {}.\n", outcome.feasible ? "fits" : "does not fit",
                  format_seconds(outcome.step_seconds),
                  report::gap_sentence(outcome.step_seconds, outcome.feasible, analysis.bound));
  if (findings.warnings.empty() && findings.advice.empty())
    text += "No change was found that would shorten the step by 1% or more.\n";
  console.answer(text + list("Warnings", findings.warnings, ink) +
                 list("Advice", findings.advice, ink));
  return kDone;
}

}  // namespace berth::cli
