#include "experiments/generalization.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "base/json_writer.h"
#include "base/quantity.h"
#include "report/table.h"

namespace berth::experiments {
namespace {

constexpr std::array kKinships = {Kinship::same_family, Kinship::other_cluster,
                                  Kinship::other_family};
constexpr double kAim = 1.1;  // zero-shot against scratch, within a family

Lineup reported() {
  return {.models = {"zoo:enas_cifar:seed=0..23"},
          .cluster = "4xK80",
          .held_out = {{Kinship::same_family, "zoo:enas_cifar:seed=1000", "4xK80"},
                       {Kinship::same_family, "zoo:enas_cifar:seed=1001", "4xK80"},
                       {Kinship::same_family, "zoo:enas_cifar:seed=1002", "4xK80"},
                       {Kinship::same_family, "zoo:enas_cifar:seed=1003", "4xK80"},
                       {Kinship::other_cluster, "zoo:enas_cifar:seed=1000", "4xV100-nvlink"},
                       {Kinship::other_cluster, "zoo:enas_cifar:seed=1001", "8xV100"},
                       {Kinship::other_cluster, "zoo:enas_cifar:seed=1002", "2xK40"},
                       {Kinship::other_family, "zoo:inception_v3", "4xK80"},
                       {Kinship::other_family, "zoo:rnnlm", "4xK80"},
                       {Kinship::other_family, "zoo:layered:seed=1000", "4xK80"}}};
}

Lineup for_tuning_only() {
  return {.models = {"zoo:enas_cifar:seed=0..23"},
          .cluster = "4xP100",
          .held_out = {{Kinship::same_family, "zoo:enas_cifar:seed=24", "4xP100"},
                       {Kinship::same_family, "zoo:enas_cifar:seed=25", "4xP100"},
                       {Kinship::other_cluster, "zoo:enas_cifar:seed=26", "2xP100"},
                       {Kinship::other_family, "zoo:rnnlm", "4xP100"},
                       {Kinship::other_family, "zoo:layered:seed=0", "4xP100"}}};
}

// Without "zoo:", so that a row fits on the page.
std::string short_name(const std::string& workload) {
  return workload.starts_with("zoo:") ? workload.substr(4) : workload;
}

std::string text_of(const Step& step) { return step ? format_seconds(*step) : "-"; }

// By how much the one is above the other: "4.2% above", "as good as".
std::string compared(double ratio) {
  const double percent = std::abs(ratio - 1) * 100;
  if (percent < 0.05) return "as long as";
  return fmt::format("{:.1f}% {}", percent, ratio > 1 ? "above" : "below");
}

// The problems of one kinship: what stands beside the policies, then each method's figures.
std::string kinship_tables(const GeneralizationRun& run, Kinship kinship, report::Ink ink) {
  constexpr auto kRight = report::Table::Align::right;
  report::Table others({{name_of(kinship)},
                        {"cluster"},
                        {"random", kRight},
                        {"single", kRight},
                        {"expert", kRight},
                        {"list", kRight},
                        {"auto", kRight}},
                       ink);
  std::vector<report::Table> methods;
  for (const std::string& method : run.methods) {
    methods.emplace_back(std::vector<report::Table::Column>{{method},
                                                            {"cluster"},
                                                            {"greedy", kRight},
                                                            {"zero-shot", kRight},
                                                            {"tuned", kRight},
                                                            {"scratch", kRight}},
                         ink);
  }
  for (const GeneralizationRow& row : run.rows) {
    if (row.problem.kinship != kinship) continue;
    others.add_row({short_name(row.problem.workload), row.problem.cluster, text_of(row.random),
                    text_of(row.single), text_of(row.expert), text_of(row.list),
                    text_of(row.automatic)});
    for (std::size_t m = 0; m < row.carried.size(); ++m) {
      const Carried& carried = row.carried[m];
      methods[m].add_row({short_name(row.problem.workload), row.problem.cluster,
                          text_of(carried.greedy), text_of(carried.zero_shot),
                          text_of(carried.tuned), text_of(carried.scratch)});
    }
  }
  if (others.row_count() == 0) return "";
  std::string text = '\n' + others.to_text();
  for (const report::Table& table : methods) text += table.to_text();
  return text;
}

std::string verdicts(const GeneralizationRun& run, report::Ink ink) {
  std::string text;
  for (std::size_t m = 0; m < run.methods.size(); ++m) {
    const AgainstList against = greedy_against_list(run, m);
    if (against.problems > 0) {
      text += report::wrap_text(
          fmt::format("{}: its greedy plan is {} the best of heft, etf and sct in the mean, and "
                      "shorter on {} of {} problems",
                      run.methods[m], compared(against.ratio), against.shorter, against.problems),
          report::kPageColumns, 0);
    }
    for (const Kinship kinship : kKinships) {
      const std::optional<double> ratio = zero_shot_ratio(run, m, kinship);
      if (!ratio) continue;
      std::string line = fmt::format("{}, {}: zero-shot is {} scratch", run.methods[m],
                                     name_of(kinship), compared(*ratio));
      if (kinship == Kinship::same_family) {
        line += *ratio <= kAim ? " (aim: at most 10% above)" : " (aim missed: at most 10% above)";
        if (*ratio > kAim) line = ink.caution(line);
      }
      text += report::wrap_text(line, report::kPageColumns, 0);
    }
  }
  return text;
}

}  // namespace

std::string name_of(Kinship kinship) {
  switch (kinship) {
    case Kinship::same_family:
      return "same family";
    case Kinship::other_cluster:
      return "other cluster";
    case Kinship::other_family:
      return "other family";
  }
  return "";
}

const Lineup& generalization_lineup(bool for_tuning) {
  static const Lineup report = reported();
  static const Lineup tuning = for_tuning_only();
  return for_tuning ? tuning : report;
}

std::optional<double> zero_shot_ratio(const GeneralizationRun& run, std::size_t method,
                                      Kinship kinship) {
  double logs = 0;
  double count = 0;
  for (const GeneralizationRow& row : run.rows) {
    const Carried& carried = row.carried[method];
    if (row.problem.kinship != kinship || !carried.zero_shot || !carried.scratch) continue;
    logs += std::log(*carried.zero_shot / *carried.scratch);
    count += 1;
  }
  if (count == 0) return std::nullopt;
  return std::exp(logs / count);
}

AgainstList greedy_against_list(const GeneralizationRun& run, std::size_t method) {
  AgainstList against;
  double logs = 0;
  for (const GeneralizationRow& row : run.rows) {
    const Step& greedy = row.carried[method].greedy;
    if (!greedy || !row.list) continue;
    logs += std::log(*greedy / *row.list);
    against.shorter += *greedy < *row.list ? 1 : 0;
    against.problems += 1;
  }
  if (against.problems > 0) against.ratio = std::exp(logs / static_cast<double>(against.problems));
  return against;
}

std::string generalization_answer(const GeneralizationRun& run, report::Ink ink) {
  const Lineup& lineup = generalization_lineup(run.for_tuning);
  if (run.interrupted && run.train_seconds.size() < run.methods.size()) {
    return ink.caution(report::wrap_text(
        fmt::format("interrupted while {} was in training, so nothing was measured; if the "
                    "policies have a folder, the same command continues",
                    run.methods[run.train_seconds.size()]),
        report::kPageColumns, 0));
  }
  std::string text = fmt::format("trained on {} on {}", lineup.models.front(), lineup.cluster);
  for (std::size_t m = 0; m < run.train_seconds.size(); ++m) {
    text += fmt::format("{} {} in {}", m == 0 ? ":" : ",", run.methods[m],
                        format_seconds(run.train_seconds[m]));
  }
  text += fmt::format(" ({:.0f} evaluations each, seed {})", run.train_evaluations, run.seed);
  text = report::wrap_text(text, report::kPageColumns, 0);
  for (const Kinship kinship : kKinships) text += kinship_tables(run, kinship, ink);
  text += '\n' + report::wrap_text(
                     fmt::format("greedy: the policy's greedy plan, one evaluation; zero-shot: the "
                                 "best of that and {} samples; tuned: the best plan of {:.0f} "
                                 "evaluations of learning on this problem; scratch, random, auto: "
                                 "the best plan of {:.0f}; list: the best of heft, etf and sct. "
                                 "\"-\" where none fits.",
                                 run.samples, run.tune_evaluations, run.scratch_evaluations),
                     report::kPageColumns, 0);
  if (run.for_tuning)
    text += "These problems are for tuning, so they say nothing about other problems.\n";
  if (run.interrupted)
    text += ink.caution("interrupted; problems that were not done are left out\n");
  const std::string said = verdicts(run, ink);
  return said.empty() ? text : text + '\n' + said;
}

std::string generalization_json(const GeneralizationRun& run) {
  const Lineup& lineup = generalization_lineup(run.for_tuning);
  JsonWriter json;
  json.begin_object().key("trained_on").begin_array();
  for (const std::string& model : lineup.models) json.value(model);
  json.end_array().field("cluster", lineup.cluster).field("for_tuning", run.for_tuning);
  json.field("seed", run.seed).field("train_evaluations", run.train_evaluations);
  json.field("tune_evaluations", run.tune_evaluations);
  json.field("scratch_evaluations", run.scratch_evaluations).field("samples", run.samples);
  json.field("interrupted", run.interrupted);
  json.key("methods").begin_array();
  for (std::size_t m = 0; m < run.methods.size(); ++m) {
    json.begin_object().field("method", run.methods[m]);
    if (m < run.train_seconds.size()) json.field("train_seconds", run.train_seconds[m]);
    const AgainstList against = greedy_against_list(run, m);
    if (against.problems > 0) {
      json.field("greedy_over_list", against.ratio);
      json.field("greedy_shorter_than_list", against.shorter);
    }
    for (const Kinship kinship : kKinships) {
      std::string key = name_of(kinship) + " zero-shot over scratch";
      for (char& c : key) c = c == ' ' || c == '-' ? '_' : c;
      json.field(key, zero_shot_ratio(run, m, kinship));
    }
    json.end_object();
  }
  json.end_array().key("problems").begin_array();
  for (const GeneralizationRow& row : run.rows) {
    json.begin_object().field("model", row.problem.workload);
    json.field("cluster", row.problem.cluster).field("kinship", name_of(row.problem.kinship));
    json.field("ops", row.ops);
    json.field("random", row.random).field("single", row.single).field("list", row.list);
    json.field("expert", row.expert);
    json.field("auto", row.automatic);
    json.key("methods").begin_array();
    for (std::size_t m = 0; m < row.carried.size(); ++m) {
      const Carried& carried = row.carried[m];
      json.begin_object().field("method", run.methods[m]);
      json.field("greedy", carried.greedy);
      json.field("zero_shot", carried.zero_shot);
      json.field("tuned", carried.tuned);
      json.field("scratch", carried.scratch);
      json.field("scratch_greedy", carried.scratch_greedy);
      json.field("zero_shot_seconds", carried.zero_shot_seconds).end_object();
    }
    json.end_array().end_object();
  }
  json.end_array().end_object();
  return json.take();
}

}  // namespace berth::experiments
