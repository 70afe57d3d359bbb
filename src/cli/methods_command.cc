// berth methods: the methods of finding a plan.
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/console.h"
#include "cli/listing.h"
#include "cli/search.h"
#include "place/placer.h"
#include "report/table.h"

namespace berth::cli {
namespace {

bool parse(Words words, std::string& name, Console& console) {
  Arguments arguments("methods", "Lists the methods that find a plan, or explains one.");
  arguments.positional("NAME", name, "A method; default: list all.", Arguments::Need::optional);
  console.declare_json(arguments);
  arguments.example("berth methods", "list all");
  arguments.example("berth methods random", "one, with its options");
  return arguments.parse(words);
}

std::string list_text(report::Ink ink) {
  report::Table table({{""}, {"", report::Table::Align::sentence}}, ink);
  for (const place::Placer& placer : place::placers()) {
    const bool is_default = placer.name == kDefaultMethod;
    table.add_row({placer.name, placer.summary + (is_default ? ink.dim(" (default)") : "")});
  }
  return table.to_text() +
         "\nOptions follow the name: random:tries=100 or 'random(tries=100)'.\n"
         "next: berth methods NAME lists them\n";
}

std::string method_text(const place::Placer& placer, report::Ink ink) {
  std::string out =
      ink.bold(placer.name) + '\n' + report::wrap_text(placer.summary, report::kPageColumns, 2);
  if (!placer.reference.empty())
    out += '\n' + ink.dim(report::wrap_text(placer.reference, report::kPageColumns, 2));
  return out + '\n' + options_text(placer.options, ink);
}

void write_method(JsonWriter& json, const place::Placer& placer) {
  json.begin_object().field("name", placer.name).field("summary", placer.summary);
  json.field("reference", placer.reference);
  write_options(json, placer.options);
  json.end_object();
}

}  // namespace

int methods_command(Words words) {
  std::string name;
  Console console;
  if (!parse(words, name, console)) return kDone;
  const place::Placer* chosen = name.empty() ? nullptr : place::parse_method(name).placer;
  if (console.json()) {
    JsonWriter json;
    json.begin_object().key("methods").begin_array();
    for (const place::Placer& placer : place::placers()) {
      if (!chosen || chosen == &placer) write_method(json, placer);
    }
    json.end_array().end_object();
    console.object(json.take());
  }
  console.answer(chosen ? method_text(*chosen, console.ink()) : list_text(console.ink()));
  return kDone;
}

}  // namespace berth::cli
