// berth bench hdp, mars, colocrl: a published table with ours beside each figure.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/json_writer.h"
#include "cli/bench.h"
#include "cli/interrupt.h"
#include "cli/search.h"
#include "experiments/published_results.h"
#include "report/table.h"

namespace berth::cli {
namespace {

// Those that are no published table, and have options of their own.
constexpr std::pair<const char*, const char*> kOtherBenches[] = {
    {kSearchBench, kSearchBenchTitle}, {kGeneralizeBench, kGeneralizeBenchTitle}};

bool parse(Words words, std::string& name, SearchArguments& search, Console& console) {
  Arguments arguments("bench", "Prints a table of the literature with ours beside each figure.");
  arguments.positional("TABLE", name,
                       "colocrl, hdp, mars, search or generalize; default: list them.",
                       Arguments::Need::optional);
  arguments.option("--budget", "BUDGET", search.budget,
                   fmt::format("For each method that searches; default {}.", search.budget));
  arguments.option("--seed", "N", search.seed, "For each method that draws.");
  console.declare_json(arguments);
  arguments.example("berth bench hdp", "the table of the hierarchical planner");
  arguments.example("berth bench mars --json", "for scripts");
  arguments.example("berth bench search --help", "how good the search is, on pinned problems");
  arguments.example("berth bench generalize --help", "policies on graphs they have not seen");
  return arguments.parse(words);
}

experiments::OurCell run_cell(const experiments::PublishedColumn& column, const Setting& setting,
                              const Search& search, TaskBounds& bounds, const Console& console) {
  experiments::OurCell cell;
  if (column.method.empty() || Interrupt::requested()) return cell;
  place::Request request = search.request;
  request.tasks = column.tasks;
  try {
    const Found found = run_method(place::parse_method(column.method), setting, request, console);
    const Outcome& outcome = found.placed.outcome;
    cell.bound_seconds = with_proof(bounds.of(column.tasks), found.placed).best.seconds;
    cell.ran = outcome.routable;
    cell.fits = outcome.feasible;
    cell.seconds = outcome.step_seconds;
    double fullest = -1;
    for (std::size_t d = 0; d < setting.problem->device_count(); ++d) {
      const Device& device = setting.problem->cluster().device(DeviceId(d));
      const std::int64_t usable = device.usable_bytes();
      const double share = static_cast<double>(outcome.peak_bytes[d]) / static_cast<double>(usable);
      if (share <= fullest) continue;
      fullest = share;
      cell.peak_bytes = outcome.peak_bytes[d];
      cell.usable_bytes = usable;
    }
  } catch (const InputError&) {
    cell.ran = false;  // the method does not apply here
  }
  return cell;
}

experiments::OurRow run_row(const experiments::PublishedTable& table,
                            const experiments::PublishedRow& row, const SearchArguments& arguments,
                            const Console& console) {
  SettingArguments named;
  named.model = "zoo:" + row.workload;
  named.cluster = row.cluster;
  const Setting setting = load_setting(named, console);
  const Search search(arguments, setting, console);
  TaskBounds bounds(*setting.problem);
  experiments::OurRow ours{.published = &row};
  for (const experiments::PublishedColumn& column : table.columns) {
    ours.cells.push_back(run_cell(column, setting, search, bounds, console));
  }
  ours.bound_seconds = bounds.of({}).best.seconds;
  // What one method has proved of placement holds for all that only place.
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const Tasks tasks = table.columns[i].tasks;
    if (tasks.schedule || tasks.fusion) continue;
    ours.bound_seconds = std::max(ours.bound_seconds, ours.cells[i].bound_seconds);
  }
  const Graph& graph = setting.problem->graph();
  for (std::size_t i = 0; i < graph.op_count(); ++i) ours.flops += graph.flops(OpId(i));
  for (const Device& device : setting.problem->cluster().devices()) {
    if (device.kind == "gpu") ours.gpu_peak = device.flops_for(DType::f32);
  }
  return ours;
}

std::string list_text() {
  report::Table text({{"table"}, {"", report::Table::Align::sentence}});
  for (const experiments::PublishedTable& table : experiments::published_tables()) {
    text.add_row({table.name, table.title});
  }
  for (const auto& [name, title] : kOtherBenches) text.add_row({name, title});
  return text.to_text() + "\nnext: berth bench hdp\n";
}

}  // namespace

int bench_published(Words words) {
  std::string name;
  SearchArguments search{.budget = "2000evals"};
  Console console;
  if (!parse(words, name, search, console)) return kDone;
  if (name.empty()) {
    if (console.json()) {
      JsonWriter json;
      json.begin_object().key("tables").begin_array();
      for (const experiments::PublishedTable& table : experiments::published_tables()) {
        json.begin_object().field("name", table.name).field("title", table.title).end_object();
      }
      for (const auto& [other, title] : kOtherBenches) {
        json.begin_object().field("name", other).field("title", title).end_object();
      }
      json.end_array().end_object();
      console.object(json.take());
    }
    console.answer(list_text());
    return kDone;
  }
  for (const auto& [other, title] : kOtherBenches) {
    if (name != other) continue;
    throw InputError(
        fmt::format("the word {0} comes before its options, as in berth bench {0} --json", name));
  }
  const experiments::PublishedTable& table =
      experiments::find_published_table(name, {kSearchBench, kGeneralizeBench});
  std::vector<experiments::OurRow> rows;
  for (const experiments::PublishedRow& row : table.rows) {
    if (Interrupt::requested()) break;
    rows.push_back(run_row(table, row, search, console));
  }
  if (console.json()) console.object(experiments::published_json(table, rows));
  console.answer(experiments::published_answer(table, rows, console.ink()));
  return kDone;
}

}  // namespace berth::cli
