// berth bench hdp, mars, colocrl: a published table with ours beside each figure.
#include <fmt/format.h>

#include "base/error.h"
#include "base/json_writer.h"
#include "cli/bench.h"
#include "cli/bench_observer.h"
#include "cli/search.h"
#include "experiments/published_results.h"
#include "experiments/published_run.h"
#include "report/table.h"

namespace berth::cli {
namespace {

// Those that are no published table, and have options of their own.
constexpr std::pair<const char*, const char*> kOtherBenches[] = {
    {kSearchBench, kSearchBenchTitle},
    {kGeneralizeBench, kGeneralizeBenchTitle},
    {kLearnBench, kLearnBenchTitle}};

bool parse(Words words, std::string& name, SearchArguments& search, Console& console) {
  Arguments arguments("bench",
                      "Prints a published table with the result of Berth next to each figure.");
  arguments.positional("TABLE", name,
                       "colocrl, hdp, mars, search, generalize or learn; default: list them.",
                       Arguments::Need::optional);
  arguments.option("--budget", "BUDGET", search.budget,
                   fmt::format("Budget of each method that searches; default {}.", search.budget));
  arguments.option("--seed", "N", search.seed, "Seed of the random numbers; default 0.");
  console.declare_json(arguments);
  arguments.example("berth bench hdp", "the table of the hierarchical planner");
  arguments.example("berth bench mars --json", "for scripts");
  arguments.example("berth bench search --help", "how good the search is, on fixed problems");
  arguments.example("berth bench generalize --help", "policies on graphs they were not trained on");
  arguments.example("berth bench learn --help", "what learning is worth, beside controls");
  return arguments.parse(words);
}

std::string list_text() {
  report::Table text({{"table"}, {"", report::Table::Align::sentence}});
  for (const experiments::PublishedTable& table : experiments::published_tables()) {
    text.add_row({table.name, table.title});
  }
  for (const auto& [name, title] : kOtherBenches) text.add_row({name, title});
  return text.to_text() + "\nnext: berth bench hdp\n";
}

std::string list_json() {
  JsonWriter json;
  json.begin_object().key("tables").begin_array();
  for (const experiments::PublishedTable& table : experiments::published_tables()) {
    json.begin_object().field("name", table.name).field("title", table.title).end_object();
  }
  for (const auto& [name, title] : kOtherBenches) {
    json.begin_object().field("name", name).field("title", title).end_object();
  }
  json.end_array().end_object();
  return json.take();
}

}  // namespace

int bench_published(Words words) {
  std::string name;
  SearchArguments search{.budget = "2000evals"};
  Console console;
  if (!parse(words, name, search, console)) return kDone;
  if (name.empty()) {
    if (console.json()) console.object(list_json());
    console.answer(list_text());
    return kDone;
  }
  for (const auto& [other, title] : kOtherBenches) {
    if (name != other) continue;
    throw InputError(
        fmt::format("{0} comes before its options, as in berth bench {0} --json", name));
  }
  const experiments::PublishedTable& table =
      experiments::find_published_table(name, {kSearchBench, kGeneralizeBench, kLearnBench});
  const Budget budget = parse_budget(search.budget);
  const std::uint64_t seed = parse_seed(search.seed);
  BenchObserver watch(console);
  const std::vector<experiments::OurRow> rows =
      experiments::run_published(table, budget, seed, watch.observer());
  watch.finish();
  if (console.json()) console.object(experiments::published_json(table, rows));
  console.answer(experiments::published_answer(table, rows, console.ink()));
  return kDone;
}

}  // namespace berth::cli
