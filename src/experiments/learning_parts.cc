// The parts of `berth bench learn`. Problems are those that nothing was tuned on
// (docs/results/tuning-split.md), except layered60 on 2xP100, on which the published systems were
// first seen not to learn.
#include <fmt/format.h>

#include "experiments/learning.h"

namespace berth::experiments {
namespace {

constexpr double kUntaughtEvaluations = 500;

// Controls that every table has: what costs milliseconds, chance over the same units and
// evaluations, and search.
std::vector<LearningArm> controls(const std::string& units) {
  return {{.name = "single", .method = "single", .of = "", .drawn = false},
          {.name = "heft", .method = "heft", .of = "", .drawn = false},
          {.name = "etf", .method = "etf", .of = "", .drawn = false},
          {.name = "sct", .method = "sct", .of = "", .drawn = false},
          {.name = "random", .method = "random:units=" + units, .of = ""},
          {.name = "auto", .method = "auto:tasks=place", .of = ""}};
}

// A variant of the part's first arm.
void add_variant(LearningPart& part, const std::string& name, const std::string& options) {
  const LearningArm& base = part.arms.front();
  part.arms.push_back({.name = name, .method = base.method + ':' + options, .of = base.name});
}

void add_controls(LearningPart& part, const std::string& units) {
  for (LearningArm& control : controls(units)) part.arms.push_back(std::move(control));
}

// As published; only widths are smaller than the papers', and the two large models are placed in 64
// units of acyclic coarsening, as placeto does with every model: an update of colocrl on all 3,728
// colocation groups of NMT takes minutes. Those that need fewer evaluations get fewer.
LearningPart published() {
  LearningPart part{.name = "published",
                    .title = "The published systems, preset=paper",
                    .problems = {{"small0", "zoo:layered:ops=12:seed=1000", "2xK40", 20000},
                                 {"small1", "zoo:layered:ops=12:seed=1001", "2xK40", 20000},
                                 {"small2", "zoo:layered:ops=12:seed=1002", "2xK40", 20000},
                                 {"layered60", "zoo:layered:ops=60:seed=1000", "2xP100", 20000},
                                 {"inception", "zoo:inception_v3", "2xK40", 20000, "64"},
                                 {"nmt", "zoo:nmt:layers=2", "2xK40", 20000, "64"}},
                    .arms = {}};
  const auto add = [&](const std::string& name, const std::string& widths, double evaluations) {
    const std::string method = name + ":preset=paper" + widths;
    part.arms.push_back(
        {.name = name, .method = method, .of = "", .most_evaluations = evaluations});
    // It draws the same early and late.
    part.arms.push_back({.name = name + "-lr0",
                         .method = method + ":lr=0",
                         .of = name,
                         .most_evaluations = kUntaughtEvaluations});
  };
  add("colocrl", ":hidden=64", 20000);
  add("hdp", ":hidden=64", 20000);
  add("placeto", "", 20000);
  add("go", ":hidden=64", 8000);
  add("mars", ":hidden=64:encoder_width=64", 8000);
  add("encoder_placer", ":hidden=64", 8000);
  add_controls(part, "ops");
  part.arms.push_back({.name = "exact", .method = "exact", .of = "", .drawn = false});
  return part;
}

// What the parts of a method are worth: each is left out, or replaced by the simplest rival, on
// eight problems of five families on clusters that nothing was tuned on. `units` of the learned
// methods and of `random`; empty for what each has.
LearningPart ablations(const std::string& name, double evaluations, const std::string& units) {
  const std::vector<std::pair<std::string, std::string>> base = {
      {"untaught", "lr=0"},
      {"imitation", "rl=off:elite=0.6"},
      {"linear", "reward=linear"},
      {"log", "reward=log"},
      {"paper-features", name == "go" ? "features=paper:units=256" : "features=paper"}};
  LearningPart part{
      .name = "parts-" + name,
      .title = "The parts of " + name + ", each left out or replaced",
      .problems = {{"layered200a", "zoo:layered:ops=200:seed=1001", "4xV100-nvlink", evaluations},
                   {"layered200b", "zoo:layered:ops=200:seed=1002", "4xK80", evaluations},
                   {"cells0", "zoo:enas_cifar:seed=1000", "4xK80", evaluations},
                   {"cells2", "zoo:enas_cifar:seed=1002", "2xK40", evaluations},
                   {"inception", "zoo:inception_v3", "4xK80", evaluations},
                   {"rnnlm", "zoo:rnnlm", "4xK80", evaluations},
                   {"nmt", "zoo:nmt:layers=2", "2xK40", evaluations},
                   {"vit", "zoo:vit", "4xK80", evaluations}},
      .arms = {{.name = name, .method = name, .of = ""}}};
  for (LearningProblem& problem : part.problems) problem.units = units;
  for (const auto& [arm, options] : base) add_variant(part, arm, options);
  return part;
}

LearningPart parts_of_go() {
  LearningPart part = ablations("go", 1000, "");
  add_variant(part, "with-elite", "elite=0.6");
  add_variant(part, "no-network", "sage_layers=0");
  add_variant(part, "attention", "layers=2");
  add_variant(part, "no-modulation", "layers=2:modulation=off");
  add_variant(part, "every-group", "units=ops");
  add_variant(part, "coarse", "units=256");
  add_variant(part, "two-passes", "passes=2");
  add_variant(part, "three-passes", "passes=3");
  add_variant(part, "reinforce", "algorithm=reinforce:epochs=1");
  add_variant(part, "average", "baseline=average");
  add_variant(part, "no-entropy", "entropy=0");
  add_controls(part, "auto");
  return part;
}

// The others place 64 units, as placeto does by default, so that all of them take an hour.
constexpr double kPartEvaluations = 1500;
constexpr const char* kPartUnits = "64";

LearningPart parts_of_sequence(const std::string& name) {
  LearningPart part = ablations(name, kPartEvaluations, kPartUnits);
  add_variant(part, "no-elite", "elite=0");
  add_variant(part, "no-attention", "attention=none");
  add_variant(part, "not-aligned", "aligned=off");
  return part;
}

LearningPart parts_of_colocrl() {
  LearningPart part = parts_of_sequence("colocrl");
  add_variant(part, "ppo", "algorithm=ppo:epochs=2");
  add_controls(part, kPartUnits);
  return part;
}

LearningPart parts_of_hdp() {
  LearningPart part = parts_of_sequence("hdp");
  add_variant(part, "random-groups", "grouper=random");
  add_variant(part, "given-groups", "grouper=contiguous");
  part.arms.push_back({.name = "no-groups", .method = "colocrl", .of = "hdp"});
  add_variant(part, "ppo", "algorithm=ppo:epochs=2");
  add_controls(part, kPartUnits);
  return part;
}

LearningPart parts_of_placeto() {
  LearningPart part = ablations("placeto", kPartEvaluations, kPartUnits);
  add_variant(part, "no-elite", "elite=0");
  add_variant(part, "no-network", "rounds=0");
  add_variant(part, "step-rewards", "rewards=steps:baseline=steps");
  add_variant(part, "ppo", "algorithm=ppo:epochs=2");
  add_controls(part, kPartUnits);
  return part;
}

LearningPart parts_of_mars() {
  LearningPart part = parts_of_sequence("mars");
  add_variant(part, "no-pretraining", "pretrain=off");
  add_variant(part, "no-network", "encoder_layers=0");
  add_variant(part, "reinforce", "algorithm=reinforce:epochs=1");
  add_controls(part, kPartUnits);
  return part;
}

// Whether mars learns in fewer evaluations when its encoder has learned from the graph before. The
// paper reports 13.2% less time.
LearningPart pretraining() {
  LearningPart part{.name = "pretraining",
                    .title = "What contrastive pre-training is worth to mars",
                    .problems = {{"gnmt", "zoo:gnmt:layers=4", "4xK80", 4000},
                                 {"bert", "zoo:bert", "4xK80", 4000},
                                 {"inception", "zoo:inception_v3", "4xK80", 4000},
                                 {"cells0", "zoo:enas_cifar:seed=1000", "4xK80", 4000},
                                 {"cells1", "zoo:enas_ptb:seed=1000", "4xK80", 4000}},
                    .arms = {},
                    .against_expert = true};
  const auto add = [&](const std::string& name, const std::string& method, double evaluations) {
    part.arms.push_back(
        {.name = name, .method = method, .of = name + "-off", .most_evaluations = evaluations});
    part.arms.push_back({.name = name + "-off",
                         .method = method + ":pretrain=off",
                         .of = "",
                         .most_evaluations = evaluations});
  };
  add("mars", "mars", 2000);
  add("published", "mars:preset=paper:hidden=64:encoder_width=64:units=64", 4000);
  for (const char* const control : {"single", "expert", "heft"}) {
    part.arms.push_back({.name = control, .method = control, .of = "", .drawn = false});
  }
  return part;
}

}  // namespace

const std::vector<LearningPart>& learning_parts() {
  static const std::vector<LearningPart> parts = {
      published(),        parts_of_go(),   parts_of_colocrl(), parts_of_hdp(),
      parts_of_placeto(), parts_of_mars(), pretraining()};
  return parts;
}

}  // namespace berth::experiments
