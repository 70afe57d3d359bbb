#include "cli/setting.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/decimal.h"
#include "base/error.h"
#include "base/file.h"
#include "base/sha256.h"
#include "cli/flag_errors.h"
#include "cli/workload_call.h"
#include "cluster/lost_devices.h"
#include "cluster/presets.h"
#include "cost/lost_devices.h"
#include "graph/precision.h"
#include "report/assumptions.h"

namespace berth::cli {
namespace {

std::optional<zoo::Mode> parse_mode(const std::string& text) {
  if (text.empty()) return std::nullopt;
  if (text == "training") return zoo::Mode::training;
  if (text == "inference") return zoo::Mode::inference;
  throw InputError(fmt::format("--mode is training or inference, not {}{}", quoted(text),
                               did_you_mean(text, {"training", "inference"})));
}

DimSizes parse_dims(const std::vector<std::string>& words) {
  DimSizes dims;
  for (const std::string& word : words) {
    // A name may have an equals sign in it, a size has none.
    const std::size_t equals = word.rfind('=');
    const auto size = parse_whole_number(
        std::string_view(word).substr(equals == std::string::npos ? word.size() : equals + 1));
    if (equals == 0 || !size || *size < 0) {
      throw InputError(
          fmt::format("--dim takes NAME=SIZE with a whole number from 0 to 9223372036854775807, as "
                      "in --dim batch=8, not {}",
                      quoted(word)));
    }
    const std::string name = word.substr(0, equals);
    if (!dims.emplace(name, *size).second) {
      throw InputError(
          fmt::format("--dim {} is given twice; give each dimension one size", quoted(name)));
    }
  }
  return dims;
}

Constraints load_constraints(const std::string& path, const Console& console) {
  if (path.empty()) return {};
  std::vector<std::string> warnings;
  const InputFile file(path);
  Constraints constraints = parse_constraints(file.text(), input_name(path), &warnings);
  console.warn_all(warnings);
  return constraints;
}

// Fills in what the setting says of the cluster; returns what is left of it.
std::shared_ptr<const Cluster> read_cluster(const SettingArguments& arguments,
                                            const Console& console, Setting& setting) {
  LoadedCluster loaded = load_cluster(arguments.cluster);
  console.warn_all(loaded.warnings);
  auto cluster = std::make_shared<const Cluster>(std::move(loaded.cluster));
  setting.cluster_text = input_name(arguments.cluster);
  setting.cluster_sha256 = loaded.sha256;
  if (cluster->name() != setting.cluster_text) setting.cluster_name = cluster->name();
  if (arguments.without.empty()) return cluster;
  setting.lost_devices = naming_flag("--without " + arguments.without, [&] {
    return parse_lost_devices(arguments.without, *cluster);
  });
  const std::string without = without_text(setting.lost_devices);
  setting.cluster_text += without;
  setting.cluster_sha256 = sha256_hex(loaded.sha256 + without);
  setting.whole_cluster = cluster;
  return std::make_shared<const Cluster>(without_devices(*cluster, setting.lost_devices));
}

// Only what was given: the sentence must not name a flag that plays no part.
std::vector<OptionFlag> given_flags(const SettingArguments& arguments) {
  std::vector<OptionFlag> flags;
  if (!arguments.dims.empty()) flags.push_back({"dims", "--dim"});
  if (!arguments.optimizer.empty()) flags.push_back({"optimizer", "--optimizer"});
  if (!arguments.precision.empty()) flags.push_back({"precision", "--precision"});
  return flags;
}

}  // namespace

void SettingArguments::declare_model(Arguments& arguments) {
  arguments.positional("MODEL", model,
                       "A file (.json, .onnx), - for standard input, or a workload (berth zoo).");
  arguments.reads_file("MODEL");
  declare_reading(arguments);
}

void SettingArguments::declare_computing(Arguments& arguments) {
  arguments.option("--mode", "MODE", mode,
                   "training (default for workloads) or inference (default for files).");
  arguments.option("--optimizer", "NAME", optimizer,
                   fmt::format("Optimizer of a file in training: {};\n"
                               "default: adam for 16-bit weights, else sgd.",
                               fmt::join(optimizer_names(), ", ")));
  arguments.option("--precision", "TYPE", precision,
                   fmt::format("{}; default: that of the model,\n"
                               "with f32 products in TF32 on devices that have it.",
                               fmt::join(precision_names(), ", ")));
}

void SettingArguments::declare_reading(Arguments& arguments) {
  declare_computing(arguments);
  arguments.repeated_option(
      "--dim", "NAME=SIZE", dims,
      "Size of an open dimension (ONNX) or of an option (workload); repeatable.");
}

void SettingArguments::declare_batch_dim(Arguments& arguments) {
  arguments.option("--batch-dim", "NAME", batch_dim,
                   "The dimension that counts samples; default: guessed from the names.");
}

void SettingArguments::declare(Arguments& arguments) {
  declare_model(arguments);
  arguments.option("-c,--cluster", "CLUSTER", cluster,
                   "A cluster file or a preset (berth clusters).", Arguments::Need::required);
  arguments.reads_file("--cluster");
  declare_narrowing(arguments);
}

void SettingArguments::declare_narrowing(Arguments& arguments) {
  arguments.option("--without", "DEVICES", without,
                   "Devices that the cluster has lost, separated by commas.");
  arguments.option("--constraints", "FILE", constraints,
                   "File of pinned ops, forbidden devices and ops to keep together.");
  arguments.reads_file("--constraints");
}

std::vector<std::string> SettingArguments::input_files() const {
  std::vector<std::string> files;
  for (const std::string& path : {model, cluster, constraints}) {
    std::error_code ignored;
    if (path.empty() || is_standard_input(path)) continue;
    if (std::filesystem::exists(path, ignored)) files.push_back(path);
  }
  return files;
}

std::string Setting::model_title() const {
  if (!model->mode) return model->spec;
  return fmt::format("{} ({})", model->spec,
                     *model->mode == zoo::Mode::training ? "training" : "inference");
}

std::string Setting::cluster_title() const {
  return cluster_name.empty() ? cluster_text : fmt::format("{} ({})", cluster_text, cluster_name);
}

std::vector<std::string> Setting::assumptions() const {
  return report::assumptions(*problem, model->training_memory, "--precision f32");
}

report::Heading Setting::heading(const std::string& method, const report::StepSize& size) const {
  return {model_title(), cluster_title(), method, assumptions(), size};
}

Model load_model(const SettingArguments& arguments, const Console& console) {
  // Options of a workload may be words, and are read where its name is.
  const bool workload = is_workload(arguments.model);
  LoadOptions options{.mode = parse_mode(arguments.mode),
                      .dims = workload ? DimSizes{} : parse_dims(arguments.dims)};
  if (!arguments.optimizer.empty()) options.optimizer = parse_optimizer(arguments.optimizer);
  if (!arguments.precision.empty()) options.precision = parse_precision(arguments.precision);
  const std::string spec =
      workload ? with_dim_options(arguments.model, arguments.dims) : arguments.model;
  try {
    Model model = load_model(spec, options);
    console.warn_all(model.warnings);
    for (const std::string& name : model.empty_dims) {
      console.warn(
          fmt::format("--dim {}=SIZE sets the dimension that has size 0 in the file", name));
    }
    return model;
  } catch (const InputError& error) {
    throw with_flags(given_flags(arguments), with_dim_flags(error, !arguments.dims.empty()));
  }
}

Setting load_setting(const SettingArguments& arguments, const Console& console) {
  Setting setting;
  setting.model = std::make_shared<const Model>(load_model(arguments, console));
  const std::shared_ptr<const Cluster> cluster = read_cluster(arguments, console, setting);
  setting.constraints = load_constraints(arguments.constraints, console);
  // The problem shares the model's graph rather than copying it.
  std::shared_ptr<const Graph> graph(setting.model, &setting.model->graph);
  try {
    setting.problem = std::make_shared<const Problem>(
        graph, cluster,
        setting.whole_cluster ? without_lost(setting.constraints, *setting.whole_cluster, *cluster)
                              : setting.constraints);
  } catch (const InputError& error) {
    // The model and the cluster are each valid but contradict each other, so both are named.
    if (!error.place().empty()) throw;  // it names the file of constraints
    throw error.reworded(fmt::format("{} on {}: {}", input_name(arguments.model),
                                     setting.cluster_text, error.what()));
  }
  return setting;
}

PlanFile load_plan(const std::string& path, const Setting& setting, const Console& console) {
  std::vector<std::string> warnings;
  const InputFile file(path);
  try {
    PlanFile plan = parse_plan(file.text(), input_name(path), setting.problem->graph(),
                               setting.problem->cluster(), &warnings);
    console.warn_all(warnings);
    return plan;
  } catch (const InputError& error) {
    const std::string& device = error.subject();
    if (error.code() != ErrorCode::unknown_name ||
        std::ranges::find(setting.lost_devices, device) == setting.lost_devices.end()) {
      throw;
    }
    throw error.reworded(
        fmt::format("{}: the plan uses {}, which --without removes; berth place --from {} "
                    "--without {} makes a plan for the other devices",
                    error.place(), device, path, device));
  }
}

std::optional<Plan> expert_plan(const Setting& setting) {
  if (!setting.model->expert) return std::nullopt;
  return setting.model->expert(*setting.problem);
}

}  // namespace berth::cli
