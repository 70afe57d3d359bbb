// Built-in workloads: `zoo:NAME(option=value,...)`. A workload builds a graph and, where the papers
// describe one, the human expert's plan for it.
//
// To add one: a source file with a function that returns its Workload, and one line in registry.cc.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/options.h"
#include "cost/problem.h"
#include "graph/graph.h"
#include "plan/plan.h"

namespace berth::zoo {

enum class Mode { inference, training };

struct Workload {
  std::string name;
  std::string summary;
  std::vector<OptionSpec> options;
  std::function<Graph(const Options&, Mode)> build;
  // The expert's plan for the given devices; null when none has been described. nullopt when it
  // does not apply to the cluster.
  std::function<std::optional<Plan>(const Problem&)> expert = {};
};

// The option `dtype`, which every workload has, and the graph in the precision that it names.
inline constexpr const char* kAutomatic = "auto";  // as the workload has it
std::vector<OptionSpec> with_dtype_option(std::vector<OptionSpec> options,
                                          const std::string& default_value = kAutomatic);
Graph with_dtype(Graph graph, const Options& options);
std::vector<std::string> with_automatic(std::vector<std::string> names);  // "auto" and these

const std::vector<Workload>& workloads();
const Workload& find_workload(std::string_view name);  // throws InputError with the valid names

}  // namespace berth::zoo
