#include "cli/learned_answer.h"

#include <fmt/format.h>

#include <cmath>

#include "base/error.h"
#include "base/quantity.h"
#include "report/table.h"

namespace berth::cli {
namespace {

constexpr std::size_t kMostNames = 3;

// Each once: the cases of a policy are all its models on all its clusters.
std::string names_text(const std::vector<std::string>& names) {
  std::vector<std::string> distinct;
  for (const std::string& name : names) {
    const std::string plain = report::plain_name(name, 40);
    if (std::find(distinct.begin(), distinct.end(), plain) == distinct.end()) {
      distinct.push_back(plain);
    }
  }
  return join_names(distinct, kMostNames);
}

void write_names(JsonWriter& json, const char* key, const std::vector<std::string>& names) {
  json.key(key).begin_array();
  for (const std::string& name : names) json.value(name);
  json.end_array();
}

}  // namespace

std::string step_text(const Outcome& outcome, report::Ink ink) {
  if (!outcome.routable) return ink.bad("no route");
  const std::string step = format_seconds(outcome.step_seconds);
  return outcome.feasible ? step : step + ink.bad(" (does not fit)");
}

std::string sample_mean_text(const place::Learned& learned) {
  return learned.sample_feasible_share > 0 ? format_seconds(learned.sample_mean_seconds) : "-";
}

std::string learned_text(const place::Learned& learned, const std::string& about, bool sampled,
                         report::Ink ink) {
  report::Table table({{""}, {""}, {""}});
  if (!learned.start.empty()) {
    table.add_row({"start", step_text(learned.start_outcome, ink),
                   "the plan of " + report::plain_name(learned.start, 40)});
  }
  table.add_row({"greedy", step_text(learned.greedy, ink), "the plan of the likeliest decisions"});
  if (sampled) {
    table.add_row({"samples", sample_mean_text(learned),
                   fmt::format("mean of those that fit, {} of the last samples",
                               learned.sample_feasible_share > 0
                                   ? report::format_percent(learned.sample_feasible_share)
                                   : "none")});
  }
  const std::string heading = about.empty() ? "The policy" : "The policy: " + about;
  return report::wrap_text(heading, report::kPageColumns, 0) + table.to_text(2);
}

void write_learned(JsonWriter& json, const place::Learned& learned) {
  json.field("greedy_step_seconds", learned.greedy.step_seconds);
  json.field("greedy_feasible", learned.greedy.feasible && learned.greedy.routable);
  json.key("sample_mean_step_seconds");
  learned.sample_feasible_share > 0 ? json.value(learned.sample_mean_seconds) : json.null();
  json.key("sample_feasible_share");
  learned.samples > 0 ? json.value(learned.sample_feasible_share) : json.null();
  json.key("start").begin_flat_object().field("method", learned.start);
  json.field("step_seconds", learned.start_outcome.step_seconds);
  json.field("feasible", learned.start_outcome.feasible && learned.start_outcome.routable);
  json.end_object();
  json.field("updates", learned.updates);
}

std::string policy_text(const place::PolicySummary& policy) {
  const std::string on = policy.models.empty() ? "models it does not name"
                                               : fmt::format("{} on {}", names_text(policy.models),
                                                             names_text(policy.clusters));
  return fmt::format("{}, trained with {} on {}, seed {}", report::plain_name(policy.method, 60),
                     report::format_number_of(
                         static_cast<std::size_t>(std::llround(policy.evaluations)), "evaluation"),
                     on, policy.seed);
}

void write_policy_summary(JsonWriter& json, const place::PolicySummary& policy) {
  json.key("policy").begin_object().field("method", policy.method).field("seed", policy.seed);
  json.field("evaluations", policy.evaluations);
  write_names(json, "models", policy.models);
  write_names(json, "clusters", policy.clusters);
  json.end_object();
}

}  // namespace berth::cli
