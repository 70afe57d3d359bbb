// berth bench generalize: what policies are worth on graphs they have not seen.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/error.h"
#include "cli/bench.h"
#include "cli/interrupt.h"
#include "cli/model_range.h"
#include "cli/outputs.h"
#include "cli/search.h"
#include "cli/training_set.h"
#include "experiments/generalization.h"
#include "place/learned/methods.h"

namespace berth::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kSamples = 50;

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
                      "Trains policies on some graphs and puts them to work on others.");
  arguments.option("-m,--methods", "LIST", bench.methods,
                   fmt::format("Learned methods; default {}.", bench.methods));
  arguments.option("--train", "BUDGET", bench.train,
                   fmt::format("Of training on all graphs together; default {}.", bench.train));
  arguments.option("--tune", "BUDGET", bench.tune,
                   fmt::format("Of fine-tuning on an unseen graph; default {}.", bench.tune));
  arguments.option("--scratch", "BUDGET", bench.scratch,
                   fmt::format("Of training on it from nothing, of random and of auto; default {}.",
                               bench.scratch));
  arguments.option("--only", "TEXT", bench.only, "Unseen graphs whose name or cluster has this.");
  arguments.flag("--tuning", bench.tuning, "Graphs and clusters for tuning instead.");
  arguments.option("--policies", "FOLDER", bench.policies,
                   "Keep the policies there; those that are there already are not trained again,\n"
                   "and training that was cut short goes on.");
  arguments.option("--seed", "N", bench.seed, "Seed of the random numbers; default 0.");
  arguments.option("-o,--output", "FILE", bench.output.path, "Keep the run as JSON.");
  console.declare(arguments);
  arguments.note(
      "Budgets are in evaluations, so that runs can be repeated. Ctrl-C ends with the\n"
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

std::vector<place::Method> parse_methods(const std::string& text) {
  std::vector<place::Method> methods;
  for (const std::string& item : split_list(text)) {
    methods.push_back(place::parse_method(item));
    if (methods.back().placer->learned) continue;
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
  throw InputError(fmt::format("no unseen graph has {} in its name; they are {}",
                               quoted(bench.only), join_names(names, 12)));
}

// Where policies are kept while this runs, or for good where the user says so.
class PolicyFolder {
 public:
  explicit PolicyFolder(const std::string& named) : kept_(!named.empty()), path_(named) {
    std::error_code error;
    if (kept_) {
      fs::create_directories(path_, error);
      if (!error) return;
      throw InputError(
          fmt::format("cannot make the folder {}: {}", quoted(named), error.message()));
    }
    std::string pattern = (fs::temp_directory_path() / "berth-policies-XXXXXX").string();
    if (!mkdtemp(pattern.data())) {
      throw InputError(fmt::format("cannot make a folder in {}; name one with --policies",
                                   quoted(fs::temp_directory_path().string())));
    }
    path_ = pattern;
  }
  ~PolicyFolder() {
    std::error_code ignored;
    if (!kept_) fs::remove_all(path_, ignored);
  }
  PolicyFolder(const PolicyFolder&) = delete;
  PolicyFolder& operator=(const PolicyFolder&) = delete;

  std::string file(const std::string& method) const {
    std::string name = report::plain_name(method, 100);
    std::ranges::replace(name, '/', '_');  // a start or a policy may be named by its path
    return (path_ / (name + ".policy")).string();
  }

 private:
  bool kept_;
  fs::path path_;
};

std::vector<std::string> models_of(const experiments::Lineup& lineup) {
  std::vector<std::string> models;
  for (const std::string& range : lineup.models) {
    for (std::string& model : expand_models(range, "the line-up")) {
      models.push_back(std::move(model));
    }
  }
  return models;
}

TrainingSet load_lessons(const experiments::Lineup& lineup, const Console& console) {
  TrainingSet lessons;
  for (const std::string& model : models_of(lineup)) {
    lessons.add(load_setting({.model = model, .cluster = lineup.cluster}, console));
  }
  return lessons;
}

experiments::Step step_of(const Outcome& outcome) {
  return outcome.routable && outcome.feasible ? experiments::Step(outcome.step_seconds)
                                              : std::nullopt;
}

// One unseen problem: everything that is measured on it.
class UnseenProblem {
 public:
  UnseenProblem(const experiments::HeldOut& problem, const GeneralizeArguments& bench,
                const Budget& tune, std::string heading, const Console& console)
      : tune_(tune),
        heading_(std::move(heading)),
        console_(console),
        setting_(load_setting({.model = problem.workload, .cluster = problem.cluster}, console)),
        search_({.budget = bench.scratch, .seed = bench.seed}, setting_, console) {
    row_.problem = problem;
    row_.ops = setting_.problem->op_count();
  }

  void run_baselines() {
    row_.random = best_of("random:units=256");
    if (search_.expert) row_.expert = best_of("expert");
    row_.automatic = best_of("auto:tasks=place");
  }

  void run(const place::Method& method, const std::string& policy) {
    experiments::Carried carried;
    const Found zero_shot = use("zero-shot", {.path = policy, .samples = kSamples});
    carried.greedy = step_of(zero_shot.placed.learned->greedy);
    carried.zero_shot = step_of(zero_shot.placed.outcome);
    carried.zero_shot_seconds = zero_shot.search_seconds;
    const Found tuned = use("tuned", {.path = policy, .finetune = tune_});
    carried.tuned = step_of(tuned.placed.outcome);
    const Found scratch = run_method(method, setting_, search_.request, console_, heading_);
    carried.scratch = step_of(scratch.placed.outcome);
    carried.scratch_greedy = step_of(scratch.placed.learned->greedy);
    row_.carried.push_back(carried);
  }

  experiments::GeneralizationRow take() { return std::move(row_); }

 private:
  experiments::Step best_of(const std::string& method) {
    const Found found =
        run_method(place::parse_method(method), setting_, search_.request, console_, heading_);
    return step_of(found.placed.outcome);
  }

  Found use(const char* what, const place::PolicyUse& policy) {
    return run_search(
        heading_ + ' ' + what, search_.request, console_, [&](const place::Request& request) {
          return place::learn_module().place_with_policy(*setting_.problem, request, policy);
        });
  }

  Budget tune_;
  std::string heading_;
  const Console& console_;
  Setting setting_;
  Search search_;
  experiments::GeneralizationRow row_;
};

// A policy of another training than the one asked for would stand under the wrong heading.
void require_same_training(const place::PolicySummary& kept, const place::TrainingRequest& asked,
                           const experiments::Lineup& lineup, const std::string& path) {
  const auto refuse = [&](const char* what, const std::string& found, const std::string& due) {
    throw InputError(
        fmt::format("{}: this policy's {} is {} and {} is asked for now; name another folder with "
                    "--policies, or remove the file",
                    path, what, found, due));
  };
  if (kept.method != asked.method) refuse("method", kept.method, asked.method);
  if (kept.seed != asked.seed) {
    refuse("seed", fmt::format("{}", kept.seed), fmt::format("{}", asked.seed));
  }
  const std::string budget = format_budget(asked.budget);
  if (kept.budget != budget) refuse("budget", kept.budget, budget);
  const std::vector<std::string> models = models_of(lineup);
  const auto cluster = [&](const std::string& name) { return name == lineup.cluster; };
  if (kept.models != models || !std::ranges::all_of(kept.clusters, cluster)) {
    refuse("training",
           fmt::format("on {} networks, the first {} on {}", kept.models.size(),
                       kept.models.empty() ? "" : kept.models.front(),
                       kept.clusters.empty() ? "" : kept.clusters.front()),
           fmt::format("{}, the first {} on {},", models.size(), models.front(), lineup.cluster));
  }
}

// Training ends when only the greedy plans are left to price.
bool is_whole(const place::PolicySummary& kept, const Budget& budget) {
  return kept.evaluations + static_cast<double>(kept.models.size()) >= budget.evaluations;
}

// Trains what is not there yet, and goes on where a training was cut short. False when the user has
// had enough.
bool train_policies(const experiments::Lineup& lineup, const std::vector<place::Method>& methods,
                    const PolicyFolder& folder, const Console& console,
                    experiments::GeneralizationRun& run) {
  std::optional<TrainingSet> lessons;
  for (const place::Method& method : methods) {
    const std::string path = folder.file(method.options.canonical());
    place::TrainingRequest request{.method = method.options.canonical(),
                                   .cases = {},
                                   .budget = {.evaluations = run.train_evaluations},
                                   .seed = run.seed,
                                   .policy_path = path,
                                   .curve_path = path + ".jsonl"};
    std::error_code ignored;
    if (fs::exists(path, ignored)) {
      const place::PolicySummary kept = place::learn_module().summarize(path);
      require_same_training(kept, request, lineup, path);
      request.resume = !is_whole(kept, request.budget);
      if (!request.resume) {
        run.train_seconds.push_back(kept.train_seconds);
        continue;
      }
    }
    if (!lessons) lessons.emplace(load_lessons(lineup, console));
    request.cases = lessons->cases();
    const place::Trained trained = train_with_progress(std::move(request), console);
    if (trained.interrupted) return false;
    run.train_seconds.push_back(trained.train_seconds);
  }
  return true;
}

}  // namespace

int bench_generalize(Words words) {
  GeneralizeArguments bench;
  Console console;
  if (!parse(words, bench, console)) return kDone;
  const std::vector<place::Method> methods = parse_methods(bench.methods);
  const std::vector<experiments::HeldOut> problems = choose_problems(bench);
  experiments::GeneralizationRun run;
  for (const place::Method& method : methods) run.methods.push_back(method.options.canonical());
  run.train_evaluations = parse_evaluations(bench.train, "--train").evaluations;
  const Budget tune = parse_evaluations(bench.tune, "--tune");
  run.tune_evaluations = tune.evaluations;
  run.scratch_evaluations = parse_evaluations(bench.scratch, "--scratch").evaluations;
  run.samples = kSamples;
  run.seed = parse_seed(bench.seed);
  run.for_tuning = bench.tuning;
  check_outputs(std::vector{bench.output}, {}, console);
  place::learn_module();  // without it there is nothing to do, and better told at once
  const PolicyFolder folder(bench.policies);

  Interrupt::install();
  run.interrupted = !train_policies(experiments::generalization_lineup(bench.tuning), methods,
                                    folder, console, run);
  for (std::size_t i = 0; i < problems.size() && !run.interrupted; ++i) {
    const std::string heading =
        fmt::format("[{}/{}] {}", i + 1, problems.size(), problems[i].name());
    UnseenProblem unseen(problems[i], bench, tune, heading, console);
    unseen.run_baselines();
    for (const place::Method& method : methods) {
      if (!Interrupt::requested()) {
        unseen.run(method, folder.file(method.options.canonical()));
      }
    }
    run.interrupted = Interrupt::requested();
    if (!run.interrupted) run.rows.push_back(unseen.take());  // cut short, it would mislead
  }

  write_output(bench.output, [&] { return experiments::generalization_json(run); });
  if (console.json()) console.object(experiments::generalization_json(run));
  console.answer(experiments::generalization_answer(run, console.ink()));
  return kDone;
}

}  // namespace berth::cli
