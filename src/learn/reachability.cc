#include "learn/reachability.h"

#include <vector>

namespace berth::learn {
namespace {

Tensor mean_rows(const Tensor& marks, at::ScalarType real) {
  const Tensor rows = marks.to(at::kDouble);
  return (rows / rows.sum(1, true).clamp_min(1)).to(real);
}

// By unit, those that lead to it, itself not among them unless by a circle.
Tensor all_before(std::size_t units, const std::vector<std::vector<std::uint32_t>>& feeders) {
  const auto count = static_cast<std::int64_t>(units);
  Tensor marks = torch::zeros({count, count}, at::kBool);
  auto cells = marks.accessor<bool, 2>();
  std::vector<std::uint32_t> open;
  for (std::size_t unit = 0; unit < units; ++unit) {
    const auto row = static_cast<std::int64_t>(unit);
    open.assign(1, static_cast<std::uint32_t>(unit));
    while (!open.empty()) {
      const std::uint32_t at = open.back();
      open.pop_back();
      for (const std::uint32_t from : feeders[at]) {
        if (cells[row][from]) continue;
        cells[row][from] = true;
        open.push_back(from);
      }
    }
    cells[row][row] = false;
  }
  return marks;
}

}  // namespace

Reachability Reachability::of(const place::Units& units, at::ScalarType real) {
  const auto count = static_cast<std::int64_t>(units.size());
  std::vector<std::vector<std::uint32_t>> feeders(units.size());
  Tensor direct = torch::zeros({count, count}, at::kBool);
  auto cells = direct.accessor<bool, 2>();
  for (const place::UnitEdge& edge : units.edges) {
    feeders[edge.to].push_back(edge.from);
    cells[edge.to][edge.from] = true;
  }
  const Tensor before = all_before(units.size(), feeders);
  const Tensor related = before.logical_or(before.t()).logical_or(torch::eye(count, at::kBool));
  return {.feeders = mean_rows(direct, real),
          .readers = mean_rows(direct.t(), real),
          .ancestors = mean_rows(before, real),
          .descendants = mean_rows(before.t(), real),
          .parallel = mean_rows(related.logical_not(), real)};
}

}  // namespace berth::learn
