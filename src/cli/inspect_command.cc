// berth inspect: what a model is made of, and with a cluster what that means there.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/json_writer.h"
#include "base/quantity.h"
#include "bounds/bounds.h"
#include "cli/commands.h"
#include "cli/setting.h"
#include "cli/step_size.h"
#include "report/assumptions.h"
#include "report/graph_facts.h"
#include "report/table.h"
#include "report/text.h"

namespace berth::cli {
namespace {

constexpr std::size_t kMostTypes = 12;

bool parse(Words words, SettingArguments& setting, Console& console) {
  Arguments arguments("inspect", "Shows what a model is made of: ops, bytes, flops, longest path.");
  setting.declare_model(arguments);
  arguments.option("-c,--cluster", "CLUSTER", setting.cluster,
                   "Also show times and memory on these devices.");
  arguments.reads_file("--cluster");
  setting.declare_batch_dim(arguments);
  setting.declare_narrowing(arguments);
  console.declare_json(arguments);
  arguments.example("berth inspect zoo:layered", "a workload");
  arguments.example("berth inspect zoo:layered:batch=256 --cluster 4xP100",
                    "with times, and whether it fits one device");
  arguments.example("berth inspect model.onnx --dim batch=8 --json",
                    "an ONNX model with an open dimension, for scripts");
  return arguments.parse(words);
}

std::string types_table(const report::GraphFacts& facts, report::Ink ink) {
  using Align = report::Table::Align;
  report::Table table({{"type"},
                       {"ops", Align::right},
                       {"flops", Align::right},
                       {"", Align::right},
                       {"parameters", Align::right}},
                      ink);
  const std::size_t shown = std::min(kMostTypes, facts.types.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const report::TypeFacts& type = facts.types[i];
    table.add_row({report::plain_name(type.type, 40), format_count(type.ops),
                   report::format_work(type.flops),
                   facts.flops > 0 ? report::format_percent(type.flops / facts.flops) : "",
                   type.param_bytes > 0 ? format_bytes(type.param_bytes) : "-"});
  }
  std::string out = table.to_text(2);
  if (shown < facts.types.size()) {
    out += fmt::format("  and {}\n",
                       report::format_number_of(facts.types.size() - shown, "more type"));
  }
  return out;
}

std::string largest_table(const Graph& graph, const report::GraphFacts& facts, report::Ink ink) {
  std::string out;
  if (!facts.largest_tensors.empty()) {
    report::Table table({{"", report::Table::Align::right}, {""}}, ink);
    for (const TensorId tensor : facts.largest_tensors) {
      table.add_row(
          {format_bytes(graph.bytes(tensor)), report::plain_name(graph.tensor_name(tensor), 70)});
    }
    out += '\n' + ink.bold("Largest tensors") + '\n' + table.to_text(2);
  }
  if (!facts.largest_params.empty()) {
    report::Table table({{"", report::Table::Align::right}, {""}}, ink);
    for (const OpId op : facts.largest_params) {
      table.add_row(
          {format_bytes(graph.param_bytes(op)), report::plain_name(graph.op_name(op), 70)});
    }
    out += '\n' + ink.bold("Largest parameters") + '\n' + table.to_text(2);
  }
  return out;
}

std::string graph_text(const Graph& graph, const report::GraphFacts& facts,
                       const report::StepSize& size, const std::string& title, report::Ink ink) {
  report::Table table({{""}, {""}}, ink);
  table.add_row({"ops", fmt::format("{} with {} and {}", format_count(facts.ops),
                                    report::format_number_of(facts.edges, "edge"),
                                    report::format_number_of(facts.tensors, "tensor"))});
  table.add_row({"longest path", report::format_number_of(facts.depth, "op")});
  table.add_row({"work", report::format_work(facts.flops)});
  table.add_row({"parameters", format_bytes(facts.param_bytes)});
  table.add_row({"tensors", format_bytes(facts.tensor_bytes) + " in total"});
  if (size.known()) table.add_row({"per step", report::step_size_text(size)});
  if (facts.layers > 0) table.add_row({"layers", format_count(facts.layers)});
  if (facts.colocation_labels > 0) {
    table.add_row({"colocation", report::format_number_of(facts.colocation_labels, "label")});
  }
  return ink.bold(report::plain_name(title, report::kPageColumns)) + '\n' + table.to_text(2) +
         '\n' + ink.bold("Op types") + '\n' + types_table(facts, ink) +
         largest_table(graph, facts, ink);
}

// "no step is shorter than 373 ms (interval); weaker bounds: 301 ms (work), 12.0 ms (path)"
std::string bounds_sentence(const bounds::Bounds& bounds) {
  std::string others;
  for (const bounds::Bound& bound : bounds.all) {
    if (bound.name == bounds.best.name) continue;
    others += fmt::format("{}{} ({})", others.empty() ? "; weaker bounds: " : ", ",
                          format_seconds(bound.seconds), bound.name);
  }
  return fmt::format("placement only: no step is shorter than {} ({}){}",
                     format_seconds(bounds.best.seconds), bounds.best.name, others);
}

std::string rate_text(const std::optional<double>& per_second) {
  return per_second ? report::format_throughput(*per_second) : "";
}

std::string cluster_text(const Setting& setting, const bounds::Bounds& bounds,
                         const std::vector<report::DeviceFacts>& devices,
                         const report::StepSize& size, report::Ink ink) {
  using Align = report::Table::Align;
  const Problem& problem = *setting.problem;
  std::string out = '\n' + ink.bold("On " + report::plain_name(setting.cluster_title(), 60)) + "\n";
  out += fmt::format("  {} to place\n", report::format_number_of(problem.group_count(),
                                                                 "group of ops", "groups of ops"));
  out += report::wrap_text(bounds_sentence(bounds), report::kPageColumns, 2);
  for (const std::string& sentence : setting.assumptions()) {
    out += report::wrap_text(sentence, report::kPageColumns, 2);
  }
  report::Table table(
      {{"all on one device"},
       {"step", Align::right},
       {size.known() ? "samples/s" : "", Align::right,
        size.has_tokens() ? report::Table::Room::optional : report::Table::Room::always},
       {size.has_tokens() ? "tokens/s" : "", Align::right},
       {"peak", Align::right},
       {"usable", Align::right},
       {"fits"}},
      ink);
  for (const report::DeviceFacts& facts : devices) {
    const Device& device = problem.cluster().device(facts.device);
    const std::string name =
        report::plain_name(device.name, 24) +
        (device.model.empty() ? "" : ' ' + report::plain_name(device.model, 16));
    if (facts.forbidden_ops > 0) {
      table.add_row({name, "", "", "", "", "",
                     fmt::format("{} may not run there",
                                 report::format_number_of(facts.forbidden_ops, "op"))});
      continue;
    }
    const std::int64_t over = facts.outcome.over_bytes;
    const double step = facts.outcome.step_seconds;
    table.add_row(
        {name, format_seconds(step), rate_text(report::samples_per_second(size, step)),
         rate_text(report::tokens_per_second(size, step)),
         format_bytes(facts.outcome.peak_bytes[facts.device.index()]),
         format_bytes(problem.usable_bytes(facts.device)),
         over == 0 ? ink.good("yes") : ink.bad(fmt::format("no, {} over", format_bytes(over)))});
  }
  return out + '\n' + table.to_text(2);
}

void write_model(JsonWriter& json, const Model& model) {
  json.field("model", model.spec).key("warnings").begin_array();
  for (const std::string& warning : model.warnings) json.value(warning);
  json.end_array();
}

void write_graph(JsonWriter& json, const Graph& graph, const report::GraphFacts& facts) {
  json.field("name", graph.name()).field("ops", facts.ops).field("edges", facts.edges);
  json.field("tensors", facts.tensors).field("param_bytes", facts.param_bytes);
  json.field("tensor_bytes", facts.tensor_bytes).field("flops", facts.flops);
  json.field("depth", facts.depth).field("layers", facts.layers);
  json.field("colocation_labels", facts.colocation_labels);
  json.key("types").begin_array();
  for (const report::TypeFacts& type : facts.types) {
    json.begin_flat_object().field("type", type.type).field("ops", type.ops);
    json.field("flops", type.flops).field("param_bytes", type.param_bytes).end_object();
  }
  json.end_array().key("largest_tensors").begin_array();
  for (const TensorId tensor : facts.largest_tensors) {
    json.begin_flat_object().field("name", graph.tensor_name(tensor));
    json.field("bytes", graph.bytes(tensor)).end_object();
  }
  json.end_array().key("largest_params").begin_array();
  for (const OpId op : facts.largest_params) {
    json.begin_flat_object().field("name", graph.op_name(op));
    json.field("param_bytes", graph.param_bytes(op)).end_object();
  }
  json.end_array();
}

void write_cluster(JsonWriter& json, const Problem& problem, const bounds::Bounds& bounds,
                   const std::vector<report::DeviceFacts>& devices, const report::StepSize& size) {
  json.field("groups", problem.group_count());
  json.field("lower_bound_seconds", bounds.best.seconds).key("lower_bounds").begin_object();
  for (const bounds::Bound& bound : bounds.all) json.field(bound.name, bound.seconds);
  json.end_object().key("single_device").begin_array();
  for (const report::DeviceFacts& facts : devices) {
    json.begin_flat_object().field("device", problem.cluster().device(facts.device).name);
    json.field("forbidden_ops", facts.forbidden_ops).field("total_seconds", facts.total_seconds);
    if (facts.forbidden_ops == 0) {
      json.field("step_seconds", facts.outcome.step_seconds);
      report::write_throughput(json, size, facts.outcome.step_seconds);
      json.field("peak_bytes", facts.outcome.peak_bytes[facts.device.index()]);
      json.field("feasible", facts.outcome.feasible);
    }
    json.end_object();
  }
  json.end_array();
}

// What can be told of precision and training memory without devices; returns it as text. What
// products run in by default depends on the device, so here only a choice is told.
std::string write_choices(JsonWriter& json, const Model& model) {
  const std::string_view precision = dtype_name(model.graph.precision());
  json.key("precision");
  precision.empty() ? json.null() : json.value(precision);
  if (!model.training_memory) return "";
  report::write_training_memory(json, *model.training_memory);
  return '\n' + report::wrap_text(report::training_sentence(*model.training_memory),
                                  report::kPageColumns, 0);
}

}  // namespace

int inspect_command(Words words) {
  SettingArguments arguments;
  Console console;
  if (!parse(words, arguments, console)) return kDone;
  const report::Ink ink = console.ink();
  JsonWriter json;
  json.begin_object();
  if (arguments.cluster.empty()) {
    if (!arguments.without.empty()) throw InputError(kNoClusterToNarrow);
    const Model model = load_model(arguments, console);
    const report::GraphFacts facts = report::graph_facts(model.graph);
    const report::StepSize size = step_size(model, arguments.batch_dim);
    write_model(json, model);
    report::write_step_size(json, size);
    write_graph(json, model.graph, facts);
    const std::string basis = write_choices(json, model);
    console.answer(graph_text(model.graph, facts, size, model.spec, ink) + basis);
  } else {
    const Setting setting = load_setting(arguments, console);
    const Graph& graph = setting.problem->graph();
    const report::GraphFacts facts = report::graph_facts(graph);
    const bounds::Bounds bounds = bounds::lower_bounds(*setting.problem);
    const std::vector<report::DeviceFacts> devices = report::device_facts(*setting.problem);
    const report::StepSize size = step_size(*setting.model, arguments.batch_dim);
    write_model(json, *setting.model);
    report::write_step_size(json, size);
    write_graph(json, graph, facts);
    write_cluster(json, *setting.problem, bounds, devices, size);
    report::write_assumptions(json, *setting.problem, setting.model->training_memory);
    console.answer(graph_text(graph, facts, size, setting.model_title(), ink) +
                   cluster_text(setting, bounds, devices, size, ink));
  }
  json.end_object();
  if (console.json()) console.object(json.take());
  return kDone;
}

}  // namespace berth::cli
