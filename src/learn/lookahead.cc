#include "learn/lookahead.h"

#include <algorithm>
#include <limits>
#include <map>

namespace berth::learn {
namespace {

constexpr double kNoWay = std::numeric_limits<double>::infinity();
// Of one tensor; weights that thousands of ops read tie nothing together.
constexpr std::size_t kMostReaders = 64;

std::vector<double> rest_of_step(const place::UnitOrder& order) {
  const Problem& problem = order.problem;
  const Graph& graph = problem.graph();
  const Cluster& cluster = problem.cluster();
  const std::size_t devices = problem.device_count();
  if (devices > Lookahead::kMostDevices) return {};
  std::vector<double> rest(graph.op_count() * devices, 0.0);  // op x device
  const auto topological = graph.topological_order();
  std::vector<double> best(devices);
  for (auto at = topological.rbegin(); at != topological.rend(); ++at) {
    const OpId op = *at;
    double* const own = &rest[op.index() * devices];
    for (std::size_t k = 0; k < graph.output_count(op); ++k) {
      const TensorId tensor = graph.output(op, k);
      for (const OpId reader : graph.consumers(tensor)) {
        std::fill(best.begin(), best.end(), kNoWay);
        for (const DeviceId to : problem.allowed_devices(reader)) {
          const double after =
              rest[reader.index() * devices + to.index()] + problem.seconds(reader, to);
          for (const DeviceId from : problem.allowed_devices(op)) {
            double travel = 0;
            if (from != to) {
              if (!cluster.route(from, to).exists()) continue;
              travel = cluster.transfer_seconds(from, to, graph.bytes(tensor));
            }
            best[from.index()] = std::min(best[from.index()], after + travel);
          }
        }
        for (std::size_t device = 0; device < devices; ++device) {
          if (best[device] < kNoWay) own[device] = std::max(own[device], best[device]);
        }
      }
    }
  }
  std::vector<double> by_decision;
  for (const OpId op : order.first_ops) {
    by_decision.insert(by_decision.end(),
                       rest.begin() + static_cast<std::ptrdiff_t>(op.index() * devices),
                       rest.begin() + static_cast<std::ptrdiff_t>((op.index() + 1) * devices));
  }
  return by_decision;
}

Rows<Lookahead::Sibling> siblings_of(const place::UnitOrder& order, const place::Units& units) {
  const Graph& graph = order.problem.graph();
  Rows<Lookahead::Sibling> rows;
  rows.begins.push_back(0);
  std::map<std::uint32_t, double> found;
  for (std::uint32_t unit = 0; unit < units.size(); ++unit) {
    found.clear();
    for (const OpId op : units.members.row(unit)) {
      for (std::size_t k = 0; k < graph.output_count(op); ++k) {
        const auto readers = graph.consumers(graph.output(op, k));
        if (readers.size() > kMostReaders) continue;
        for (const OpId reader : readers) {
          if (order.unit_of_op[reader.index()] == unit) continue;
          for (const TensorId input : graph.inputs(reader)) {
            const std::uint32_t other = order.unit_of_op[graph.producer(input).index()];
            if (other == unit || graph.consumers(input).size() > kMostReaders) continue;
            found[other] += static_cast<double>(graph.bytes(input));
          }
        }
      }
    }
    std::vector<Lookahead::Sibling> most;
    for (const auto& [other, bytes] : found) most.push_back({other, bytes});
    std::stable_sort(most.begin(), most.end(),
                     [](const auto& left, const auto& right) { return left.bytes > right.bytes; });
    if (most.size() > Lookahead::kMostSiblings) most.resize(Lookahead::kMostSiblings);
    rows.items.insert(rows.items.end(), most.begin(), most.end());
    rows.begins.push_back(static_cast<std::uint32_t>(rows.items.size()));
  }
  return rows;
}

}  // namespace

Lookahead Lookahead::of(const place::UnitOrder& order, const place::Units& units) {
  return {.rest_seconds = rest_of_step(order), .siblings = siblings_of(order, units)};
}

}  // namespace berth::learn
