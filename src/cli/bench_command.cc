// berth bench: a published table with ours beside each figure.
#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/json_writer.h"
#include "base/units.h"
#include "cli/commands.h"
#include "cli/search.h"
#include "report/published.h"
#include "report/table.h"
#include "sim/bounds.h"

namespace berth {
namespace {

bool parse(Words words, std::string& name, SearchArguments& search, Console& console) {
  Arguments arguments("bench", "Prints a table of the literature with ours beside each figure.");
  arguments.positional("TABLE", name, "colocrl, hdp or mars; default: list them.",
                       Arguments::Need::optional);
  arguments.option("--budget", "BUDGET", search.budget, "For each method that searches.");
  arguments.option("--seed", "N", search.seed, "For each method that draws.");
  console.declare_json(arguments);
  arguments.example("berth bench hdp", "the table of the hierarchical planner");
  arguments.example("berth bench mars --json", "for scripts");
  return arguments.parse(words);
}

// What came out here for one cell.
struct OurCell {
  bool ran = false;
  bool fits = false;
  double seconds = 0;
  std::int64_t peak_bytes = 0;    // on the fullest device
  std::int64_t usable_bytes = 0;  // of that device
};

struct OurRow {
  const PublishedRow* published;
  std::vector<OurCell> cells;
  double bound_seconds = 0;
  double flops = 0;
  double gpu_peak = 0;  // flop/s of one GPU
};

OurCell run_cell(const std::string& method, const Setting& setting, const Search& search,
                 const Console& console) {
  OurCell cell;
  if (method.empty() || Interrupt::requested()) return cell;
  try {
    const Found found = run_method(parse_method(method), setting, search.request, console);
    const Outcome& outcome = found.placed.outcome;
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

OurRow run_row(const PublishedTable& table, const PublishedRow& row,
               const SearchArguments& arguments, const Console& console) {
  SettingArguments named;
  named.model = "zoo:" + row.workload;
  named.cluster = row.cluster;
  const Setting setting = load_setting(named, console);
  const Search search(arguments, setting, console);
  OurRow ours{.published = &row, .cells = {}};
  for (const PublishedColumn& column : table.columns) {
    ours.cells.push_back(run_cell(column.method, setting, search, console));
  }
  ours.bound_seconds = lower_bounds(*setting.problem).best.seconds;
  const Graph& graph = setting.problem->graph();
  for (std::size_t i = 0; i < graph.op_count(); ++i) ours.flops += graph.flops(OpId(i));
  for (const Device& device : setting.problem->cluster().devices()) {
    if (device.kind == "gpu") ours.gpu_peak = device.flops_for(DType::f32);
  }
  return ours;
}

std::string seconds_text(double seconds) { return fmt::format("{:.3f}", seconds); }

const PublishedCell& published_cell(const PublishedRow& row, std::size_t column) {
  static const PublishedCell absent;
  return column < row.cells.size() ? row.cells[column] : absent;
}

std::string published_text(const PublishedCell& cell) {
  if (cell.kind == PublishedCell::Kind::absent) return "-";
  const std::string text =
      cell.kind == PublishedCell::Kind::seconds ? fmt::format("{}", cell.seconds) : "OOM";
  return cell.verified ? text : text + "?";
}

std::string our_text(const OurCell& cell) {
  if (!cell.ran) return "-";
  return cell.fits ? seconds_text(cell.seconds) : "OOM";
}

// Ours against the published figure, where both are times.
std::optional<double> error_of(const PublishedCell& published, const OurCell& ours) {
  if (published.kind != PublishedCell::Kind::seconds || !ours.ran || !ours.fits) return {};
  return ours.seconds / published.seconds - 1;
}

// A time that one GPU cannot have had, whatever the efficiency.
bool below_peak(const OurRow& row, const PublishedColumn& column, const PublishedCell& cell) {
  return column.method == "single(kind=gpu)" && cell.kind == PublishedCell::Kind::seconds &&
         cell.seconds < row.flops / row.gpu_peak;
}

std::string table_text(const PublishedTable& table, const std::vector<OurRow>& rows, Ink ink) {
  std::vector<Table::Column> columns = {{"task"}, {"cluster"}, {""}};
  for (const PublishedColumn& column : table.columns) {
    columns.push_back({column.header, Table::Align::right});
  }
  columns.push_back({"bound", Table::Align::right});
  Table text(columns, ink);
  for (const OurRow& row : rows) {
    std::vector<std::string> printed = {row.published->task, row.published->cluster, "published"};
    std::vector<std::string> ours = {"", "", "berth"};
    std::vector<std::string> errors = {"", "", "error"};
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const PublishedCell& cell = published_cell(*row.published, i);
      printed.push_back(published_text(cell));
      ours.push_back(our_text(row.cells[i]));
      const auto error = error_of(cell, row.cells[i]);
      errors.push_back(error ? fmt::format("{:+.0f}%", 100 * *error) : "");
    }
    ours.push_back(seconds_text(row.bound_seconds));
    text.add_row(printed);
    text.add_row(ours);
    text.add_row(errors);
  }
  return text.to_text();
}

// What the efficiencies were fitted to, and what they say of the rest.
std::string calibration_text(const PublishedTable& table, const std::vector<OurRow>& rows,
                             Ink ink) {
  Table text({{"calibration"},
              {""},
              {"published", Table::Align::right},
              {"berth", Table::Align::right},
              {"error", Table::Align::right},
              {""}},
             ink);
  for (const OurRow& row : rows) {
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const PublishedCell& cell = published_cell(*row.published, i);
      if (cell.use == PublishedCell::Use::other) continue;
      const auto error = error_of(cell, row.cells[i]);
      std::string remark = cell.use == PublishedCell::Use::fitted ? "fitted" : "checked";
      if (below_peak(row, table.columns[i], cell)) {
        remark = fmt::format("no target: {} in {} s is {}, above the GPU's {}",
                             format_work(row.flops), cell.seconds,
                             format_flops(row.flops / cell.seconds), format_flops(row.gpu_peak));
      }
      text.add_row({row.published->task, table.columns[i].header, published_text(cell),
                    our_text(row.cells[i]), error ? fmt::format("{:+.0f}%", 100 * *error) : "-",
                    remark});
    }
  }
  return text.row_count() > 0 ? "\n" + text.to_text() : "";
}

// Out of memory is an outcome on either side: the bytes speak.
std::string memory_text(const PublishedTable& table, const std::vector<OurRow>& rows) {
  std::string out;
  for (const OurRow& row : rows) {
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const PublishedCell& cell = published_cell(*row.published, i);
      const OurCell& ours = row.cells[i];
      const bool there = cell.kind == PublishedCell::Kind::out_of_memory;
      if (!ours.ran || (!there && ours.fits)) continue;
      out += list_item(
          fmt::format("{}, {} on {}: {} of {} on the fullest device, {}; published: {}",
                      row.published->task, table.columns[i].header, row.published->cluster,
                      format_bytes(ours.peak_bytes), format_bytes(ours.usable_bytes),
                      ours.fits ? "it fits" : "out of memory", published_text(cell)));
    }
  }
  return out.empty() ? "" : "\nMemory\n" + out;
}

std::string answer(const PublishedTable& table, const std::vector<OurRow>& rows, Ink ink) {
  std::string out = ink.bold(table.title) + "\n" + wrap_text(table.source, 96, 2) +
                    "  Seconds a step; ? marks figures that could not be read in their source.\n\n";
  out += table_text(table, rows, ink) + calibration_text(table, rows, ink) +
         memory_text(table, rows) + "\n";
  for (const std::string& note : table.notes) out += list_item(note);
  return out;
}

std::string to_json(const PublishedTable& table, const std::vector<OurRow>& rows) {
  JsonWriter json;
  json.begin_object().field("name", table.name).field("title", table.title);
  json.field("source", table.source).key("rows").begin_array();
  for (const OurRow& row : rows) {
    json.begin_object().field("task", row.published->task);
    json.field("workload", "zoo:" + row.published->workload);
    json.field("cluster", row.published->cluster).field("flops", row.flops);
    json.field("lower_bound_seconds", row.bound_seconds).key("cells").begin_array();
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const PublishedCell& cell = published_cell(*row.published, i);
      const OurCell& ours = row.cells[i];
      json.begin_object().field("column", table.columns[i].header);
      json.field("method", table.columns[i].method);
      if (cell.kind == PublishedCell::Kind::seconds) {
        json.field("published_seconds", cell.seconds);
      }
      json.field("published_out_of_memory", cell.kind == PublishedCell::Kind::out_of_memory);
      json.field("verified", cell.verified);
      const bool fitted = cell.use == PublishedCell::Use::fitted;
      if (cell.use != PublishedCell::Use::other) {
        json.field("use", below_peak(row, table.columns[i], cell) ? "no target"
                          : fitted                                ? "fitted"
                                                                  : "checked");
      }
      if (ours.ran) {
        json.field("step_seconds", ours.seconds).field("feasible", ours.fits);
        json.field("peak_bytes", ours.peak_bytes).field("usable_bytes", ours.usable_bytes);
      }
      if (const auto error = error_of(cell, ours)) json.field("error", *error);
      json.end_object();
    }
    json.end_array().end_object();
  }
  json.end_array().key("notes").begin_array();
  for (const std::string& note : table.notes) json.value(note);
  json.end_array().end_object();
  return json.take();
}

std::string list_text() {
  Table text({{"table"}, {""}});
  for (const PublishedTable& table : published_tables()) {
    text.add_row({table.name, table.title});
  }
  return text.to_text() + "\nnext: berth bench hdp\n";
}

}  // namespace

int bench_command(Words words) {
  std::string name;
  SearchArguments search{.budget = "2000evals"};
  Console console;
  if (!parse(words, name, search, console)) return kDone;
  if (name.empty()) {
    if (console.json()) {
      JsonWriter json;
      json.begin_object().key("tables").begin_array();
      for (const PublishedTable& table : published_tables()) {
        json.begin_object().field("name", table.name).field("title", table.title).end_object();
      }
      json.end_array().end_object();
      console.object(json.take());
    }
    console.answer(list_text());
    return kDone;
  }
  const PublishedTable& table = find_published_table(name);
  std::vector<OurRow> rows;
  for (const PublishedRow& row : table.rows) rows.push_back(run_row(table, row, search, console));
  if (console.json()) console.object(to_json(table, rows));
  console.answer(answer(table, rows, console.ink()));
  return kDone;
}

}  // namespace berth
