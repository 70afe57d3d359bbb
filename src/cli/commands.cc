#include "cli/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "base/error.h"
#include "base/json_writer.h"
#include "cli/arguments.h"
#include "cli/bench.h"
#include "cli/console.h"
#include "report/table.h"

namespace berth::cli {
namespace {

int version_command(Words words) {
  Arguments arguments("version", "Print the version.");
  Console console;
  console.declare_json(arguments);
  if (!arguments.parse(words)) return kDone;
  if (console.json()) {
    JsonWriter json;
    json.begin_object().field("version", BERTH_VERSION).end_object();
    console.object(json.take());
  }
  console.answer("berth " BERTH_VERSION "\n");
  return kDone;
}

std::string overview() {
  std::string out =
      "berth finds a device for every op of a model, so that a step is as short as\n"
      "possible and fits in memory.\n\nUsage: berth COMMAND ...      berth COMMAND --help explains "
      "each\n\n";
  report::Table table({{""}, {""}});
  for (const Command& command : commands()) {
    if (!command.hidden) table.add_row({command.name, command.summary});
  }
  out += table.to_text(2);
  out +=
      "\nFirst steps:\n"
      "  berth zoo                                  # models to try\n"
      "  berth clusters                             # clusters to try them on\n"
      "  berth place zoo:layered --cluster 4xP100 -o plan.json --report plan.html\n";
  return out;
}

bool is_help(const std::string& word) {
  return word == "--help" || word == "-h" || word == "help" || word == "-help";
}

}  // namespace

const std::vector<Command>& commands() {
  static const std::vector<Command> list = {
      {"place", "find a plan", place_command},
      {"simulate", "simulate one step of a plan", simulate_command},
      {"compare", "compare several methods", compare_command},
      {"sweep", "step time and fit over clusters and sizes", sweep_command},
      {"train", "train a learned method, for place --policy", train_command},
      {"inspect", "what a model is made of", inspect_command},
      {"bench",
       "published tables, with the results of Berth",
       bench_command,
       {kSearchBench, kGeneralizeBench, kLearnBench}},
      {"lint", "what is wrong or wasteful in a plan", lint_command},
      {"convert", "write a model or a cluster as a file", convert_command},
      {"methods", "the methods that find a plan", methods_command},
      {"zoo", "the built-in models", zoo_command},
      {"clusters", "the built-in clusters", clusters_command},
      {"version", "the version", version_command},
      {"completion", "shell completion", completion_command, {}, true},
      {"manual", "the manual page", manual_command, {}, true}};
  return list;
}

int run_command_line(Words words) {
  if (words.empty()) {
    std::fputs(overview().c_str(), stdout);
    return kDone;
  }
  const std::string& name = words.front();
  Words rest = words.subspan(1);
  if (name == "--version" || name == "-V") return version_command(rest);
  std::vector<std::string> help_words;
  if (is_help(name)) {
    if (rest.empty() || is_help(rest.front())) return run_command_line({});
    help_words = {rest.front(), "--help"};
    return run_command_line(help_words);
  }
  std::vector<std::string> known;
  for (const Command& command : commands()) {
    if (command.name == name) return command.run(rest);
    if (!command.hidden) known.push_back(command.name);
  }
  throw InputError(fmt::format("there is no command {}; the commands are {}{}", quoted(name),
                               join_names(known), did_you_mean(name, known)));
}

}  // namespace berth::cli
