// berth clusters: the built-in clusters, or a cluster drawn as text.
#include <fmt/format.h>

#include <algorithm>

#include "base/json_writer.h"
#include "base/units.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cluster/presets.h"
#include "report/table.h"

namespace berth {
namespace {

bool parse(Words words, std::string& name, Console& console) {
  Arguments arguments("clusters", "Lists the built-in clusters, or shows one.");
  arguments.positional("NAME", name, "A preset, a cluster file or -; default: list all.",
                       Arguments::Need::optional);
  console.declare_json(arguments);
  arguments.example("berth clusters", "all of them");
  arguments.example("berth clusters 4xV100-nvlink",
                    "one: topology, devices, sources of its figures");
  arguments.example("berth clusters my-cluster.json", "a file of your own");
  return arguments.parse(words);
}

std::string list_text(Ink ink) {
  Table table({{""}, {"", Table::Align::sentence}}, ink);
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

std::string devices_table(const Cluster& cluster, Ink ink) {
  using Align = Table::Align;
  Table table({{"device"},
               {"kind"},
               {"model"},
               {"usable", Align::right},
               {"bandwidth", Align::right},
               {"launch", Align::right}},
              ink);
  Table rates({{"rates"}, {"", Align::sentence}}, ink);
  std::vector<std::string> rated;
  const auto devices = cluster.devices();
  for (std::size_t first = 0; first < devices.size();) {
    // A run of devices that differ in name only is one row.
    std::size_t last = first;
    while (last + 1 < devices.size() && alike(devices[first], devices[last + 1])) ++last;
    const Device& device = devices[first];
    std::string name = plain_name(device.name, 24);
    if (last > first) name += " ... " + plain_name(devices[last].name, 24);
    table.add_row({name, plain_name(device.kind, 12), plain_name(device.model, 24),
                   format_bytes(device.usable_bytes()), format_rate(device.bandwidth),
                   format_seconds(device.launch_seconds)});
    // Devices of one model have the same rates, and there are many rates.
    const std::string owner = device.model.empty() ? name : plain_name(device.model, 24);
    const std::string row = owner + rates_text(device);
    if (std::ranges::find(rated, row) == rated.end()) rates.add_row({owner, rates_text(device)});
    rated.push_back(row);
    first = last + 1;
  }
  return table.to_text(2) + '\n' + rates.to_text(2);
}

std::string cluster_text(const std::string& name, const Cluster& cluster, Ink ink) {
  std::string out =
      ink.bold(plain_name(cluster.name().empty() ? name : cluster.name(), kPageColumns)) + "\n";
  out += devices_table(cluster, ink) + '\n' + draw_topology(cluster);
  if (!is_preset(name)) return out;
  for (const ClusterPreset& preset : cluster_presets()) {
    if (preset.name == name)
      out.insert(out.find('\n') + 1, wrap_text(preset.summary, kPageColumns, 2));
  }
  const std::vector<std::string> sources = preset_sources(name);
  if (sources.empty()) return out;
  out += '\n' + ink.bold("Sources") + "\n";
  for (const std::string& source : sources) out += wrap_text(source, kPageColumns, 2);
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
  json.end_array().field("links", cluster.links().size());
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

}  // namespace

int clusters_command(Words words) {
  std::string name;
  Console console;
  if (!parse(words, name, console)) return kDone;
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

}  // namespace berth
