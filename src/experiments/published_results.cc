#include "experiments/published_results.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json_writer.h"
#include "base/quantity.h"
#include "experiments/reductions.h"
#include "report/table.h"

namespace berth::experiments {
namespace {

std::string seconds_text(double seconds) { return fmt::format("{:.3f}", seconds); }

std::string our_text(const OurCell& cell) {
  if (!cell.ran) return "-";
  return cell.fits ? seconds_text(cell.seconds) : "OOM";
}

// Ours against the published figure, where both are times.
std::optional<double> error_of(const PublishedCell& published, const OurCell& ours) {
  if (published.kind != PublishedCell::Kind::seconds || !ours.ran || !ours.fits) return {};
  return ours.seconds / published.seconds - 1;
}

// A time that one GPU could not reach at any efficiency.
bool below_peak(const OurRow& row, const PublishedColumn& column, const PublishedCell& cell) {
  return column.method == "single(kind=gpu)" && cell.kind == PublishedCell::Kind::seconds &&
         cell.seconds < row.flops / row.gpu_peak;
}

// Where a table ends that begins with that column: as many columns as fit the page beside the task.
std::size_t end_of_table(const PublishedTable& table, std::size_t begin) {
  constexpr std::size_t kTask = 27, kNumber = 7, kGap = 2;
  std::size_t end = begin;
  for (std::size_t width = kTask; end < table.columns.size(); ++end) {
    width += std::max(kNumber, report::visible_width(table.columns[end].header)) + kGap;
    if (width > report::kPageColumns && end > begin) break;
  }
  return end;
}

std::string table_text(const PublishedTable& table, const std::vector<OurRow>& rows,
                       std::size_t begin, std::size_t end, report::Ink ink) {
  std::vector<report::Table::Column> columns = {{"task"}, {""}};
  for (std::size_t i = begin; i < end; ++i) {
    columns.push_back({table.columns[i].header, report::Table::Align::right});
  }
  columns.push_back({end == table.columns.size() ? "bound" : "", report::Table::Align::right});
  report::Table text(columns, ink);
  for (const OurRow& row : rows) {
    std::vector<std::string> printed = {row.published->task, "published"};
    std::vector<std::string> ours = {"  " + row.published->cluster, "berth"};
    std::vector<std::string> errors = {"", "error"};
    for (std::size_t i = begin; i < end; ++i) {
      const PublishedCell& cell = published_cell(*row.published, i);
      printed.push_back(published_text(cell));
      ours.push_back(our_text(row.cells[i]));
      const auto error = error_of(cell, row.cells[i]);
      errors.push_back(error ? fmt::format("{:+.0f}%", 100 * *error) : "");
    }
    if (end == table.columns.size()) ours.push_back(seconds_text(row.bound_seconds));
    text.add_row(printed);
    text.add_row(ours);
    text.add_row(errors);
  }
  return text.to_text() + '\n';
}

std::string tables_text(const PublishedTable& table, const std::vector<OurRow>& rows,
                        report::Ink ink) {
  std::string out;
  for (std::size_t begin = 0; begin < table.columns.size();) {
    const std::size_t end = end_of_table(table, begin);
    out += table_text(table, rows, begin, end, ink);
    begin = end;
  }
  return out;
}

// What the efficiencies were fitted to, and what they say of the rest.
std::string calibration_text(const PublishedTable& table, const std::vector<OurRow>& rows,
                             report::Ink ink) {
  report::Table text({{"calibration"},
                      {""},
                      {"published", report::Table::Align::right},
                      {"berth", report::Table::Align::right},
                      {"error", report::Table::Align::right},
                      {"", report::Table::Align::sentence}},
                     ink);
  for (const OurRow& row : rows) {
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const PublishedCell& cell = published_cell(*row.published, i);
      if (cell.use == PublishedCell::Use::other) continue;
      const auto error = error_of(cell, row.cells[i]);
      std::string remark = cell.use == PublishedCell::Use::fitted ? "fitted" : "checked";
      if (below_peak(row, table.columns[i], cell)) {
        remark = fmt::format("no target: {} in {} s is {}, above the GPU's {}",
                             report::format_work(row.flops), cell.seconds,
                             format_flops(row.flops / cell.seconds), format_flops(row.gpu_peak));
      }
      text.add_row({row.published->task, table.columns[i].header, published_text(cell),
                    our_text(row.cells[i]), error ? fmt::format("{:+.0f}%", 100 * *error) : "-",
                    remark});
    }
  }
  return text.row_count() > 0 ? "\n" + text.to_text() : "";
}

// Out of memory is an outcome on both sides; then the bytes are compared.
std::string memory_text(const PublishedTable& table, const std::vector<OurRow>& rows) {
  std::string out;
  for (const OurRow& row : rows) {
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const PublishedCell& cell = published_cell(*row.published, i);
      const OurCell& ours = row.cells[i];
      const bool there = cell.kind == PublishedCell::Kind::out_of_memory;
      if (!ours.ran || (!there && ours.fits)) continue;
      out += report::list_item(
          fmt::format("{}, {} on {}: {} of {} on the fullest device, {}; published: {}",
                      row.published->task, table.columns[i].header, row.published->cluster,
                      format_bytes(ours.peak_bytes), format_bytes(ours.usable_bytes),
                      ours.fits ? "it fits" : "out of memory", published_text(cell)));
    }
  }
  return out.empty() ? "" : "\nMemory\n" + out;
}

}  // namespace

std::string published_text(const PublishedCell& cell) {
  if (cell.kind == PublishedCell::Kind::absent) return "-";
  const std::string text =
      cell.kind == PublishedCell::Kind::seconds ? fmt::format("{}", cell.seconds) : "OOM";
  return cell.verified ? text : text + "?";
}

std::string published_answer(const PublishedTable& table, const std::vector<OurRow>& rows,
                             report::Ink ink) {
  std::string out =
      ink.bold(table.title) + "\n" + report::wrap_text(table.source, report::kPageColumns, 2) +
      "  Seconds per step; ? marks figures that could not be read in their source.\n\n";
  out += tables_text(table, rows, ink) + reductions_text(table, rows, ink) +
         calibration_text(table, rows, ink) + memory_text(table, rows) + "\n";
  for (const std::string& note : table.notes) out += report::list_item(note);
  return out;
}

std::string published_json(const PublishedTable& table, const std::vector<OurRow>& rows) {
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
      json.field("tasks", format_tasks(table.columns[i].tasks));
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
        json.field("lower_bound_seconds", ours.bound_seconds);
        json.field("peak_bytes", ours.peak_bytes).field("usable_bytes", ours.usable_bytes);
      }
      if (const auto error = error_of(cell, ours)) json.field("error", *error);
      json.end_object();
    }
    json.end_array();
    write_reduction(json, table, row);
    json.end_object();
  }
  json.end_array().key("notes").begin_array();
  for (const std::string& note : table.notes) json.value(note);
  json.value(kCostTableNote);
  json.end_array().end_object();
  return json.take();
}

}  // namespace berth::experiments
