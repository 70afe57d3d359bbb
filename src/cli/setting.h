// The model and the cluster a command is about, loaded and compiled.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/console.h"
#include "cost/problem.h"
#include "frontends/model.h"
#include "plan/plan_file.h"
#include "report/analysis.h"

namespace berth::cli {

// What names them on the command line.
struct SettingArguments {
  std::string model = {};
  std::string cluster = {};
  std::string without = {};
  std::string mode = {};
  std::string constraints = {};
  std::string optimizer = {};
  std::string precision = {};
  std::vector<std::string> dims = {};
  std::string batch_dim = {};

  void declare_model(Arguments& arguments);      // MODEL and how to read it
  void declare_reading(Arguments& arguments);    // --mode, --optimizer, --precision and --dim
  void declare_computing(Arguments& arguments);  // these without --dim
  void declare(Arguments& arguments);            // these, --cluster and what narrows it
  void declare_narrowing(Arguments& arguments);  // --without and --constraints
  void declare_batch_dim(Arguments& arguments);  // for commands that tell the throughput
  std::vector<std::string> input_files() const;  // existing files among them, for overlap checks
};

inline constexpr const char* kWithoutFlag = "--without";

// For commands that can do without a cluster.
inline constexpr const char* kNoClusterToNarrow =
    "--without removes devices from a cluster; name the cluster with --cluster";

struct Setting {
  std::shared_ptr<const Model> model;
  std::string cluster_text;  // as the user named it, and what it is without
  std::string cluster_name;  // its own name where that is another
  std::string cluster_sha256;
  std::vector<std::string> lost_devices;
  std::shared_ptr<const Cluster> whole_cluster;  // only where devices are lost
  Constraints constraints;                       // as given, for the whole cluster
  std::shared_ptr<const Problem> problem;

  std::string model_title() const;    // what the user named, with its mode where it has one
  std::string cluster_title() const;  // the same, and the cluster's own name where it is another
  // What the figures are based on, with the flags that change it.
  std::vector<std::string> assumptions() const;
  // All of these.
  report::Heading heading(const std::string& method, const report::StepSize& size) const;
};

Model load_model(const SettingArguments& arguments, const Console& console);
Setting load_setting(const SettingArguments& arguments, const Console& console);

// A plan file read for the setting. Throws InputError; validity is not checked.
PlanFile load_plan(const std::string& path, const Setting& setting, const Console& console);

// The human expert's plan, where the workload has one for this cluster.
std::optional<Plan> expert_plan(const Setting& setting);

}  // namespace berth::cli
