// berth bench generalize: what policies are worth on graphs they have not seen.
#include <fmt/format.h>

#include <cmath>

#include "base/error.h"
#include "cli/bench.h"
#include "cli/bench_observer.h"
#include "cli/flag_errors.h"
#include "cli/model_range.h"
#include "cli/outputs.h"
#include "cli/search.h"
#include "experiments/generalization.h"
#include "experiments/generalization_run.h"
#include "place/learned/methods.h"

namespace berth::cli {
namespace {

struct GeneralizeArguments {
  std::string methods = "placeto,go";
  std::string train = "8000evals";
  std::string tune = "250evals";
  std::string scratch = "1000evals";
  std::string seed = "0";
  std::string only;
  std::string policies;
  bool tuning = false;
  OutputFile output{"--output", ""};
};

bool parse(Words words, GeneralizeArguments& bench, Console& console) {
  Arguments arguments("bench generalize",
                      "Trains policies on some graphs and measures them on others.");
  arguments.option("-m,--methods", "LIST", bench.methods,
                   fmt::format("Learned methods; default {}.", bench.methods));
  arguments.option(
      "--train", "BUDGET", bench.train,
      fmt::format("Budget of training on all graphs together; default {}.", bench.train));
  arguments.option(
      "--tune", "BUDGET", bench.tune,
      fmt::format("Budget of fine-tuning on an unseen graph; default {}.", bench.tune));
  arguments.option(
      "--scratch", "BUDGET", bench.scratch,
      fmt::format("Budget of training on it from scratch, of random and of auto; default {}.",
                  bench.scratch));
  arguments.option("--only", "TEXT", bench.only,
                   "Only unseen graphs with this text in their name or cluster.");
  arguments.flag("--tuning", bench.tuning, "Use the graphs and clusters for tuning instead.");
  arguments.option("--policies", "FOLDER", bench.policies,
                   "Folder for the policies. Those already in it are not trained again, and\n"
                   "interrupted training continues.");
  arguments.option("--seed", "N", bench.seed, "Seed of the random numbers; default 0.");
  arguments.option("-o,--output", "FILE", bench.output.path, "Write the results as JSON.");
  console.declare(arguments);
  arguments.note(
      "Budgets are in evaluations, so that runs can be repeated. Ctrl-C keeps the\n"
      "problems that are done.");
  arguments.example("berth bench generalize", "about twenty minutes");
  arguments.example("berth bench generalize -m go --tuning --train 4000evals", "a quick look");
  return arguments.parse(words);
}

Budget parse_evaluations(const std::string& text, const char* option) {
  const Budget budget = parse_budget(text);
  if (std::isfinite(budget.evaluations) && !std::isfinite(budget.seconds)) return budget;
  throw InputError(fmt::format("{} is a number of evaluations, such as 1000evals, not {}", option,
                               quoted(text)));
}

std::vector<std::string> parse_methods(const std::string& text) {
  std::vector<std::string> methods;
  for (const std::string& item : split_list(text)) {
    const place::Method method = place::parse_method(item);
    methods.push_back(method.options.canonical());
    if (method.placer->learned) continue;
    throw InputError(fmt::format("--methods: {} does not learn; those that do are {}", item,
                                 join_names(place::learned_names())));
  }
  return methods;
}

std::vector<experiments::HeldOut> choose_problems(const GeneralizeArguments& bench) {
  std::vector<experiments::HeldOut> chosen;
  std::vector<std::string> names;
  for (const experiments::HeldOut& problem :
       experiments::generalization_lineup(bench.tuning).held_out) {
    names.push_back(problem.name());
    if (problem.name().find(bench.only) != std::string::npos) chosen.push_back(problem);
  }
  if (!chosen.empty()) return chosen;
  throw InputError(fmt::format("no unseen graph has {} in its name; the unseen graphs are {}",
                               quoted(bench.only), join_names(names, 12)));
}

std::vector<std::string> models_of(const experiments::Lineup& lineup) {
  std::vector<std::string> models;
  for (const std::string& range : lineup.models) {
    for (std::string& model : expand_models(range, "the list of models")) {
      models.push_back(std::move(model));
    }
  }
  return models;
}

experiments::GeneralizationOptions to_options(const GeneralizeArguments& bench) {
  const experiments::Lineup& lineup = experiments::generalization_lineup(bench.tuning);
  experiments::GeneralizationOptions options;
  options.methods = parse_methods(bench.methods);
  options.problems = choose_problems(bench);
  options.models = models_of(lineup);
  options.cluster = lineup.cluster;
  options.train = parse_evaluations(bench.train, "--train");
  options.tune = parse_evaluations(bench.tune, "--tune");
  options.scratch = parse_evaluations(bench.scratch, "--scratch");
  options.seed = parse_seed(bench.seed);
  options.for_tuning = bench.tuning;
  options.policies = bench.policies;
  return options;
}

}  // namespace

int bench_generalize(Words words) {
  GeneralizeArguments bench;
  Console console;
  if (!parse(words, bench, console)) return kDone;
  const experiments::GeneralizationOptions options = to_options(bench);
  check_outputs(std::vector{bench.output}, {}, console);
  BenchObserver watch(console);
  const experiments::GeneralizationRun run = [&] {
    try {
      return experiments::run_generalization(options, watch.observer());
    } catch (const InputError& error) {
      throw with_flags({{"policies", "--policies"}}, error);
    }
  }();
  watch.finish();
  write_output(bench.output, [&] { return experiments::generalization_json(run); });
  if (console.json()) console.object(experiments::generalization_json(run));
  console.answer(experiments::generalization_answer(run, console.ink()));
  return kDone;
}

}  // namespace berth::cli
