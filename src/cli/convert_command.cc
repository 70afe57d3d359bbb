// berth convert: write a model or a cluster as a file.
#include <fmt/format.h>

#include <filesystem>

#include "base/error.h"
#include "base/file.h"
#include "base/json_reader.h"
#include "base/json_writer.h"
#include "cli/commands.h"
#include "cli/outputs.h"
#include "cli/setting.h"
#include "cluster/cluster_file.h"
#include "cluster/lost_devices.h"
#include "cluster/presets.h"
#include "frontends/graph_file.h"
#include "report/costed_graph.h"

namespace berth::cli {
namespace {

struct ConvertArguments {
  SettingArguments setting;
  std::string kind;
  OutputFile output{"--output", ""};
};

bool parse(Words words, ConvertArguments& convert, Console& console) {
  Arguments arguments("convert", "Writes a model or a cluster in Berth's own file format.");
  arguments.positional(
      "INPUT", convert.setting.model,
      "A graph, ONNX or cluster file, - for standard input, a workload or a preset.");
  arguments.reads_file("INPUT");
  arguments.option("-o,--output", "FILE", convert.output.path,
                   "Where to write; default: standard output.");
  arguments.option("-c,--cluster", "CLUSTER", convert.setting.cluster,
                   "Write the costs on these devices into the graph.");
  arguments.reads_file("--cluster");
  arguments.option("--without", "DEVICES", convert.setting.without,
                   "Devices that the cluster has lost, separated by commas.");
  convert.setting.declare_reading(arguments);
  arguments.option("--as", "KIND", convert.kind, "graph or cluster; default: what the input is.");
  console.declare(arguments);
  arguments.example("berth convert zoo:layered:ops=500 -o model.json",
                    "a workload as a file to edit");
  arguments.example("berth convert model.json --cluster 4xP100 -o costed.json",
                    "with the modelled time of every op written out");
  arguments.example("berth convert model.onnx --dim batch=8 -o model.json",
                    "an ONNX model as a graph to read and edit");
  arguments.example("berth convert 4xP100 -o cluster.json", "a preset as a file to edit");
  return arguments.parse(words);
}

// The "format" that a file declares, or an empty string.
std::string declared_format(const std::string& path) {
  const InputFile file(path);
  if (looks_like_onnx(file.text())) return "";
  JsonReader reader(file.text(), input_name(path));
  if (reader.peek() != JsonReader::Kind::object) return "";
  reader.begin_object();
  while (const auto key = reader.next_key()) {
    if (*key == "format" && reader.peek() == JsonReader::Kind::string) {
      return std::string(reader.read_string());
    }
    reader.skip();
  }
  return "";
}

bool is_cluster(const ConvertArguments& convert) {
  if (convert.kind == "cluster") return true;
  if (convert.kind == "graph") return false;
  if (!convert.kind.empty()) {
    throw InputError(fmt::format("--as is graph or cluster, not {}{}", quoted(convert.kind),
                                 did_you_mean(convert.kind, {"graph", "cluster"})));
  }
  const std::string& input = convert.setting.model;
  if (input.starts_with("zoo:") || input.ends_with(".onnx")) return false;
  std::error_code ignored;
  const bool file = is_standard_input(input) || std::filesystem::is_regular_file(input, ignored);
  if (!file) return is_preset(input);
  const std::string format = declared_format(input);
  if (format == "berth.plan") {
    throw InputError(
        fmt::format("{} is a plan; convert writes graphs and clusters", quoted(input)));
  }
  return format == "berth.cluster";
}

std::string converted_cluster(const ConvertArguments& convert, const Console& console) {
  if (!convert.setting.cluster.empty() || !convert.setting.mode.empty() ||
      !convert.setting.precision.empty() || !convert.setting.dims.empty()) {
    throw InputError(fmt::format(
        "{} is a cluster, so --cluster, --mode, --precision and --dim do not apply; leave them out",
        quoted(convert.setting.model)));
  }
  const LoadedCluster loaded = load_cluster(convert.setting.model);
  console.warn_all(loaded.warnings);
  if (convert.setting.without.empty()) return cluster_to_json(loaded.cluster);
  return cluster_to_json(
      without_devices(loaded.cluster, parse_lost_devices(convert.setting.without, loaded.cluster)));
}

std::string converted_graph(const ConvertArguments& convert, const Console& console) {
  if (convert.setting.cluster.empty()) {
    if (!convert.setting.without.empty()) throw InputError(kNoClusterToNarrow);
    return graph_to_json(load_model(convert.setting, console).graph);
  }
  const Setting setting = load_setting(convert.setting, console);
  return graph_to_json(report::costed_graph(*setting.problem));
}

}  // namespace

int convert_command(Words words) {
  ConvertArguments convert;
  Console console;
  if (!parse(words, convert, console)) return kDone;
  const bool cluster = is_cluster(convert);
  const bool to_stdout = convert.output.path.empty();
  if (!to_stdout)
    check_outputs(std::span(&convert.output, 1), convert.setting.input_files(), console);
  const std::string text =
      cluster ? converted_cluster(convert, console) : converted_graph(convert, console);
  if (to_stdout) {
    console.object(text);
    return kDone;
  }
  write_output(convert.output, [&] { return std::string(text); });
  if (console.json()) {
    JsonWriter json;
    json.begin_object()
        .field("written", convert.output.path)
        .field("kind", cluster ? "cluster" : "graph");
    json.field("bytes", text.size()).end_object();
    console.object(json.take());
  }
  console.answer(fmt::format("wrote {} ({}, {})\n", report::plain_name(convert.output.path, 70),
                             cluster ? "a cluster" : "a graph",
                             format_bytes(static_cast<std::int64_t>(text.size()))));
  return kDone;
}

}  // namespace berth::cli
