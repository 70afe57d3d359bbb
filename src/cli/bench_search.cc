// berth bench search: how good the search is, on pinned problems, and whether it has become better.
#include <fmt/format.h>

#include <charconv>

#include "base/error.h"
#include "base/file.h"
#include "cli/bench.h"
#include "cli/bench_observer.h"
#include "cli/outputs.h"
#include "cli/search.h"
#include "experiments/search_against.h"
#include "experiments/search_file.h"
#include "experiments/search_pairs.h"
#include "experiments/search_results.h"
#include "experiments/search_run.h"
#include "report/table.h"

namespace berth::cli {
namespace {

struct SearchBenchArguments {
  std::string seconds = "1,10,60";
  std::string evaluations;
  std::string seed = "0";
  std::string only;
  std::string pairs;
  std::string against;
  bool all = false;
  bool list = false;
  OutputFile output{"--output", ""};
};

bool parse(Words words, SearchBenchArguments& bench, Console& console) {
  Arguments arguments("bench search",
                      "Measures auto at several budgets, and every placer, on fixed problems.");
  arguments.option("--seconds", "LIST", bench.seconds,
                   "Budgets of auto in seconds, in rising order; default 1,10,60.");
  arguments.option("--evals", "LIST", bench.evaluations,
                   "The same in evaluations; the results are the same on any machine.");
  arguments.flag("--all", bench.all, "Run every workload on the clusters of its papers.");
  arguments.option("--only", "TEXT", bench.only,
                   "Only pairs with this text in the workload or the cluster.");
  arguments.option("--pairs", "N", bench.pairs, "Only the first N pairs.");
  arguments.flag("--list", bench.list, "List the pairs with the reason for each; run nothing.");
  arguments.option("--seed", "N", bench.seed, "Seed of the random numbers; default 0.");
  arguments.option("-o,--output", "FILE", bench.output.path, "Write the results as JSON.");
  arguments.option("--against", "FILE", bench.against,
                   "Compare with the results of an earlier run.");
  console.declare(arguments);
  arguments.note(
      "Placers that search, and auto with a schedule, get the middle budget. The verdicts are "
      "about that budget too. Ctrl-C keeps the pairs that are done.");
  arguments.example("berth bench search -o before.json", "about 18 minutes");
  arguments.example("berth bench search --against before.json", "after a change");
  arguments.example("berth bench search --evals 2000 --only gnmt",
                    "some pairs, the same on any machine");
  if (!arguments.parse(words)) return false;
  if (arguments.given("--seconds") && arguments.given("--evals")) {
    throw InputError("--seconds and --evals both say what auto may spend; give one of them");
  }
  return true;
}

std::vector<Budget> parse_budgets(const SearchBenchArguments& bench) {
  const bool counted = !bench.evaluations.empty();
  const std::string& text = counted ? bench.evaluations : bench.seconds;
  const auto refuse = [&](std::string_view why) -> InputError {
    return InputError(fmt::format("{} {}, not {}",
                                  counted ? "--evals takes numbers of evaluations, such as "
                                            "500,2000,"
                                          : "--seconds takes times in seconds, such as 1,10,60,",
                                  why, quoted(text)));
  };
  std::vector<Budget> budgets;
  double last = 0;
  for (const std::string& item : split_list(text)) {
    try {
      budgets.push_back(parse_budget(item + (counted ? "evals" : "s")));
    } catch (const InputError&) {
      throw refuse("more than 0 and separated by commas");
    }
    const double value = counted ? budgets.back().evaluations : budgets.back().seconds;
    if (value <= last) throw refuse("in rising order");
    last = value;
  }
  return budgets;
}

std::vector<experiments::SearchPair> choose_pairs(const SearchBenchArguments& bench) {
  const std::vector<experiments::SearchPair>& known =
      bench.all ? experiments::all_pairs() : experiments::pinned_pairs();
  std::vector<experiments::SearchPair> pairs;
  std::vector<std::string> names;
  for (const experiments::SearchPair& pair : known) {
    names.push_back(pair.name());
    if (pair.name().find(bench.only) != std::string::npos) pairs.push_back(pair);
  }
  if (pairs.empty()) {
    throw InputError(fmt::format("no pair has {} in its name; the pairs are {}{}",
                                 quoted(bench.only), join_names(names, 12),
                                 bench.all ? "" : "; --all has more"));
  }
  if (bench.pairs.empty()) return pairs;
  std::size_t count = 0;
  const char* end = bench.pairs.data() + bench.pairs.size();
  const auto [stop, error] = std::from_chars(bench.pairs.data(), end, count);
  if (error != std::errc() || stop != end || count < 1 || count > pairs.size()) {
    throw InputError(fmt::format("--pairs is a whole number from 1 to {}, not {}", pairs.size(),
                                 quoted(bench.pairs)));
  }
  pairs.resize(count);
  return pairs;
}

std::string list_text(const std::vector<experiments::SearchPair>& pairs) {
  report::Table table({{"workload"}, {"cluster"}, {"why", report::Table::Align::sentence}});
  for (const experiments::SearchPair& pair : pairs) {
    table.add_row(
        {pair.workload, pair.cluster,
         pair.why + (experiments::is_for_tuning(pair.cluster) ? " (cluster for tuning)" : "")});
  }
  return table.to_text();
}

std::string list_json(const std::vector<experiments::SearchPair>& pairs) {
  JsonWriter json;
  json.begin_object().key("pairs").begin_array();
  for (const experiments::SearchPair& pair : pairs) {
    json.begin_flat_object().field("workload", pair.workload).field("cluster", pair.cluster);
    json.field("why", pair.why)
        .field("for_tuning", experiments::is_for_tuning(pair.cluster))
        .end_object();
  }
  json.end_array().end_object();
  return json.take();
}

experiments::SearchRun load_run(const std::string& path, const Console& console) {
  std::vector<std::string> warnings;
  const InputFile file(path);
  experiments::SearchRun run = experiments::parse_search_run(file.text(), path, &warnings);
  console.warn_all(warnings);
  return run;
}

std::string to_json(const experiments::SearchRun& run,
                    const std::optional<experiments::SearchAgainst>& against,
                    const std::string& source) {
  JsonWriter json;
  json.begin_object();
  experiments::write_search_run(json, run);
  if (against) experiments::write_against(json, *against, source);
  json.end_object();
  return json.take();
}

}  // namespace

int bench_search(Words words) {
  SearchBenchArguments bench;
  Console console;
  if (!parse(words, bench, console)) return kDone;
  const std::vector<experiments::SearchPair> pairs = choose_pairs(bench);
  if (bench.list) {
    if (console.json()) console.object(list_json(pairs));
    console.answer(list_text(pairs));
    return kDone;
  }
  const std::vector<Budget> budgets = parse_budgets(bench);
  experiments::SearchRun run = experiments::new_search_run(budgets, parse_seed(bench.seed));
  std::optional<experiments::SearchRun> old;
  std::vector<std::string> inputs;
  if (!bench.against.empty()) {
    inputs.push_back(bench.against);
    old = load_run(bench.against, console);
    experiments::require_comparable(run, *old, bench.against);
  }
  check_outputs(std::vector{bench.output}, inputs, console);

  BenchObserver watch(console);
  experiments::run_search_pairs(pairs, budgets, watch.observer(), run);
  watch.finish();

  std::optional<experiments::SearchAgainst> against;
  if (old) against = experiments::compare_runs(run, *old);
  write_output(bench.output, [&] { return to_json(run, against, bench.against); });
  if (console.json()) console.object(to_json(run, against, bench.against));
  console.answer(experiments::search_answer(run, console.ink()));
  if (against && !run.rows.empty())
    console.answer(experiments::against_text(*against, bench.against, console.ink()));
  if (!bench.output.path.empty()) {
    console.answer(fmt::format("\nwrote {}  the results\nnext: berth bench search --against {}\n",
                               report::plain_name(bench.output.path, 60), bench.output.path));
  }
  return kDone;
}

}  // namespace berth::cli
