#include "bounds/path_tails.h"

#include <algorithm>
#include <limits>

namespace berth::bounds {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

Rows<Arc> turn_round(const Rows<Arc>& arrivals) {
  Rows<Arc> departures;
  departures.begins.push_back(0);
  for (std::size_t from = 0; from < arrivals.size(); ++from) {
    for (std::size_t to = 0; to < arrivals.size(); ++to) {
      for (Arc arc : arrivals.row(to)) {
        if (arc.from_kind != from) continue;
        arc.from_kind = static_cast<std::uint32_t>(to);
        departures.items.push_back(arc);
      }
    }
    departures.begins.push_back(static_cast<std::uint32_t>(departures.items.size()));
  }
  return departures;
}

}  // namespace

PathTails::PathTails(const PathTable& table)
    : table_(&table),
      width_(table.kinds().size()),
      departures_(turn_round(table.routed().arrivals)) {
  const Problem& problem = table.problem();
  const Graph& graph = problem.graph();
  tails_.assign(graph.op_count() * width_, 0);
  const auto order = graph.topological_order();
  const auto raise = [&](OpId op, std::size_t kind, double seconds) {
    // Infinite where the op cannot be anyway.
    double& known = tails_[op.index() * width_ + kind];
    if (seconds != kNever) known = std::max(known, seconds);
  };
  // Readers are listed by the tensor, order-only edges by the later op. So an op takes its tail
  // from its readers and raises the tails of ops it comes after.
  for (std::size_t i = order.size(); i-- > 0;) {
    const OpId op = order[i];
    for (std::size_t output = 0; output < graph.output_count(op); ++output) {
      const TensorId tensor = graph.output(op, output);
      for (const OpId consumer : graph.consumers(tensor)) {
        for (std::size_t k = 0; k < width_; ++k) raise(op, k, after_reading(tensor, consumer, k));
      }
    }
    // All that comes later has been seen, so its tails are done: those before it may count on them.
    if (graph.after(op).empty()) continue;
    double least = kNever;
    // An order-only edge costs nothing between devices, so the later op may be where its own rest
    // is shortest.
    for (std::size_t k = 0; k < width_; ++k) least = std::min(least, from_start(op, k));
    for (const OpId earlier : graph.after(op)) {
      const bool together = problem.group(earlier) == problem.group(op);
      for (std::size_t k = 0; k < width_; ++k) {
        raise(earlier, k, together ? from_start(op, k) : least);
      }
    }
  }
}

double PathTails::from_start(OpId op, std::size_t kind) const {
  return table_->possible(table_->problem().group(op), kind)
             ? table_->cost(op, kind) + tail(op, kind)
             : kNever;
}

// From the end of the tensor's producer on a device of the kind, through the consumer, to the end.
double PathTails::after_reading(TensorId tensor, OpId consumer, std::size_t kind) const {
  const PathTable& table = *table_;
  const Problem& problem = table.problem();
  const OpId producer = problem.graph().producer(tensor);
  double wait = 0;
  if (table.one_slot(kind)) {
    for (const OpId companion : table.queues().companions(producer)) {
      if (table.queues().goes_between(producer, companion, consumer)) {
        wait += table.cost(companion, kind);
      }
    }
  }
  double least = wait + from_start(consumer, kind);
  if (problem.group(producer) == problem.group(consumer)) return least;
  const std::int64_t bytes = problem.graph().bytes(tensor);
  for (const Arc& arc : departures_.row(kind)) {
    least = std::min(least, arc.arrival_seconds(0, bytes) + from_start(consumer, arc.from_kind));
  }
  return least;
}

double PathTails::through(OpId op) const {
  double least = kNever;
  for (std::size_t k = 0; k < width_; ++k) {
    if (!table_->possible(table_->problem().group(op), k)) continue;
    least = std::min(least, table_->end(op, k) + tail(op, k));
  }
  return least;
}

}  // namespace berth::bounds
