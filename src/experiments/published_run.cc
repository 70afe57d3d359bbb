#include "experiments/published_run.h"

#include <algorithm>

#include "base/error.h"
#include "experiments/subject.h"

namespace berth::experiments {
namespace {

// Peak memory on the device where the largest part of it is used.
void note_fullest_device(const Problem& problem, const Outcome& outcome, OurCell& cell) {
  double fullest = -1;
  for (std::size_t d = 0; d < problem.device_count(); ++d) {
    const std::int64_t usable = problem.cluster().device(DeviceId(d)).usable_bytes();
    const double share = static_cast<double>(outcome.peak_bytes[d]) / static_cast<double>(usable);
    if (share <= fullest) continue;
    fullest = share;
    cell.peak_bytes = outcome.peak_bytes[d];
    cell.usable_bytes = usable;
  }
}

OurCell run_cell(const PublishedColumn& column, Subject& subject, place::Request request,
                 const Observer& observer) {
  OurCell cell;
  if (column.method.empty() || observer.stop.requested()) return cell;
  request.tasks = column.tasks;
  try {
    const place::Placed placed = subject.run(column.method, request).placed;
    const Outcome& outcome = placed.outcome;
    cell.bound_seconds = subject.bound(column.tasks, placed).seconds;
    cell.ran = outcome.routable;
    cell.fits = outcome.feasible;
    cell.seconds = outcome.step_seconds;
    note_fullest_device(subject.problem(), outcome, cell);
  } catch (const InputError& error) {
    if (error.code() != ErrorCode::does_not_apply) throw;
    cell.ran = false;
  }
  return cell;
}

OurRow run_row(const PublishedTable& table, const PublishedRow& row, const Budget& budget,
               std::uint64_t seed, const Observer& observer) {
  Subject subject("zoo:" + row.workload, row.cluster, observer);
  const place::Request request = subject.request(budget, seed);
  OurRow ours{.published = &row};
  for (const PublishedColumn& column : table.columns) {
    ours.cells.push_back(run_cell(column, subject, request, observer));
  }
  ours.bound_seconds = subject.bound({}).seconds;
  // What one method has proved about placement holds for all that only place.
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const Tasks tasks = table.columns[i].tasks;
    if (tasks.schedule || tasks.fusion) continue;
    ours.bound_seconds = std::max(ours.bound_seconds, ours.cells[i].bound_seconds);
  }
  const Graph& graph = subject.problem().graph();
  for (std::size_t i = 0; i < graph.op_count(); ++i) ours.flops += graph.flops(OpId(i));
  for (const Device& device : subject.problem().cluster().devices()) {
    if (device.kind == "gpu") ours.gpu_peak = device.flops_for(DType::f32);
  }
  return ours;
}

}  // namespace

std::vector<OurRow> run_published(const PublishedTable& table, const Budget& budget,
                                  std::uint64_t seed, const Observer& observer) {
  std::vector<OurRow> rows;
  for (const PublishedRow& row : table.rows) {
    if (observer.stop.requested()) break;
    rows.push_back(run_row(table, row, budget, seed, observer));
  }
  return rows;
}

}  // namespace berth::experiments
