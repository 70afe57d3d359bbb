// Any model the user can name, as a graph: a file (`.json`) or a workload
// (`zoo:NAME:option=value`).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "zoo/workload.h"

namespace berth {

struct Model {
  Graph graph;
  std::string spec;    // as the user wrote it
  std::string sha256;  // of the file, or of the workload's graph written as a file
  std::vector<std::string> warnings;
  std::function<std::optional<Plan>(const Problem&)> expert = {};
};

// `mode` unset: training for workloads, inference for files. Throws InputError.
Model load_model(const std::string& spec, std::optional<Mode> mode = std::nullopt);

}  // namespace berth
