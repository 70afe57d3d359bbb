#include "experiments/search_against.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "report/table.h"

namespace berth::experiments {
namespace {

using Kind = SearchChange::Kind;

constexpr double kTolerance = 0.01;
constexpr double kSpeedTolerance = 0.1;
constexpr const char* kBestPlacer = "best placer";
constexpr const char* kBound = "bound";
constexpr const char* kSpeed = "evals/s";

enum class Better { smaller, larger };

SearchChange change_of(double now, double old, Better better, double tolerance) {
  if (!(old > 0) || !(now > 0)) {
    return now == old ? SearchChange{Kind::level, 1.0} : SearchChange{Kind::absent, {}, "-"};
  }
  const double ratio = now / old;
  const double worse = better == Better::smaller ? ratio - 1 : 1 / ratio - 1;
  const double gain = better == Better::smaller ? 1 / ratio - 1 : ratio - 1;
  return {worse > tolerance ? Kind::worse : gain > tolerance ? Kind::better : Kind::level, ratio};
}

SearchChange step_change(const SearchFigure* now, const SearchFigure* old) {
  if (now == nullptr) return {Kind::absent, {}, "-"};
  if (old == nullptr) return {Kind::absent, {}, "new"};
  if (now->has_step() != old->has_step()) {
    return now->has_step() ? SearchChange{Kind::better, {}, "fits now"}
                           : SearchChange{Kind::worse, {}, "no longer fits"};
  }
  if (!now->has_step()) return {Kind::absent, {}, "-"};
  return change_of(now->step_seconds, old->step_seconds, Better::smaller, kTolerance);
}

// Both of the figure verdicts are about.
void add_bound_and_speed(std::vector<SearchChange>& changes, const SearchFigure* now,
                         const SearchFigure* old) {
  const SearchChange none{Kind::absent, {}, "-"};
  const bool both = now != nullptr && old != nullptr;
  changes.push_back(
      both && now->failure.empty() && old->failure.empty()
          ? change_of(now->bound_seconds, old->bound_seconds, Better::larger, kTolerance)
          : none);
  const auto now_speed = both ? now->evaluations_per_second() : std::nullopt;
  const auto old_speed = both ? old->evaluations_per_second() : std::nullopt;
  changes.push_back(now_speed && old_speed
                        ? change_of(*now_speed, *old_speed, Better::larger, kSpeedTolerance)
                        : none);
}

const SearchRow* find_row(const SearchRun& run, const std::string& name) {
  const auto found = std::find_if(run.rows.begin(), run.rows.end(),
                                  [&](const SearchRow& row) { return row.name() == name; });
  return found == run.rows.end() ? nullptr : &*found;
}

// There are too many placers for columns, so only those that changed are listed.
void tell_placers(SearchAgainst& against, const SearchRow& now, const SearchRow& old) {
  for (const SearchFigure& figure : now.figures) {
    if (figure.is_auto()) continue;
    const SearchFigure* before = old.find(figure.name);
    if (before == nullptr) continue;
    const SearchChange change = step_change(&figure, before);
    if (change.kind == Kind::level || change.kind == Kind::absent) continue;
    const bool worse = change.kind == Kind::worse;
    if (worse) ++against.worse;
    against.placers.push_back(fmt::format(
        "{} on {}: {}{}", figure.name, now.name(),
        change.ratio ? report::format_ratio(*change.ratio) : change.words, worse ? ", worse" : ""));
  }
}

std::string change_cell(const SearchChange& change, report::Ink ink) {
  const std::string text = change.ratio ? report::format_ratio(*change.ratio) : change.words;
  if (change.kind == Kind::worse) return ink.bad(change.ratio ? text + " worse" : text);
  return change.kind == Kind::better ? ink.good(text) : text;
}

const char* kind_name(Kind kind) {
  switch (kind) {
    case Kind::level:
      return "level";
    case Kind::better:
      return "better";
    case Kind::worse:
      return "worse";
    case Kind::absent:
      break;
  }
  return "absent";
}

// "1s", "10s", "60s", "+schedule", "placer": seven columns have to fit the page.
std::string short_header(const std::string& name) {
  if (name == kBestPlacer) return "placer";
  if (const std::size_t plus = name.find('+'); plus != std::string::npos) return name.substr(plus);
  const std::string method = SearchRun::auto_figure("");
  return name.starts_with(method) ? name.substr(method.size()) : name;
}

}  // namespace

void require_comparable(const SearchRun& now, const SearchRun& old, const std::string& source) {
  for (const std::string& budget : now.budgets) {
    if (std::find(old.budgets.begin(), old.budgets.end(), budget) != old.budgets.end()) return;
  }
  std::vector<std::string> there;
  for (const std::string& budget : old.budgets) there.push_back(report::plain_name(budget, 20));
  throw InputError(fmt::format(
      "{} has auto at {} and this run at {}; to compare them, give this run one of the budgets "
      "of the file",
      source, join_names(there), join_names(now.budgets)));
}

SearchAgainst compare_runs(const SearchRun& now, const SearchRun& old) {
  SearchAgainst against;
  against.columns = now.auto_figures();
  against.columns.insert(against.columns.end(), {kBestPlacer, kBound, kSpeed});
  for (const SearchRow& row : now.rows) {
    const SearchRow* before = find_row(old, row.name());
    SearchAgainst::Pair pair{.name = row.name(), .is_new = before == nullptr};
    if (before != nullptr) {
      for (const std::string& name : now.auto_figures()) {
        pair.changes.push_back(step_change(row.find(name), before->find(name)));
      }
      pair.changes.push_back(step_change(row.best_placer(), before->best_placer()));
      add_bound_and_speed(pair.changes, row.find(now.main_figure()),
                          before->find(now.main_figure()));
      for (const SearchChange& change : pair.changes) against.worse += change.kind == Kind::worse;
      tell_placers(against, row, *before);
    } else {
      pair.changes.assign(against.columns.size(), {Kind::absent, {}, "new"});
    }
    against.pairs.push_back(std::move(pair));
  }
  for (std::size_t column = 0; column < against.columns.size(); ++column) {
    double logarithms = 0;
    std::size_t ratios = 0;
    for (const SearchAgainst::Pair& pair : against.pairs) {
      if (!pair.changes[column].ratio) continue;
      logarithms += std::log(*pair.changes[column].ratio);
      ++ratios;
    }
    against.means.push_back(ratios > 0
                                ? std::optional(std::exp(logarithms / static_cast<double>(ratios)))
                                : std::nullopt);
  }
  for (const SearchRow& row : old.rows) against.not_run += find_row(now, row.name()) == nullptr;
  return against;
}

std::string against_text(const SearchAgainst& against, const std::string& source, report::Ink ink) {
  std::vector<report::Table::Column> columns = {{"", report::Table::Align::right}, {"auto"}};
  for (const std::string& name : against.columns) {
    columns.push_back(
        {short_header(name), report::Table::Align::right,
         name == kSpeed ? report::Table::Room::optional : report::Table::Room::always});
  }
  report::Table table(columns, ink);
  for (const SearchAgainst::Pair& pair : against.pairs) {
    // By their number in the tables of the run, which name them in full.
    std::vector<std::string> cells = {fmt::format("{}", table.row_count() + 1),
                                      report::plain_name(pair.name, 60)};
    for (const SearchChange& change : pair.changes) cells.push_back(change_cell(change, ink));
    table.add_row(std::move(cells));
  }
  std::vector<std::string> means = {"", ink.bold("geo mean")};
  for (const auto& mean : against.means) means.push_back(mean ? report::format_ratio(*mean) : "-");
  table.add_row(std::move(means));
  std::string out =
      fmt::format("\nNew steps divided by those of {}\n", report::plain_name(source, 50)) +
      table.to_text(2);
  for (const std::string& sentence : against.placers) out += report::list_item(sentence);
  out += report::list_item(fmt::format(
      "{} worse: steps and bounds by more than 1%, evaluations per second by more than 10%.",
      against.worse == 0   ? "No figure is"
      : against.worse == 1 ? "1 figure is"
                           : fmt::format("{} figures are", against.worse)));
  if (against.not_run > 0) {
    out += report::list_item(fmt::format("{} of the old run {} not in this one.",
                                         report::format_number_of(against.not_run, "pair"),
                                         against.not_run == 1 ? "is" : "are"));
  }
  return out;
}

void write_against(JsonWriter& json, const SearchAgainst& against, const std::string& source) {
  json.key("against").begin_object().field("file", source);
  json.field("worse", against.worse).field("not_run", against.not_run);
  json.key("geometric_mean").begin_object();
  for (std::size_t i = 0; i < against.columns.size(); ++i) {
    json.key(against.columns[i]);
    against.means[i] ? json.value(*against.means[i]) : json.null();
  }
  json.end_object().key("pairs").begin_array();
  for (const SearchAgainst::Pair& pair : against.pairs) {
    json.begin_object().field("pair", pair.name).field("new", pair.is_new);
    json.key("figures").begin_array();
    for (std::size_t i = 0; i < against.columns.size(); ++i) {
      const SearchChange& change = pair.changes[i];
      json.begin_flat_object().field("name", against.columns[i]).key("ratio");
      change.ratio ? json.value(*change.ratio) : json.null();
      json.field("change", change.words.empty() ? kind_name(change.kind) : change.words.c_str());
      json.end_object();
    }
    json.end_array().end_object();
  }
  json.end_array().key("placers").begin_array();
  for (const std::string& sentence : against.placers) json.value(sentence);
  json.end_array().end_object();
}

}  // namespace berth::experiments
