// What must hold for every reader and every text whatever: it is either understood or refused with
// an InputError, and what is understood can be written and read again without a change. The fuzz
// targets feed these functions, and a test runs them over all inputs that ever made trouble. A
// failure is an exception that is no InputError, or a sanitizer's.
#pragma once

#include <cmath>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "base/error.h"
#include "base/options.h"
#include "base/quantity.h"
#include "bounds/bounds.h"
#include "cluster/cluster_file.h"
#include "cluster/topo_machine.h"
#include "cost/constraints.h"
#include "cost/glob.h"
#include "frontends/graph_file.h"
#include "frontends/onnx/importer.h"
#include "frontends/onnx/parser.h"
#include "plan/plan.h"
#include "plan/plan_file.h"
#include "zoo/workload.h"

namespace berth::fuzz {

inline void require(bool condition, const char* what) {
  if (!condition) throw std::logic_error(what);
}

// Runs `read`; true when the text was understood.
template <class Read>
bool understood(Read&& read) {
  try {
    read();
    return true;
  } catch (const InputError& error) {
    const std::string_view message = error.what();
    require(!message.empty(), "a refusal needs a sentence");
    // A terminal must survive it.
    for (const char c : message) require(static_cast<unsigned char>(c) >= 0x20, "control byte");
    return false;
  }
}

inline bool check_graph(std::string_view text) {
  std::string written;
  std::vector<std::string> warnings;
  if (!understood([&] { written = graph_to_json(parse_graph(text, "text", &warnings)); }))
    return false;
  // What Berth writes must be read without exception and without a warning.
  warnings.clear();
  const Graph again = parse_graph(written, "written", &warnings);
  require(warnings.empty(), "a warning about what Berth wrote");
  require(graph_to_json(again) == written, "the graph changed on its way");
  return true;
}

// An ONNX model that is understood is a graph like any other. Sizes are set for dimensions of the
// usual names, so that not all files end at the question for them.
inline bool check_onnx(std::string_view bytes) {
  std::string written;
  const auto import = [&](const onnx::Model& model, onnx::ImportOptions options) {
    options.most_nodes = 20000;
    written = graph_to_json(onnx::import_model(model, "text", options).graph);
  };
  const bool read = understood([&] {
    const onnx::Model model = onnx::parse_model(bytes, "text");
    onnx::ImportOptions options;
    for (const onnx::ValueInfo& input : model.graph.inputs) {
      for (const onnx::Dim& dim : input.type.dims) {
        if (!dim.param.empty()) options.dims[std::string(dim.param)] = 3;
      }
    }
    if (!understood([&] { import(model, options); })) import(model, {});
  });
  if (!read) return false;
  std::vector<std::string> warnings;
  const Graph again = parse_graph(written, "written", &warnings);
  require(warnings.empty(), "a warning about what Berth wrote");
  require(graph_to_json(again) == written, "the graph changed on its way");
  return true;
}

inline bool check_cluster(std::string_view text) {
  std::string written;
  std::vector<std::string> warnings;
  if (!understood([&] { written = cluster_to_json(parse_cluster(text, "text", &warnings)); }))
    return false;
  warnings.clear();
  const Cluster again = parse_cluster(written, "written", &warnings);
  require(warnings.empty(), "a warning about what Berth wrote");
  require(cluster_to_json(again) == written, "the cluster changed on its way");
  return true;
}

// What nvidia-smi topo -m prints, of GPUs with as many NVLinks as there are.
inline bool check_topo(std::string_view text) {
  std::string written;
  if (!understood([&] { written = cluster_to_json(cluster_from_topo(text, "text", "H100")); }))
    return false;
  require(cluster_to_json(parse_cluster(written, "written")) == written, "it changed on its way");
  return true;
}

// The model and the cluster that plans are read for: two branches that join, on three devices one
// of which cannot be reached.
inline const Problem& plan_problem() {
  static const Problem problem(parse_graph(R"({"format": "berth.graph", "version": 1, "ops": [
      {"name": "a", "type": "MatMul", "outputs": [{"bytes": 8}]},
      {"name": "b", "type": "Relu", "inputs": ["a"], "outputs": [{"bytes": 8}], "colocate": "c"},
      {"name": "c", "type": "Conv", "inputs": ["a"], "outputs": [{"bytes": 8}], "after": ["b"]},
      {"name": "d", "type": "Add", "inputs": ["b", "c"], "outputs": [{"bytes": 8}]},
      {"name": "e", "type": "Add", "inputs": ["a", "d"], "colocate": "c", "devices": ["gpu"]},
      {"name": "f\n\"", "type": "Relu", "after": ["e"]}]})",
                                           "graph"),
                               parse_cluster(R"({"format": "berth.cluster", "version": 1,
      "devices": [{"name": "x", "kind": "cpu", "memory": "unlimited"}, {"name": "y", "kind": "gpu", "memory": "unlimited"},
                  {"name": "z", "kind": "gpu", "memory": "unlimited"}],
      "links": [{"between": ["x", "y"], "bandwidth": 1}]})",
                                             "cluster"));
  return problem;
}

inline bool check_plan(std::string_view text) {
  const Problem& problem = plan_problem();
  const Graph& graph = problem.graph();
  const Cluster& cluster = problem.cluster();
  PlanFile file;
  std::vector<std::string> warnings;
  if (!understood([&] { file = parse_plan(text, "text", graph, cluster, &warnings); }))
    return false;
  violations(problem, file.plan);
  const std::string written = plan_to_json(file.plan, file.record, graph, cluster);
  warnings.clear();
  const PlanFile again = parse_plan(written, "written", graph, cluster, &warnings);
  require(warnings.empty(), "a warning about what Berth wrote");
  require(again.plan == file.plan, "the plan changed on its way");
  require(hash_of(again.plan) == hash_of(file.plan), "equal plans hash apart");
  require(plan_to_json(again.plan, again.record, graph, cluster) == written,
          "the record changed on its way");
  return true;
}

inline bool check_constraints(std::string_view text) {
  Constraints constraints;
  std::vector<std::string> warnings;
  if (!understood([&] { constraints = parse_constraints(text, "text", &warnings); })) return false;
  std::vector<std::string> patterns;
  for (const auto& pin : constraints.pins) patterns.push_back(pin.pattern);
  for (const auto& row : constraints.colocated) {
    patterns.insert(patterns.end(), row.begin(), row.end());
  }
  if (patterns.size() > 50) patterns.resize(50);
  for (const auto& pattern : patterns) {
    require(glob_matches(pattern, pattern), "a name must match itself");
    for (const auto& name : patterns) glob_matches(pattern, name);
    glob_matches(pattern, text);
  }
  understood([&] { Problem(plan_problem().graph(), plan_problem().cluster(), constraints); });
  return true;
}

inline bool check_units(std::string_view text) {
  bool any = false;
  for (const Dimension dimension :
       {Dimension::bytes, Dimension::seconds, Dimension::bytes_per_second, Dimension::flops}) {
    double value = 0;
    if (!understood([&] { value = parse_quantity(text, dimension); })) continue;
    require(std::isfinite(value) && !std::signbit(value), "a quantity is finite and not negative");
    any = true;
    if (dimension == Dimension::bytes) understood([&] { format_bytes(to_bytes(value)); });
  }
  Budget budget;
  if (understood([&] { budget = parse_budget(text); })) {
    require(parse_budget(format_budget(budget)) == budget, "the budget changed on its way");
  }
  understood([&] { parse_tasks(text); });
  return any;
}

inline bool check_calls(std::string_view text) {
  std::vector<std::string> items;
  if (understood([&] { items = split_list(text); })) {
    std::string joined;
    for (const auto& item : items) joined += (joined.empty() ? "" : ",") + item;
    require(split_list(joined) == items, "the list changed on its way");
  }
  Call call;
  if (!understood([&] { call = parse_call(text); })) return false;
  for (const zoo::Workload& workload : zoo::workloads()) {
    Options options;
    if (!understood([&] { options = Options(workload.name, workload.options, call); })) continue;
    const std::string canonical = options.canonical();
    const Options again(workload.name, workload.options, parse_call(canonical));
    require(again.canonical() == canonical, "the options changed on their way");
  }
  return true;
}

}  // namespace berth::fuzz
