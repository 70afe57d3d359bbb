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

// As published; only widths are smaller than the papers', and the two large models are placed in 64
// units of acyclic coarsening, as placeto does with every model: an update of colocrl on all 3,728
// colocation groups of NMT takes minutes. Those that need fewer evaluations get fewer.
LearningPart published() {
  LearningPart part{.name = "published",
                    .title = "The published systems, preset=paper",
                    .problems = {{"small0", "zoo:layered:ops=12:seed=1000", "2xK40", 5000},
                                 {"small1", "zoo:layered:ops=12:seed=1001", "2xK40", 5000},
                                 {"small2", "zoo:layered:ops=12:seed=1002", "2xK40", 5000},
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
  for (LearningArm& control : controls("ops")) part.arms.push_back(std::move(control));
  part.arms.push_back({.name = "exact", .method = "exact", .of = "", .drawn = false});
  return part;
}

// What the parts of `go` are worth: each is left out, or replaced by the simplest rival, on
// problems of five families on clusters that nothing was tuned on.
LearningPart ablations() {
  LearningPart part{
      .name = "ablations",
      .title = "The parts of go, each left out or replaced",
      .problems = {{"layered200a", "zoo:layered:ops=200:seed=1001", "4xV100-nvlink", 2000},
                   {"layered200b", "zoo:layered:ops=200:seed=1002", "4xK80", 2000},
                   {"cells0", "zoo:enas_cifar:seed=1000", "4xK80", 2000},
                   {"cells2", "zoo:enas_cifar:seed=1002", "2xK40", 2000},
                   {"inception", "zoo:inception_v3", "4xK80", 2000},
                   {"rnnlm", "zoo:rnnlm", "4xK80", 1000},
                   {"nmt", "zoo:nmt:layers=2", "2xK40", 1000},
                   {"vit", "zoo:vit", "4xK80", 2000}},
      .arms = {{.name = "go", .method = "go", .of = ""}}};
  const auto vary = [&](const std::string& name, const std::string& options) {
    part.arms.push_back({.name = name, .method = "go:" + options, .of = "go"});
  };
  vary("untaught", "lr=0");
  vary("imitation", "rl=off:elite=0.6");
  vary("with-elite", "elite=0.6");
  vary("no-network", "sage_layers=0");
  vary("attention", "layers=2");
  vary("no-modulation", "layers=2:modulation=off");
  vary("coarse", "units=256");
  vary("paper-features", "features=paper:units=256");
  vary("two-passes", "passes=2");
  vary("reinforce", "algorithm=reinforce:epochs=1");
  vary("average", "baseline=average");
  vary("linear", "reward=linear");
  vary("log", "reward=log");
  for (LearningArm& control : controls("ops")) part.arms.push_back(std::move(control));
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
  static const std::vector<LearningPart> parts = {published(), ablations(), pretraining()};
  return parts;
}

}  // namespace berth::experiments
