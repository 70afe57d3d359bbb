#include "cli/completion.h"

#include <algorithm>

#include "cli/bench.h"
#include "cluster/preset_devices.h"
#include "cluster/presets.h"
#include "experiments/published.h"
#include "graph/precision.h"
#include "graph/training.h"
#include "place/learned/methods.h"
#include "place/placer.h"
#include "zoo/workload.h"

namespace berth::cli {
namespace {

template <typename Items>
std::vector<std::string> names_of(const Items& items, const std::string& before = "") {
  std::vector<std::string> names;
  for (const auto& item : items) names.push_back(before + item.name);
  return names;
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const place::Placer& placer : place::placers()) names.push_back(placer.name);
  return names;
}

std::vector<std::string> joined(std::vector<std::string> first,
                                const std::vector<std::string>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

}  // namespace

std::vector<ValueKind> value_kinds() {
  const std::vector<std::string> models = names_of(zoo::workloads(), "zoo:");
  const std::vector<std::string> clusters = names_of(cluster_presets());
  return {{"models", models, true},
          {"clusters", clusters, true},
          {"inputs", joined(models, clusters), true},
          {"workloads", names_of(zoo::workloads())},
          {"methods", method_names()},
          {"learned", place::learned_names()},
          {"gpus", gpu_names()},
          {"modes", {"training", "inference"}},
          {"optimizers", optimizer_names()},
          {"precisions", precision_names()},
          {"tasks", {"placement", "schedule", "fusion"}},
          {"formats", {"graph", "cluster"}},
          {"tables", joined(names_of(experiments::published_tables()),
                            {kSearchBench, kGeneralizeBench, kLearnBench})}};
}

std::string kind_of(const CommandDescription& command, const ArgumentDescription& argument) {
  const std::string& name = argument.names.back();
  if (name == "NAME" && command.name == "zoo") return "workloads";
  if (name == "NAME" && command.name == "methods") return "methods";
  if (name == "NAME" && command.name == "clusters") return "clusters";
  if (name == "TABLE") return "tables";
  if (name == "MODEL" || name == "--on") return "models";
  if (name == "INPUT") return "inputs";
  if (name == "--cluster") return "clusters";
  if (name == "--method") return command.name == "train" ? "learned" : "methods";
  if (name == "--methods") return command.name == "compare" ? "methods" : "learned";
  if (name == "--gpu") return "gpus";
  if (name == "--mode") return "modes";
  if (name == "--optimizer") return "optimizers";
  if (name == "--precision") return "precisions";
  if (name == "--tasks") return "tasks";
  if (name == "--as") return "formats";
  const bool file =
      argument.value == "FILE" || argument.value == "PLAN" || argument.value == "FOLDER";
  return file ? "files" : "";
}

bool takes_list(const ArgumentDescription& argument) {
  return argument.value == "LIST" || argument.value == "CLUSTERS";
}

}  // namespace berth::cli
