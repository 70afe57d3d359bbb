#include "experiments/reductions.h"

#include <fmt/format.h>

#include <cmath>

#include "report/analysis.h"
#include "report/table.h"

namespace berth::experiments {
namespace {

constexpr double kProvenGap = 0.01;

template <class Wanted>
std::optional<std::size_t> find_column(const PublishedTable& table, const Wanted& wanted) {
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (wanted(table.columns[i])) return i;
  }
  return {};
}

std::optional<std::size_t> column_headed(const PublishedTable& table, const std::string& header) {
  return find_column(table, [&](const PublishedColumn& it) { return it.header == header; });
}

std::optional<std::size_t> column_of_auto(const PublishedTable& table, bool schedule) {
  return find_column(table, [&](const PublishedColumn& it) {
    return it.method == "auto" && it.tasks.schedule == schedule;
  });
}

// Ours of that column, if it ran and fits.
const OurCell* our_step(const OurRow& row, std::optional<std::size_t> column) {
  if (!column || *column >= row.cells.size()) return nullptr;
  const OurCell& cell = row.cells[*column];
  return cell.ran && cell.fits && cell.seconds > 0 ? &cell : nullptr;
}

void add_published(Reduction& reduction, const PublishedTable& table, const PublishedRow& row) {
  const auto human_column = column_headed(table, kHumanColumn);
  const auto learned_column = column_headed(table, table.learned);
  if (!human_column || !learned_column) return;
  const PublishedCell& human = published_cell(row, *human_column);
  const PublishedCell& learned = published_cell(row, *learned_column);
  reduction.verified = human.verified && learned.verified;
  reduction.printed = row.printed_reduction.has_value();
  if (reduction.printed) {
    reduction.published = row.printed_reduction;
  } else if (human.kind == PublishedCell::Kind::seconds &&
             learned.kind == PublishedCell::Kind::seconds) {
    reduction.published = 1 - learned.seconds / human.seconds;
  }
}

std::string percent(const std::optional<double>& fraction) {
  if (!fraction) return "-";
  const double rounded = std::round(*fraction * 1000) / 10;
  return fmt::format("{:.1f}%", rounded == 0 ? 0.0 : rounded);  // never "-0.0%"
}

std::string published_percent(const Reduction& reduction) {
  const bool doubtful = reduction.published && !reduction.verified;
  return percent(reduction.published) + (doubtful ? "?" : "");
}

}  // namespace

bool Reduction::proven() const { return gap && *gap <= kProvenGap; }

// Figures are printed with one digit, so half a digit more is not above.
bool Reduction::reachable() const { return !published || !most || *published <= *most + 0.0005; }

std::string Reduction::remark() const {
  std::string text;
  if (!most) text = "the human expert's plan does not fit here; ";
  if (!reachable()) {
    text += fmt::format("at most {}: the published {} is not reachable with this cost model; ",
                        percent(most), percent(published));
  }
  if (proven()) return text + "proven: within 1% of the best placement";
  if (gap)
    return text + fmt::format("at most {} above the best placement", report::format_percent(*gap));
  return text + "nothing that fits was found";
}

Reduction reduction_of(const PublishedTable& table, const OurRow& row) {
  Reduction reduction;
  add_published(reduction, table, *row.published);
  const OurCell* human = our_step(row, column_headed(table, kHumanColumn));
  const OurCell* placed = our_step(row, column_of_auto(table, false));
  const OurCell* scheduled = our_step(row, column_of_auto(table, true));
  if (placed != nullptr) reduction.gap = report::gap_to(placed->seconds, row.bound_seconds);
  if (human == nullptr) return reduction;
  reduction.most = 1 - row.bound_seconds / human->seconds;
  if (placed != nullptr) reduction.ours = 1 - placed->seconds / human->seconds;
  if (scheduled != nullptr) reduction.with_schedule = 1 - scheduled->seconds / human->seconds;
  return reduction;
}

std::string reductions_text(const PublishedTable& table, const std::vector<OurRow>& rows,
                            report::Ink ink) {
  using Align = report::Table::Align;
  report::Table text({{"shorter than human"},
                      {"cluster"},
                      {table.learned, Align::right},
                      {"auto", Align::right},
                      {"+schedule", Align::right},
                      {"at most", Align::right}},
                     ink);
  bool printed = false;
  std::string remarks;
  for (const OurRow& row : rows) {
    const Reduction reduction = reduction_of(table, row);
    printed = printed || reduction.printed;
    text.add_row({row.published->task, row.published->cluster, published_percent(reduction),
                  percent(reduction.ours), percent(reduction.with_schedule),
                  percent(reduction.most)});
    remarks += report::list_item(fmt::format("{} on {}: {}.", row.published->task,
                                             row.published->cluster, reduction.remark()));
  }
  const std::string origin = fmt::format(
      "Reductions of {} are {}; auto decides only the placement, as the paper does; +schedule has "
      "no published figure. At most: the largest reduction that the lower bound of placement "
      "allows; +schedule may exceed it.",
      table.learned, printed ? "as printed" : "computed from its seconds");
  return text.to_text() + remarks + report::list_item(origin) + report::list_item(kCostTableNote);
}

void write_reduction(JsonWriter& json, const PublishedTable& table, const OurRow& row) {
  const Reduction reduction = reduction_of(table, row);
  json.key("reduction").begin_object();
  json.field("published", reduction.published);
  json.field("printed", reduction.printed).field("verified", reduction.verified);
  json.field("auto", reduction.ours);
  json.field("auto_schedule", reduction.with_schedule);
  json.field("at_most", reduction.most);
  json.field("gap", reduction.gap);
  json.field("proven", reduction.proven()).field("reachable", reduction.reachable());
  json.field("remark", reduction.remark()).end_object();
}

}  // namespace berth::experiments
