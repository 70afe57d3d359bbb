// berth clusters: the built-in clusters, a cluster drawn as text, or the machine at hand as a file.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/file.h"
#include "base/json_writer.h"
#include "base/quantity.h"
#include "base/shell_word.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/flag_errors.h"
#include "cli/outputs.h"
#include "cluster/cluster_file.h"
#include "cluster/detect.h"
#include "cluster/preset_devices.h"
#include "cluster/presets.h"
#include "cluster/topo_machine.h"
#include "cost/cost_model.h"
#include "report/table.h"
#include "report/text_layout.h"
#include "report/topology.h"

namespace berth::cli {
namespace {

constexpr std::size_t kMostRateLines = 20;
constexpr std::size_t kMostRows = 100;

struct ClustersArguments {
  std::string name;
  bool detect = false;
  std::string topo_file;
  std::string gpu_model;
  OutputFile output{"--output", ""};
};

// What can be written for a cluster, for the help.
std::string patterns_note() {
  std::string models;
  for (const std::string& model : gpu_names()) models += (models.empty() ? "" : ", ") + model;
  std::string list = report::wrap_text(models, report::kPageColumns, 2);
  list.pop_back();  // the last line is ended by the help
  return "Wherever a cluster is asked for, you can write the name of a file or\n"
         "  MODEL, NxMODEL          N GPUs in a host: A100, 4xA100-80GB\n"
         "  NxMODEL-nvlink, -pcie   where a model comes in both forms: 4xV100-nvlink\n"
         "  HxNxMODEL-ib            H hosts of N GPUs on InfiniBand: 2x8xA100-ib\n"
         "  MODEL+MODEL             different cards: RTX3090+RTX3060, 2xA100+2xV100\n"
         "  laptop                  a laptop with a small GPU\n"
         "MODEL is one of\n" +
         list;
}

bool parse(Words words, ClustersArguments& clusters, Console& console) {
  Arguments arguments("clusters",
                      "Lists the built-in clusters, shows one, or writes a file of this machine.");
  arguments.positional("NAME", clusters.name,
                       "A preset, a cluster file or - for standard input; default: list all.",
                       Arguments::Need::optional);
  arguments.flag("--detect", clusters.detect,
                 "Write a cluster file of this machine: CPUs, and the GPUs that nvidia-smi lists.");
  arguments.option("--from-topo", "FILE", clusters.topo_file,
                   "Write a cluster file from the output of nvidia-smi topo -m.");
  arguments.option("--gpu", "MODEL", clusters.gpu_model,
                   "Model of the GPUs: needed by --from-topo, used by --detect for unknown GPUs.");
  arguments.option("-o,--output", "FILE", clusters.output.path,
                   "Where to write; default: standard output.");
  console.declare_json(arguments);
  arguments.note(patterns_note());
  arguments.example("berth clusters", "list all");
  arguments.example("berth clusters 4xV100-nvlink",
                    "one: topology, devices, sources of its figures");
  arguments.example("berth clusters my-cluster.json", "your own file");
  arguments.example("berth clusters --detect -o machine.json", "this machine as a file");
  arguments.example("berth clusters --from-topo topo.txt --gpu V100 -o dgx.json",
                    "another machine, from what nvidia-smi topo -m printed there");
  return arguments.parse(words);
}

std::string list_text(report::Ink ink) {
  report::Table table({{""}, {"", report::Table::Align::sentence}}, ink);
  for (const ClusterPreset& preset : cluster_presets())
    table.add_row({preset.name, preset.summary});
  return table.to_text() +
         "\nnext: berth clusters NAME draws one,\n"
         "      berth convert NAME -o cluster.json writes it as a file\n";
}

std::string rates_text(const Device& device) {
  std::string text;
  for (const auto& [dtype, rate] : device.flops) {
    if (!text.empty()) text += ", ";
    if (dtype != DType::unknown) text += std::string(dtype_name(dtype)) + " ";
    text += format_flops(rate);
  }
  return text.empty() ? "-" : text;
}

bool alike(const Device& left, const Device& right) {
  Device renamed = right;
  renamed.name = left.name;
  return left == renamed;
}

std::string devices_table(const Cluster& cluster, report::Ink ink) {
  using Align = report::Table::Align;
  report::Table table({{"device"},
                       {"kind"},
                       {"model"},
                       {"usable", Align::right},
                       {"bandwidth", Align::right},
                       {"launch", Align::right}},
                      ink);
  const auto devices = cluster.devices();
  std::size_t rows = 0;
  for (std::size_t first = 0; first < devices.size();) {
    // A run of devices that differ in name only is one row.
    std::size_t last = first;
    while (last + 1 < devices.size() && alike(devices[first], devices[last + 1])) ++last;
    if (++rows > kMostRows) {
      return table.to_text(2) +
             fmt::format("  and {} more devices\n", format_count(devices.size() - first));
    }
    const Device& device = devices[first];
    std::string name = report::plain_name(device.name, 24);
    if (last > first) name += " ... " + report::plain_name(devices[last].name, 24);
    table.add_row({name, report::plain_name(device.kind, 12), report::plain_name(device.model, 24),
                   format_bytes(device.usable_bytes()), format_rate(device.bandwidth),
                   format_seconds(device.launch_seconds)});
    first = last + 1;
  }
  return table.to_text(2);
}

// Which row of the efficiency table each model uses, where that is not its own.
std::vector<std::pair<std::string, std::string>> borrowed_rows(const Cluster& cluster) {
  std::vector<std::pair<std::string, std::string>> borrowed;
  for (const Device& device : cluster.devices()) {
    const std::string row(efficiency_row(device));
    if (device.model.empty() || row == device.model) continue;
    const std::pair<std::string, std::string> entry(device.model, row);
    if (std::find(borrowed.begin(), borrowed.end(), entry) == borrowed.end())
      borrowed.push_back(entry);
  }
  return borrowed;
}

// What a table of 80 columns has no room for: rates by dtype, and what is reached of them.
std::string rates_section(const Cluster& cluster) {
  std::vector<std::string> lines;
  const auto add = [&](std::string line) {
    if (std::find(lines.begin(), lines.end(), line) == lines.end())
      lines.push_back(std::move(line));
  };
  for (const Device& device : cluster.devices()) {
    const std::string& called = device.model.empty() ? device.name : device.model;
    add(fmt::format("rates of {}: {}", report::plain_name(called, 40), rates_text(device)));
    if (lines.size() > kMostRateLines) break;
  }
  for (const auto& [model, row] : borrowed_rows(cluster)) {
    add(fmt::format("efficiencies of {}: the defaults for {}", report::plain_name(model, 40),
                    row == "any" ? "all devices" : row));
  }
  std::string out;
  for (const std::string& line : lines) out += report::wrap_text(line, report::kPageColumns, 2);
  return out;
}

std::string cluster_text(const std::string& name, const Cluster& cluster, report::Ink ink) {
  std::string out = ink.bold(report::plain_name(cluster.name().empty() ? name : cluster.name(),
                                                report::kPageColumns)) +
                    "\n";
  out +=
      devices_table(cluster, ink) + rates_section(cluster) + '\n' + report::draw_topology(cluster);
  if (!is_preset(name)) return out;
  for (const ClusterPreset& preset : cluster_presets()) {
    if (preset.name == name)
      out.insert(out.find('\n') + 1, report::wrap_text(preset.summary, report::kPageColumns, 2));
  }
  const std::vector<std::string> sources = preset_sources(name);
  if (sources.empty()) return out;
  out += '\n' + ink.bold("Sources") + "\n";
  for (const std::string& source : sources)
    out += report::wrap_text(source, report::kPageColumns, 2);
  return out;
}

void write_sources(JsonWriter& json, const std::vector<std::string>& sources) {
  json.key("sources").begin_array();
  for (const std::string& source : sources) json.value(source);
  json.end_array();
}

void write_cluster(JsonWriter& json, const std::string& name, const Cluster& cluster) {
  json.begin_object().field("name", name).field("title", cluster.name());
  json.key("devices").begin_array();
  for (const Device& device : cluster.devices()) {
    json.begin_flat_object().field("name", device.name).field("kind", device.kind);
    json.field("model", device.model).key("usable_bytes");
    device.usable_bytes() == kUnlimitedBytes ? json.null() : json.value(device.usable_bytes());
    json.end_object();
  }
  json.end_array().key("efficiencies").begin_object();
  for (const auto& [model, row] : borrowed_rows(cluster)) json.field(model, row);
  json.end_object().field("links", cluster.links().size());
  if (is_preset(name)) write_sources(json, preset_sources(name));
  json.end_object();
}

void write_presets(JsonWriter& json) {
  for (const ClusterPreset& preset : cluster_presets()) {
    json.begin_object().field("name", preset.name).field("summary", preset.summary);
    write_sources(json, preset.sources);
    json.end_object();
  }
}

// The cluster of --detect or --from-topo. Throws what --gpu would mend as a bad option "gpu".
Cluster read_machine(const ClustersArguments& clusters, const Console& console) {
  if (!clusters.detect) {
    if (clusters.gpu_model.empty()) {
      throw InputError(
          "nvidia-smi topo -m does not say what the GPUs are; name their model with --gpu, as in "
          "--gpu A100-80GB (berth clusters --help lists the models)");
    }
    const InputFile file(clusters.topo_file);
    return cluster_from_topo(file.text(), input_name(clusters.topo_file), clusters.gpu_model);
  }
  DetectedMachine machine = detect_machine({}, clusters.gpu_model);
  console.warn_all(machine.notes);
  return std::move(machine.cluster);
}

Cluster found_cluster(const ClustersArguments& clusters, const Console& console) {
  try {
    return read_machine(clusters, console);
  } catch (const InputError& error) {
    throw with_flags({{"gpu", "--gpu"}}, error);
  }
}

void write_found(const ClustersArguments& clusters, Console& console) {
  const bool to_stdout = clusters.output.path.empty();
  if (!to_stdout) {
    check_outputs(std::span(&clusters.output, 1), std::span(&clusters.topo_file, 1), console);
  }
  const Cluster cluster = found_cluster(clusters, console);
  const std::string text = cluster_to_json(cluster);
  if (to_stdout) return console.object(text);
  write_output(clusters.output, [&] { return std::string(text); });
  if (console.json()) {
    JsonWriter json;
    json.begin_object().field("written", clusters.output.path).field("kind", "cluster");
    json.field("devices", cluster.device_count()).end_object();
    console.object(json.take());
  }
  console.answer(fmt::format("wrote {} (a cluster, {})\nnext: berth clusters {}\n",
                             report::plain_name(clusters.output.path, 70),
                             report::format_number_of(cluster.device_count(), "device"),
                             shell_word(clusters.output.path)));
}

void check_use(const ClustersArguments& clusters) {
  const bool from_topo = !clusters.topo_file.empty();
  const bool found = clusters.detect || from_topo;
  if (clusters.detect && from_topo)
    throw InputError(
        "--detect describes this machine and --from-topo another one; give only one of them");
  if (found && !clusters.name.empty()) {
    throw InputError(fmt::format("{} takes no NAME; leave out {}",
                                 clusters.detect ? "--detect" : "--from-topo",
                                 quoted(clusters.name)));
  }
  if (!found && !clusters.gpu_model.empty())
    throw InputError(
        "--gpu works only with --from-topo or --detect; berth clusters MODEL shows a model");
  if (!found && !clusters.output.path.empty()) {
    throw InputError(
        "--output works only with --from-topo or --detect; berth convert writes a preset as a "
        "file");
  }
}

}  // namespace

int clusters_command(Words words) {
  ClustersArguments clusters;
  Console console;
  if (!parse(words, clusters, console)) return kDone;
  check_use(clusters);
  if (clusters.detect || !clusters.topo_file.empty()) {
    write_found(clusters, console);
    return kDone;
  }
  const std::string& name = clusters.name;
  JsonWriter json;
  json.begin_object().key("clusters").begin_array();
  if (name.empty()) {
    write_presets(json);
    console.answer(list_text(console.ink()));
  } else {
    const LoadedCluster loaded = load_cluster(name);
    console.warn_all(loaded.warnings);
    write_cluster(json, name, loaded.cluster);
    console.answer(cluster_text(name, loaded.cluster, console.ink()));
  }
  json.end_array().end_object();
  if (console.json()) console.object(json.take());
  return kDone;
}

}  // namespace berth::cli
