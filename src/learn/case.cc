#include "learn/case.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "base/sha256.h"
#include "place/list/list_plan.h"

namespace berth::learn {
namespace {

constexpr std::int64_t kNeighbours = Case::kNeighbourNumbers / 2;  // each way, as published

Tensor tensor_of(const std::vector<float>& values, const std::vector<std::int64_t>& shape,
                 at::ScalarType real) {
  return torch::tensor(values, at::kFloat).view(shape).to(real);
}

// A column per unit. Only on a graph with more units than the largest that the policy was made for
// do units share columns.
Tensor one_hot_adjacency(const place::Units& units, std::int64_t columns, at::ScalarType real) {
  Tensor adjacency = torch::zeros({static_cast<std::int64_t>(units.size()), columns}, real);
  std::vector<std::int64_t> reads(units.size()), feeds(units.size());
  for (const place::UnitEdge& edge : units.edges) {
    if (feeds[edge.from]++ < kNeighbours) adjacency[edge.from][edge.to % columns] = 1;
    if (reads[edge.to]++ < kNeighbours) adjacency[edge.to][edge.from % columns] = 1;
  }
  return adjacency;
}

Tensor neighbour_numbers(const place::Units& units, at::ScalarType real) {
  const auto count = static_cast<std::int64_t>(units.size());
  Tensor table = torch::full({count, 2 * kNeighbours}, -1.0, at::kDouble);
  auto cells = table.accessor<double, 2>();
  std::vector<std::int64_t> reads(units.size()), feeds(units.size());
  const auto share = [&](std::uint32_t unit) { return (unit + 1.0) / static_cast<double>(count); };
  for (const place::UnitEdge& edge : units.edges) {
    std::int64_t& read = reads[edge.to];
    std::int64_t& fed = feeds[edge.from];
    if (read < kNeighbours) cells[edge.to][read++] = share(edge.from);
    if (fed < kNeighbours) cells[edge.from][kNeighbours + fed++] = share(edge.to);
  }
  return table.to(real);
}

Neighbours both_ways(const place::Units& units) {
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
  for (const place::UnitEdge& edge : units.edges) {
    pairs.emplace_back(edge.from, edge.to);
    pairs.emplace_back(edge.to, edge.from);
  }
  return Neighbours::of(static_cast<std::int64_t>(units.size()), std::move(pairs));
}

template <class Ends>
Neighbours one_way(const place::Units& units, const Ends& ends) {
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
  for (const place::UnitEdge& edge : units.edges) pairs.emplace_back(ends(edge));
  return Neighbours::of(static_cast<std::int64_t>(units.size()), std::move(pairs));
}

std::vector<std::int64_t> fastest_devices(const Features& features) {
  std::vector<std::int64_t> fastest(features.units);
  for (std::size_t unit = 0; unit < features.units; ++unit) {
    const std::size_t row = unit * features.device_count;
    std::int64_t best = -1;
    for (std::size_t device = 0; device < features.device_count; ++device) {
      if (!features.allowed[row + device]) continue;
      if (best < 0 ||
          features.seconds[row + device] < features.seconds[row + static_cast<std::size_t>(best)]) {
        best = static_cast<std::int64_t>(device);
      }
    }
    fastest[unit] = best;
  }
  return fastest;
}

// By unit: its device in the list schedule.
std::vector<std::int64_t> listed_devices(const Problem& problem, const place::Units& units,
                                         const Features& features) {
  const Plan plan = place::list_plan(problem, units);
  // A free op may be with a reader of another unit, on a device that its own unit may not use.
  std::vector<std::int64_t> devices = fastest_devices(features);
  for (std::size_t unit = 0; unit < units.size(); ++unit) {
    const std::size_t device = plan.placement[units.members.row(unit).front().index()].index();
    if (!features.allowed[unit * features.device_count + device]) continue;
    devices[unit] = static_cast<std::int64_t>(device);
  }
  return devices;
}

}  // namespace

Tensor standardized(const Tensor& columns) {
  if (columns.size(0) == 0) return columns;
  const Tensor centred = columns - columns.mean(0, true);
  const Tensor deviation = centred.square().mean(0, true).sqrt();
  return at::where(deviation.gt(1e-6), centred / deviation.clamp_min(1e-6),
                   torch::zeros_like(centred));
}

Case::Case(const Problem& of_problem, const CaseSettings& settings, const Vocabulary& vocabulary,
           at::ScalarType real)
    : problem(of_problem),
      units(place::make_units(problem, settings.units)),
      features(make_features(problem, units, vocabulary)),
      tensor_groups(tensor_groups_of(problem.graph(), units)),
      ledger(ledger_items(features, tensor_groups)) {
  const auto rows = static_cast<std::int64_t>(features.units);
  const auto columns = static_cast<std::int64_t>(features.device_count);
  const auto known = static_cast<std::int64_t>(vocabulary.size());
  types = tensor_of(features.types, {rows, known}, real);
  op_counts = types.sum(1, true);
  types = types / op_counts.clamp_min(1);
  shapes = tensor_of(features.shapes, {rows, Features::kShapes}, real);
  if (settings.standardized) shapes = standardized(shapes);
  if (settings.adjacency > 0) {
    adjacency = one_hot_adjacency(units, settings.adjacency, real);
  }
  std::vector<std::int64_t> from, to;
  for (const place::UnitEdge& edge : units.edges) {
    from.push_back(edge.from);
    to.push_back(edge.to);
  }
  edge_from = torch::tensor(from, at::kLong);
  edge_to = torch::tensor(to, at::kLong);
  neighbours = neighbour_numbers(units, real);
  numbers = tensor_of(features.numbers, {rows, Features::kNumbers}, real);
  // Shares of a total over many units are tiny; in mean units they are of order 1.
  for (const std::int64_t share : kShareNumbers) numbers.select(1, share).mul_(rows);
  devices = tensor_of(features.devices, {columns, Features::kDevices}, real);
  pairs = tensor_of(features.pairs, {rows, columns, Features::kPairs}, real);
  pairs.select(2, kSharePair).mul_(rows);
  allowed = torch::tensor(std::vector<int>(features.allowed.begin(), features.allowed.end()))
                .view({rows, columns})
                .to(at::kBool);
  around = both_ways(units);
  feeders =
      one_way(units, [](const place::UnitEdge& edge) { return std::pair(edge.to, edge.from); });
  readers =
      one_way(units, [](const place::UnitEdge& edge) { return std::pair(edge.from, edge.to); });
  if (settings.decisions) {
    decisions = std::make_unique<DecisionFacts>(problem, units, features);
    decided_units = torch::tensor(
        std::vector<std::int64_t>(decisions->order.decided.begin(), decisions->order.decided.end()),
        at::kLong);
  }
  if (settings.convolution) convolution = Convolution::of(around);
  if (settings.reachability) {
    if (units.size() > Reachability::kMostUnits) {
      throw InputError(fmt::format(
          "units={} makes {} units here, but a policy that reads all units at every step can read "
          "at most {}; use units={} or fewer",
          settings.units, units.size(), Reachability::kMostUnits, Reachability::kMostUnits));
    }
    reach = Reachability::of(units, real);
  }
  fastest = fastest_devices(features);
  if (settings.listed) listed = listed_devices(problem, units, features);
}

std::string fingerprint(const Problem& problem) {
  std::string text;
  const auto add = [&](const auto& value) {
    char raw[sizeof(value)];
    std::memcpy(raw, &value, sizeof(value));
    text.append(raw, sizeof(value));
  };
  const Graph& graph = problem.graph();
  const Cluster& cluster = problem.cluster();
  add(problem.op_count());
  add(problem.device_count());
  for (std::size_t i = 0; i < problem.op_count(); ++i) {
    const OpId op(i);
    text += graph.op_type(op);
    text += '\n';
    add(problem.group(op).index());
    add(graph.param_bytes(op));
    add(graph.temp_bytes(op));
    for (std::size_t k = 0; k < problem.class_count(); ++k) add(problem.class_seconds(op, k));
    for (const TensorId tensor : graph.inputs(op)) add(tensor.index());
    for (const OpId before : graph.after(op)) add(before.index());
    for (std::size_t k = 0; k < graph.output_count(op); ++k) add(graph.bytes(graph.output(op, k)));
  }
  for (std::size_t i = 0; i < problem.group_count(); ++i) add(problem.device_set(GroupId(i)));
  for (std::size_t from = 0; from < problem.device_count(); ++from) {
    add(problem.usable_bytes(DeviceId(from)));
    add(problem.device_class(DeviceId(from)));
    for (std::size_t to = 0; to < problem.device_count(); ++to) {
      const Route route = cluster.route(DeviceId(from), DeviceId(to));
      add(route.latency_seconds);
      add(route.bandwidth);
    }
  }
  return sha256_hex(text);
}

}  // namespace berth::learn
