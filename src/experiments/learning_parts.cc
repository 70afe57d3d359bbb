// The parts of `berth bench learn`. Problems are those that nothing was tuned on
// (docs/results/tuning-split.md), except layered60 on 2xP100, on which the published systems were
// first seen not to learn.
#include <fmt/format.h>

#include "experiments/learning.h"

namespace berth::experiments {
namespace {

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

// As published; only widths are smaller than the papers'.
LearningPart published() {
  LearningPart part{.name = "published",
                    .title = "The published systems, preset=paper",
                    .problems = {{"small0", "zoo:layered:ops=12:seed=1000", "2xK40", 5000},
                                 {"small1", "zoo:layered:ops=12:seed=1001", "2xK40", 5000},
                                 {"small2", "zoo:layered:ops=12:seed=1002", "2xK40", 5000},
                                 {"layered60", "zoo:layered:ops=60:seed=1000", "2xP100", 20000},
                                 {"inception", "zoo:inception_v3", "2xK40", 20000},
                                 {"nmt", "zoo:nmt:layers=2", "2xK40", 20000}},
                    .arms = {}};
  const auto add = [&](const std::string& name, const std::string& widths) {
    const std::string method = name + ":preset=paper" + widths;
    part.arms.push_back({.name = name, .method = method, .of = ""});
    part.arms.push_back({.name = name + "-lr0", .method = method + ":lr=0", .of = name});
  };
  add("colocrl", ":hidden=64");
  add("hdp", ":hidden=64");
  add("placeto", "");
  add("go", ":hidden=64");
  add("mars", ":hidden=64:encoder_width=64");
  add("encoder_placer", ":hidden=64");
  for (LearningArm& control : controls("ops")) part.arms.push_back(std::move(control));
  part.arms.push_back({.name = "exact", .method = "exact", .of = "", .drawn = false});
  return part;
}

}  // namespace

const std::vector<LearningPart>& learning_parts() {
  static const std::vector<LearningPart> parts = {published()};
  return parts;
}

}  // namespace berth::experiments
