// berth zoo: the built-in models.
#include <fmt/format.h>

#include "base/error.h"
#include "base/quantity.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/listing.h"
#include "report/table.h"
#include "zoo/workload.h"

namespace berth::cli {
namespace {

bool parse(Words words, std::string& name, Console& console) {
  Arguments arguments("zoo", "Lists the built-in models, or explains one.");
  arguments.positional("NAME", name, "A workload; default: list all.", Arguments::Need::optional);
  console.declare_json(arguments);
  arguments.example("berth zoo", "list all");
  arguments.example("berth zoo layered", "one, with its options");
  return arguments.parse(words);
}

// What a workload comes to with its defaults, in training.
struct Figures {
  std::size_t ops = 0;
  std::int64_t parameters = 0;
  double flops = 0;
};

Figures figures_of(const zoo::Workload& workload) {
  const Options defaults("workload " + quoted(workload.name), workload.options,
                         {.name = workload.name, .options = {}});
  const Graph graph = workload.build(defaults, zoo::Mode::training);
  Figures figures{.ops = graph.op_count()};
  for (std::size_t i = 0; i < graph.op_count(); ++i) {
    const OpId op(i);
    figures.flops += graph.flops(op);
    if (graph.op_type(op) != "Variable" || graph.output_count(op) != 1) continue;
    const TensorId weights = graph.first_output(op);
    const int bits = dtype_bits(graph.dtype(weights));
    figures.parameters += graph.bytes(weights) * 8 / (bits > 0 ? bits : 32);
  }
  return figures;
}

// "1.56 B", "110 M": as people call the sizes of models.
std::string parameters_text(std::int64_t parameters) {
  const auto count = static_cast<double>(parameters);
  const auto scaled = [](double value, char unit) {
    return value < 9.995   ? fmt::format("{:.2f} {}", value, unit)
           : value < 99.95 ? fmt::format("{:.1f} {}", value, unit)
                           : fmt::format("{:.0f} {}", value, unit);
  };
  if (parameters == 0) return "-";
  if (count >= 1e9) return scaled(count / 1e9, 'B');
  if (count >= 1e6) return scaled(count / 1e6, 'M');
  return format_count(static_cast<std::uint64_t>(parameters));
}

std::string list_text(report::Ink ink) {
  report::Table table({{"workload"},
                       {"ops", report::Table::Align::right},
                       {"params", report::Table::Align::right},
                       {"work", report::Table::Align::right},
                       {"", report::Table::Align::sentence}},
                      ink);
  for (const zoo::Workload& workload : zoo::workloads()) {
    const Figures figures = figures_of(workload);
    table.add_row({"zoo:" + workload.name, format_count(figures.ops),
                   parameters_text(figures.parameters), report::format_work(figures.flops),
                   workload.summary});
  }
  return table.to_text() +
         "\nOps, work and parameters of a training step with the default options.\n"
         "Options follow the name: zoo:NAME:batch=64 or 'zoo:NAME(batch=64)'.\n"
         "next: berth zoo NAME lists them\n";
}

std::string workload_text(const zoo::Workload& workload, report::Ink ink) {
  std::string out = ink.bold("zoo:" + workload.name) + '\n' +
                    report::wrap_text(workload.summary, report::kPageColumns, 2);
  if (workload.expert) out += "  There is a human expert's plan: --method expert.\n";
  return out + '\n' + options_text(workload.options, ink) +
         fmt::format("\nnext: berth inspect zoo:{}\n", workload.name);
}

void write_workload(JsonWriter& json, const zoo::Workload& workload) {
  json.begin_object().field("name", workload.name).field("summary", workload.summary);
  json.field("expert", static_cast<bool>(workload.expert));
  const Figures figures = figures_of(workload);
  json.field("ops", figures.ops).field("parameters", figures.parameters);
  json.field("flops", figures.flops);
  write_options(json, workload.options);
  json.end_object();
}

}  // namespace

int zoo_command(Words words) {
  std::string name;
  Console console;
  if (!parse(words, name, console)) return kDone;
  if (name.starts_with("zoo:")) name.erase(0, 4);
  const zoo::Workload* chosen = name.empty() ? nullptr : &zoo::find_workload(parse_call(name).name);
  if (console.json()) {
    JsonWriter json;
    json.begin_object().key("workloads").begin_array();
    for (const zoo::Workload& workload : zoo::workloads()) {
      if (!chosen || chosen == &workload) write_workload(json, workload);
    }
    json.end_array().end_object();
    console.object(json.take());
  }
  console.answer(chosen ? workload_text(*chosen, console.ink()) : list_text(console.ink()));
  return kDone;
}

}  // namespace berth::cli
