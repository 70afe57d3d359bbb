#include "bounds/cost_floors.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace berth::bounds {
namespace {

// Relative error of a sum of this many terms, each rounded once here and once in the simulator.
double rounding_share(std::size_t terms) {
  return (4 * static_cast<double>(terms) + 64) * 0x1.0p-53;
}

// Takes up to `charge` from what the op has left and gives back the part not covered.
double take(double& left, double charge) {
  const double taken = std::min(left, charge);
  left -= taken;
  return charge - taken;
}

// The shares of choice (savings), 0 where the op is impossible; empty when some charge is not met.
std::vector<double> savings_shares(const Problem& problem, std::size_t cost_class) {
  const Graph& graph = problem.graph();
  const Device& device = problem.cluster().device(problem.class_representative(cost_class));
  const double rounding = rounding_share(problem.op_count() + graph.tensor_count());
  const auto possible = [&](OpId op) {
    return problem.class_seconds(op, cost_class) != Problem::kImpossible;
  };
  std::vector<double> shares(problem.op_count(), 0);
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const double cost = problem.class_seconds(OpId(i), cost_class);
    if (!possible(OpId(i)) || cost == 0) continue;
    // A group of given costs saves one launch per member but the first. Every op is charged one,
    // which is at least as much as any group saves. The same below for bytes kept inside: each
    // tensor is charged once, to ops that are in the group whenever it is internal.
    shares[i] = cost * (1 - rounding) - device.launch_seconds;
    if (shares[i] < 0) return {};
  }
  for (std::size_t i = 0; i < graph.tensor_count(); ++i) {
    const TensorId tensor(i);
    const auto consumers = graph.consumers(tensor);
    if (consumers.empty() || graph.is_graph_output(tensor) || !possible(graph.producer(tensor)) ||
        !std::all_of(consumers.begin(), consumers.end(), possible)) {
      continue;  // never internal on this class
    }
    double charge =
        2 * static_cast<double>(graph.bytes(tensor)) / device.bandwidth * (1 + rounding);
    // Whom a charge is taken from does not matter for truth, as all of them are in the group. The
    // producer first: it is the op that most often has enough left.
    charge = take(shares[graph.producer(tensor).index()], charge);
    for (const OpId consumer : consumers) {
      if (charge <= 0) break;
      charge = take(shares[consumer.index()], charge);
    }
    if (charge > 0) return {};
  }
  return shares;
}

}  // namespace

double shrink_for_rounding(double seconds, std::size_t terms) {
  return std::clamp(seconds * (1 - rounding_share(terms)), 0.0, std::numeric_limits<double>::max());
}

CostFloors::CostFloors(const Problem& problem, Tasks tasks) : problem_(problem) {
  if (!tasks.fusion) return;
  const std::size_t size = problem.op_count() * problem.class_count();
  additive_.assign(size, Problem::kImpossible);
  alone_.assign(size, Problem::kImpossible);
  for (std::size_t c = 0; c < problem.class_count(); ++c) {
    if (fill_modelled(c)) choose_given(c);
  }
}

bool CostFloors::given(OpId op, std::size_t cost_class) const {
  return !problem_.graph().given_seconds(op).empty() &&
         problem_.has_given_seconds(op, problem_.class_representative(cost_class));
}

// Fills in `alone` and the modelled shares; says whether any op has given seconds on the class.
bool CostFloors::fill_modelled(std::size_t cost_class) {
  const std::size_t classes = problem_.class_count();
  const Device& device = problem_.cluster().device(problem_.class_representative(cost_class));
  bool any_given = false;
  for (std::size_t i = 0; i < problem_.op_count(); ++i) {
    const OpId op(i);
    const double cost = problem_.class_seconds(op, cost_class);
    if (cost == Problem::kImpossible) continue;
    const std::size_t at = i * classes + cost_class;
    if (given(op, cost_class)) {
      any_given = true;
      alone_[at] = additive_[at] = cost;
      continue;
    }
    const OpClass op_class = problem_.op_class(op);
    const double compute = compute_seconds(problem_.graph(), op, op_class, device);
    alone_[at] = op_class == OpClass::free ? 0.0 : device.launch_seconds + compute;
    // A group has at most one heavy op, so the launch, which it pays once, can be counted with that
    // op and with no other.
    additive_[at] = is_heavy(op_class) ? alone_[at] : compute;
  }
  return any_given;
}

void CostFloors::choose_given(std::size_t cost_class) {
  const std::size_t classes = problem_.class_count();
  std::vector<double> dearest(problem_.op_count(), 0);
  std::vector<double> savings = savings_shares(problem_, cost_class);
  for (std::size_t i = 0; i < problem_.op_count(); ++i) {
    const std::size_t at = i * classes + cost_class;
    if (additive_[at] == Problem::kImpossible) continue;
    if (is_heavy(problem_.op_class(OpId(i)))) dearest[i] = alone_[at];
    // The modelled share, or for a given op its cost, which is never the lesser.
    if (!savings.empty()) savings[i] = std::min(savings[i], additive_[at]);
  }
  const auto total = [](const std::vector<double>& shares) {
    return std::accumulate(shares.begin(), shares.end(), 0.0);
  };
  // Either rule alone is valid for all groups; the larger of the two for each op is not, because
  // one group could then be charged by both. So one of them is chosen for the whole class.
  const std::vector<double>& chosen = total(savings) > total(dearest) ? savings : dearest;
  for (std::size_t i = 0; i < problem_.op_count(); ++i) {
    double& floor = additive_[i * classes + cost_class];
    if (floor != Problem::kImpossible) floor = chosen[i];
  }
}

}  // namespace berth::bounds
