// berth bench learn: which methods learn, beside their controls, and what their parts are worth.
#include <fmt/format.h>

#include <charconv>

#include "base/error.h"
#include "cli/answer.h"
#include "cli/bench.h"
#include "cli/bench_observer.h"
#include "cli/flag_errors.h"
#include "cli/outputs.h"
#include "experiments/learning_page.h"
#include "experiments/learning_tables.h"

namespace berth::cli {
namespace {

struct LearnArguments {
  std::string folder;
  std::string part;
  std::string only;
  std::string seeds = fmt::format("{}", experiments::kLearningSeeds);
  std::string share = "1/1";
  OutputFile page{"--output", ""};
  bool tables = false;
  bool list = false;
};

bool parse(Words words, LearnArguments& bench, Console& console) {
  Arguments arguments("bench learn",
                      "Trains the learned methods on fixed problems, beside their controls.");
  arguments.option("--folder", "FOLDER", bench.folder,
                   "Folder of the results and learning curves. What is in it already is not\n"
                   "run again.");
  arguments.option("--part", "NAME", bench.part, "Only this part of the tables (see --list).");
  arguments.option("--only", "TEXT", bench.only,
                   "Only runs with this text in their name, such as hdp or layered60.");
  arguments.option("--seeds", "N", bench.seeds,
                   fmt::format("Number of seeds; default {}.", bench.seeds));
  arguments.option("--share", "I/N", bench.share,
                   "This process takes every N-th run, from the I-th; default 1/1.");
  arguments.option("-o,--output", "FILE", bench.page.path,
                   "Also write the learning curves as a page (HTML).");
  arguments.flag("--tables", bench.tables,
                 "Print the tables of what is in the folder; run nothing.");
  arguments.flag("--list", bench.list, "List the parts and their runs; run nothing.");
  console.declare(arguments);
  arguments.note("Ctrl-C keeps the runs that are done; the same command continues.");
  arguments.example("berth bench learn --folder runs --part published --only hdp", "one method");
  arguments.example("berth bench learn --folder runs --tables -o curves.html",
                    "what is there so far");
  return arguments.parse(words);
}

std::uint64_t whole(std::string_view text, const char* option, const char* expected) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() && number > 0) return number;
  throw InputError(fmt::format("{} is {}; {}", option, quoted(text), expected));
}

struct Share {
  std::uint64_t number = 0;
  std::uint64_t of = 1;
};

Share parse_share(const std::string& text) {
  constexpr const char* kExpected = "give it as 1/2, the first of two";
  const std::size_t slash = text.find('/');
  const std::string_view all = text;
  if (slash == std::string::npos) {
    throw InputError(fmt::format("--share is {}; {}", quoted(text), kExpected));
  }
  const Share share = {whole(all.substr(0, slash), "--share", kExpected) - 1,
                       whole(all.substr(slash + 1), "--share", kExpected)};
  if (share.number < share.of) return share;
  throw InputError(fmt::format("--share is {}; {}", quoted(text), kExpected));
}

std::vector<const experiments::LearningPart*> chosen_parts(const std::string& name) {
  std::vector<const experiments::LearningPart*> chosen;
  std::vector<std::string> names;
  for (const experiments::LearningPart& part : experiments::learning_parts()) {
    names.push_back(part.name);
    if (name.empty() || name == part.name) chosen.push_back(&part);
  }
  if (!chosen.empty()) return chosen;
  throw InputError(fmt::format("--part is {}; the parts are {}", quoted(name), join_names(names)));
}

std::vector<experiments::LearningCell> cells_of(const experiments::LearningPart& part,
                                                const LearnArguments& bench) {
  std::vector<experiments::LearningCell> cells = experiments::learning_cells(
      part, whole(bench.seeds, "--seeds", "give a whole number from 1 on"));
  std::erase_if(cells, [&](const experiments::LearningCell& cell) {
    return cell.file_name().find(bench.only) == std::string::npos;
  });
  return cells;
}

}  // namespace

int bench_learn(Words words) {
  LearnArguments bench;
  Console console;
  if (!parse(words, bench, console)) return kDone;
  const auto parts = chosen_parts(bench.part);
  if (bench.list) {
    for (const experiments::LearningPart* part : parts) {
      console.answer(fmt::format("{}  {}\n", part->name, part->title));
      for (const experiments::LearningCell& cell : cells_of(*part, bench)) {
        console.answer(fmt::format("  {}  {}\n", cell.file_name(), cell.arm->method));
      }
    }
    return kDone;
  }
  if (bench.folder.empty()) {
    throw InputError("--folder is missing; name a folder for the results, such as --folder runs");
  }
  const Share share = parse_share(bench.share);
  check_outputs(std::span(&bench.page, 1), {}, console);
  BenchObserver watch(console);
  std::string answer;
  std::vector<experiments::LearningRecord> all;
  for (const experiments::LearningPart* part : parts) {
    const auto cells = cells_of(*part, bench);
    if (!bench.tables) {
      experiments::run_learning(
          {.folder = bench.folder, .cells = cells, .share = share.number, .shares = share.of},
          watch.observer());
    }
    const auto records = experiments::read_learning(bench.folder, cells);
    if (records.empty()) continue;
    all.insert(all.end(), records.begin(), records.end());
    answer += (answer.empty() ? "" : "\n\n") +
              experiments::learning_tables(*part, records, cells.size(), console.ink());
  }
  watch.finish();
  write_output(bench.page, [&] {
    return experiments::learning_html(bench.folder, all,
                                      origin_now(command_line("bench learn", words)));
  });
  console.answer(answer);
  return kDone;
}

}  // namespace berth::cli
