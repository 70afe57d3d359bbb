// berth train: teach a learned method on some models, and keep what it has learned.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/shell_word.h"
#include "cli/answer.h"
#include "cli/commands.h"
#include "cli/flag_errors.h"
#include "cli/learned_answer.h"
#include "cli/model_range.h"
#include "cli/search.h"
#include "cli/train_answer.h"
#include "cli/training_set.h"
#include "place/learned/methods.h"

namespace berth::cli {
namespace {

struct TrainArguments {
  SettingArguments setting;  // its model is filled in for every case; its cluster is a list
  std::string method;
  std::vector<std::string> models;
  std::string budget;
  std::string seed = "0";
  OutputFile policy{"--output", ""};
  OutputFile curve{"--curve", ""};
  bool resume = false;
  bool slim = false;
};

bool parse(Words words, TrainArguments& train, Console& console) {
  constexpr auto kRequired = Arguments::Need::required;
  Arguments arguments("train", "Trains a learned method and writes a policy for place --policy.");
  arguments.option("-m,--method", "METHOD", train.method,
                   "A learned method (berth methods), with options.", kRequired);
  arguments.repeated_option("--on", "MODEL", train.models,
                            "A model to train on; repeatable. zoo:layered:seed=0..23 is 24 models.",
                            kRequired);
  arguments.reads_file("--on");
  arguments.option("-c,--cluster", "CLUSTERS", train.setting.cluster,
                   "Cluster files or presets, separated by commas.", kRequired);
  arguments.reads_file("--cluster");
  arguments.option("-b,--budget", "BUDGET", train.budget,
                   "What training may spend in total: 10min, 2h, 20000evals.", kRequired);
  arguments.option("-o,--output", "FILE", train.policy.path, "The policy to write.", kRequired);
  arguments.option("--seed", "N", train.seed, "Seed of the random numbers; default 0.");
  arguments.flag("--resume", train.resume, "Continue the training that is in FILE.");
  arguments.flag("--slim", train.slim,
                 "At the end keep only the policy: a third of the size, but no --resume.");
  arguments.option("--curve", "FILE", train.curve.path,
                   "Learning curve, one JSON object per line; default: FILE.jsonl.");
  train.setting.declare_reading(arguments);
  train.setting.declare_narrowing(arguments);
  console.declare(arguments);
  arguments.note(
      "Every model on every cluster is a case; training goes through all of them in turn. The\n"
      "policy file is saved regularly during training; Ctrl-C saves it and ends. Exit\n"
      "status: 3 when no plan that fits was seen for any case.");
  arguments.example(
      "berth train -m hdp --on zoo:rnnlm --cluster 2xP100 --budget 10min -o rnnlm.policy",
      "one model; then berth place zoo:rnnlm -c 2xP100 --policy rnnlm.policy");
  arguments.example(
      "berth train -m colocrl --on zoo:enas_cifar:seed=0..23 -c 2xP100,4xP100 -b 60min -o e.policy",
      "24 models on two clusters, to place others of the family");
  arguments.example("berth train -m hdp --on zoo:rnnlm -c 2xP100 -b 20min -o rnnlm.policy --resume",
                    "ten minutes more");
  if (!arguments.parse(words)) return false;
  if (train.curve.path.empty()) train.curve.path = train.policy.path + ".jsonl";
  return true;
}

place::Method parse_learned(const std::string& text) {
  place::Method method = place::parse_method(text);
  if (method.placer->learned) return method;
  throw InputError(
      fmt::format("--method {} does not learn, so it cannot be trained; those that do "
                  "are {}",
                  method.options.canonical(), join_names(place::learned_names())));
}

// The names of model and cluster of every case.
std::vector<SettingArguments> cases_of(const TrainArguments& train) {
  std::vector<SettingArguments> cases;
  const std::vector<std::string> clusters = split_list(train.setting.cluster);
  for (const std::string& range : train.models) {
    for (const std::string& model : expand_models(range, "--on")) {
      for (const std::string& cluster : clusters) {
        cases.push_back(train.setting);
        cases.back().model = model;
        cases.back().cluster = cluster;
      }
    }
  }
  return cases;
}

// Checked first: the result of an hour of training must not be lost to a wrong path.
void check_files(const TrainArguments& train, const std::vector<SettingArguments>& cases,
                 Console& console) {
  require_file(train.policy);
  require_file(train.curve);
  std::vector<std::string> inputs;
  for (const SettingArguments& one : cases) {
    for (std::string& path : one.input_files()) inputs.push_back(std::move(path));
  }
  check_outputs(std::vector{train.policy, train.curve}, inputs, console);
}

// With the locks held, so that what is there now is there when training begins.
void check_resumption(const TrainArguments& train, const Console& console) {
  std::error_code ignored;
  const bool there = std::filesystem::exists(train.policy.path, ignored);
  if (there && !train.resume) {
    throw InputError(
        fmt::format("{} exists already; continue its training with --resume, name another "
                    "file with -o, or remove it to start again",
                    quoted(train.policy.path)));
  }
  if (!there && train.resume) {
    console.warn(fmt::format("there is no {} to resume, so training starts from the beginning",
                             quoted(train.policy.path)));
  }
}

std::string how_to_go_on(const TrainArguments& train, const place::Trained& trained, Words words,
                         const SettingArguments& first) {
  if (!trained.interrupted) {
    return fmt::format("next: berth place {} --policy {}\n", setting_words(first),
                       shell_word(train.policy.path));
  }
  std::string line = "berth train";
  for (const std::string& word : words) line += ' ' + shell_word(word);
  if (!train.resume) line += " --resume";
  return fmt::format("interrupted; continue with: {}\n", line);
}

}  // namespace

int train_command(Words words) {
  TrainArguments train;
  Console console;
  if (!parse(words, train, console)) return kDone;
  place::TrainingRequest request{.method = parse_learned(train.method).options.canonical(),
                                 .cases = {},
                                 .budget = parse_budget(train.budget),
                                 .seed = parse_seed(train.seed),
                                 .policy_path = train.policy.path,
                                 .curve_path = train.curve.path,
                                 .slim = train.slim};
  const std::vector<SettingArguments> cases = cases_of(train);
  check_files(train, cases, console);
  const OutputLock policy_lock(train.policy);
  const OutputLock curve_lock(train.curve);
  check_resumption(train, console);
  std::error_code ignored;
  request.resume = train.resume && std::filesystem::exists(train.policy.path, ignored);

  TrainingSet lessons;
  for (const SettingArguments& one : cases) lessons.add(load_setting(one, console));
  request.cases = lessons.cases();
  const place::Trained trained = [&] {
    try {
      return train_with_progress(request, console);
    } catch (const InputError& error) {
      throw with_flags({{"policy", "--output"}}, error);
    }
  }();
  if (!trained.remark.empty()) console.warn(trained.remark);

  if (console.json()) console.object(trained_json(request, trained));
  console.answer(request.method + '\n' + trained_text(trained, console.ink()));
  console.answer(written_text({{train.policy.path, "the policy"}, {train.curve.path, kCurveUse}}) +
                 how_to_go_on(train, trained, words, cases.front()));
  const bool any = std::ranges::any_of(trained.cases, [](const place::TrainedCase& one) {
    return one.best.feasible && one.best.routable;
  });
  return any ? kDone : kNoFeasiblePlan;
}

}  // namespace berth::cli
