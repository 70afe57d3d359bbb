#include "place/groups/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/decimal.h"
#include "base/error.h"
#include "place/groups/coarsening.h"
#include "place/groups/crossings.h"
#include "place/groups/sole_readers.h"
#include "place/list/list_plan.h"
#include "place/list/upward_rank.h"
#include "sim/simulator.h"

namespace berth::place {
namespace {

// The largest number of units by the option's value; 0 if the value is not a valid number.
double most_units(std::string_view text) {
  const Decimal most = parse_decimal(text);
  const bool whole = most.length > 0 && most.length == text.size() && most.value >= 1 &&
                     most.value == std::trunc(most.value);
  return whole ? most.value : 0;
}

// The part of every group, by numbers that may have gaps but are less than the number of groups.
std::vector<std::uint32_t> parts_of_groups(const Problem& problem, std::string_view text) {
  if (text == "coloc") return join_sole_readers(problem);
  if (text == "ops") return coarsen(problem, problem.group_count());
  const auto groups = static_cast<double>(problem.group_count());
  // Limited first: the number may be too large for the cast.
  return coarsen(problem, static_cast<std::size_t>(std::min(most_units(text), groups)));
}

// Renumbers the parts in the order in which a list scheduler would take them: by the longest path
// from any of their ops to the end of the step. The mean position of their ops would not do: an op
// and its gradient, which are colocated, are equally far from the middle of the step, so every such
// part would have the same mean.
std::vector<std::uint32_t> number_parts(const Problem& problem,
                                        const std::vector<std::uint32_t>& part_of_group) {
  constexpr std::uint32_t kUnseen = UINT32_MAX;
  std::vector<std::uint32_t> unit_of_part(part_of_group.size(), kUnseen);
  std::uint32_t seen = 0;
  for (const OpId op : upward_ranks(problem).order) {
    std::uint32_t& unit = unit_of_part[part_of_group[problem.group(op).index()]];
    if (unit == kUnseen) unit = seen++;
  }
  return unit_of_part;
}

Rows<OpId> list_members(const std::vector<std::uint32_t>& of_op) {
  const std::size_t count =
      of_op.empty() ? 0 : std::size_t{*std::max_element(of_op.begin(), of_op.end())} + 1;
  Rows<OpId> members;
  members.begins.assign(count + 1, 0);
  for (const std::uint32_t unit : of_op) ++members.begins[unit + 1];
  std::partial_sum(members.begins.begin(), members.begins.end(), members.begins.begin());
  members.items.resize(of_op.size());
  std::vector<std::uint32_t> next(members.begins.begin(), members.begins.end() - 1);
  for (std::size_t op = 0; op < of_op.size(); ++op) members.items[next[of_op[op]]++] = OpId(op);
  return members;
}

std::vector<UnitEdge> list_edges(const Graph& graph, const Units& units) {
  std::vector<UnitEdge> edges;
  for_each_crossing(
      graph, units.size(), [&](OpId op) { return units.of_op[op.index()]; },
      [&](TensorId, std::size_t from, std::size_t to, double bytes) {
        edges.push_back({static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to), bytes});
      });
  // Stable, so that sums are formed in the order of tensors.
  std::stable_sort(edges.begin(), edges.end(), [](const UnitEdge& left, const UnitEdge& right) {
    return left.from != right.from ? left.from < right.from : left.to < right.to;
  });
  std::size_t kept = 0;
  for (const UnitEdge& edge : edges) {
    if (kept > 0 && edges[kept - 1].from == edge.from && edges[kept - 1].to == edge.to) {
      edges[kept - 1].bytes += edge.bytes;
    } else {
      edges[kept++] = edge;
    }
  }
  edges.resize(kept);
  return edges;
}

// First whether it does not fit, then how long its step is.
std::pair<bool, double> list_step(const Problem& problem, const Units& units) {
  const Outcome outcome = Simulator(problem).evaluate(list_plan(problem, units));
  return {!(outcome.routable && outcome.feasible), outcome.step_seconds};
}

Units units_by_list_schedule(const Problem& problem) {
  Units fine = make_units(problem, kFineUnits);
  Units coarse = make_units(problem, kCoarseUnits);
  if (coarse.size() == fine.size()) return fine;
  return list_step(problem, coarse) < list_step(problem, fine) ? coarse : fine;
}

}  // namespace

void require_units(std::string_view text) {
  if (text == "coloc" || text == "ops" || text == kAutoUnits || most_units(text) > 0) return;
  throw InputError(
      fmt::format("option \"units\" must be a whole number of at least 1, \"coloc\", "
                  "\"ops\" or \"auto\" but is {}{}",
                  quoted(text), did_you_mean(text, {"coloc", "ops", "auto"})));
}

Units make_units(const Problem& problem, std::string_view text) {
  require_units(text);
  if (text == kAutoUnits) return units_by_list_schedule(problem);
  const std::vector<std::uint32_t> part_of_group = parts_of_groups(problem, text);
  const std::vector<std::uint32_t> unit_of_part = number_parts(problem, part_of_group);
  Units units;
  units.of_op.resize(problem.op_count());
  for (std::size_t op = 0; op < units.of_op.size(); ++op) {
    units.of_op[op] = unit_of_part[part_of_group[problem.group(OpId(op)).index()]];
  }
  units.members = list_members(units.of_op);
  units.edges = list_edges(problem.graph(), units);
  return units;
}

Plan plan_of_units(const Units& units, std::span<const DeviceId> devices) {
  Plan plan;
  plan.placement.reserve(units.of_op.size());
  for (const std::uint32_t unit : units.of_op) plan.placement.push_back(devices[unit]);
  return plan;
}

}  // namespace berth::place
