#include "bounds/fork_region.h"

#include <algorithm>

namespace berth::bounds {
namespace {

bool contains(const std::vector<OpId>& ops, OpId op) {
  return std::find(ops.begin(), ops.end(), op) != ops.end();
}

}  // namespace

ForkRegion::ForkRegion(const PathTable& shape)
    : shape_(shape),
      graph_(shape.problem().graph()),
      problem_(shape.problem()),
      kinds_(shape.kinds().size()),
      states_(kinds_ + 1),
      place_of_(graph_.op_count(), kAbsent),
      first_edge_(graph_.op_count(), kAbsent) {}

void ForkRegion::start(OpId join) {
  // Only what the last join has touched is cleared: arrays of all ops, wiped for every join, would
  // make this quadratic in the graph.
  for (const Member& member : members_) place_of_[member.op.index()] = kAbsent;
  for (const OpId op : touched_) first_edge_[op.index()] = kAbsent;
  members_.clear();
  touched_.clear();
  edges_.clear();
  waits_.clear();
  crossings_.clear();
  remaining_.clear();
  costs_.clear();
  join_ = join;
  add_edges_into(join, kAbsent);
}

void ForkRegion::add(OpId op) {
  const auto place = static_cast<std::uint32_t>(members_.size());
  place_of_[op.index()] = place;
  for (std::uint32_t e = first_edge_[op.index()]; e != kAbsent; e = edges_[e].next) {
    edges_[e].from_place = place;
  }
  const auto begin = static_cast<std::uint32_t>(edges_.size());
  add_edges_into(op, place);
  members_.push_back({op, begin, static_cast<std::uint32_t>(edges_.size())});
  remaining_.resize(members_.size() * kinds_ * states_, 0);
  for (std::size_t k = 0; k < kinds_; ++k) {
    for (std::size_t state = 0; state < states_; ++state) {
      costs_.push_back(possible_cost(op, state, k));
    }
    // An op is added after all of the region that waits for it, so what remains after those is
    // known and never changes again.
    reckon_remaining(place, k);
  }
}

std::size_t ForkRegion::fan_out(OpId op) const {
  std::size_t count = 0;
  for (std::uint32_t e = first_edge_[op.index()]; e != kAbsent; e = edges_[e].next) ++count;
  return count;
}

void ForkRegion::add_edges_into(OpId op, std::uint32_t place) {
  for (const TensorId& tensor : graph_.inputs(op)) {
    add_edge(graph_.producer(tensor), op, place, &tensor);
  }
  for (const OpId earlier : graph_.after(op)) add_edge(earlier, op, place, nullptr);
}

void ForkRegion::add_edge(OpId from, OpId to, std::uint32_t place, const TensorId* tensor) {
  Edge edge;
  edge.from = from;
  edge.to = to;
  edge.to_place = place;
  edge.next = first_edge_[from.index()];
  edge.together = problem_.group(from) == problem_.group(to);
  if (edge.next == kAbsent) touched_.push_back(from);
  first_edge_[from.index()] = static_cast<std::uint32_t>(edges_.size());
  edges_.push_back(edge);
  for (std::size_t k = 0; k < kinds_; ++k) waits_.push_back(queue_wait(from, to, k));
  const std::size_t base = crossings_.size();
  // An order-only edge between devices costs nothing.
  const double absent = edge.together || tensor != nullptr ? kNever : 0.0;
  crossings_.resize(base + kinds_ * kinds_, absent);
  if (edge.together || tensor == nullptr) return;
  for (std::size_t k = 0; k < kinds_; ++k) {
    for (const Arc& arc : shape_.routed().arrivals.row(k)) {
      double& seconds = crossings_[base + arc.from_kind * kinds_ + k];
      seconds = std::min(seconds, arc.arrival_seconds(0, graph_.bytes(*tensor)));
    }
  }
}

// What goes between the two ops if they share a device: companions of the first that start after it
// and before the second.
double ForkRegion::queue_wait(OpId from, OpId to, std::size_t kind) const {
  if (!shape_.one_slot(kind)) return 0;
  double seconds = 0;
  for (const OpId companion : shape_.queues().companions(from)) {
    if (shape_.queues().goes_between(from, companion, to)) seconds += shape_.cost(companion, kind);
  }
  return seconds;
}

double ForkRegion::possible_cost(OpId op, std::size_t state, std::size_t join_kind) const {
  const GroupId group = problem_.group(op);
  const std::size_t kind = state == 0 ? join_kind : state - 1;
  // Colocated with the join it is on the join's device; and where the kind has no second device,
  // there is no other device of the kind to be on.
  if (state != 0 && group == problem_.group(join_)) return kNever;
  if (state != 0 && kind == join_kind && shape_.kinds().counts[kind] == 1) return kNever;
  return shape_.possible(group, kind) ? shape_.cost(op, kind) : kNever;
}

double ForkRegion::edge_seconds(std::size_t edge, std::size_t from, std::size_t to,
                                std::size_t join_kind) const {
  const std::size_t from_kind = from == 0 ? join_kind : from - 1;
  const std::size_t to_kind = to == 0 ? join_kind : to - 1;
  const double crossing = crossings_[(edge * kinds_ + from_kind) * kinds_ + to_kind];
  // State 0 is one device. Any other state is a kind, on which the two ops may share a device or
  // not, whichever is shorter.
  if (from == 0 && to == 0) return waits_[edge * kinds_ + join_kind];
  if (from == to) return std::min(waits_[edge * kinds_ + from_kind], crossing);
  return crossing;
}

void ForkRegion::reckon_remaining(std::size_t place, std::size_t join_kind) {
  const OpId op = members_[place].op;
  for (std::uint32_t e = first_edge_[op.index()]; e != kAbsent; e = edges_[e].next) {
    const Edge& edge = edges_[e];
    for (std::size_t from = 0; from < states_; ++from) {
      double least = kNever;
      if (edge.to_place == kAbsent) {
        least = edge_seconds(e, from, 0, join_kind);
      } else {
        for (std::size_t to = 0; to < states_; ++to) {
          least = std::min(least, edge_seconds(e, from, to, join_kind) +
                                      cost(edge.to_place, to, join_kind) +
                                      remaining(edge.to_place, to, join_kind));
        }
      }
      double& seconds = remaining(place, from, join_kind);
      seconds = std::max(seconds, least);
    }
  }
}

// The fork, the last member, is in `fork_state`.
void ForkRegion::reckon_leads(const PathTable& table, std::size_t join_kind,
                              std::size_t fork_state) {
  const std::size_t fork = members_.size() - 1;
  leads_.assign(members_.size() * states_, 0);
  for (std::size_t place = fork; place-- > 0;) {
    const Member& member = members_[place];
    const GroupId group = problem_.group(member.op);
    const bool with_fork = group == problem_.group(members_[fork].op);
    for (std::size_t to = 0; to < states_; ++to) {
      // Both count: the table knows paths that do not come from the fork, and the paths from the
      // fork know its state, which the table leaves open.
      double lead = table.start(member.op, to == 0 ? join_kind : to - 1);
      if (with_fork && to != fork_state) lead = kNever;
      for (std::uint32_t e = member.edges_begin; e < member.edges_end; ++e) {
        const std::uint32_t before = edges_[e].from_place;
        if (before == kAbsent) continue;
        double least = kNever;
        if (before == fork) {
          least = table.end(members_[fork].op, fork_state == 0 ? join_kind : fork_state - 1) +
                  edge_seconds(e, fork_state, to, join_kind);
        } else {
          for (std::size_t from = 0; from < states_; ++from) {
            least =
                std::min(least, leads_[before * states_ + from] + cost(before, from, join_kind) +
                                    edge_seconds(e, from, to, join_kind));
          }
        }
        lead = std::max(lead, least);
      }
      leads_[place * states_ + to] = lead;
    }
  }
}

void ForkRegion::collect_elements(std::size_t join_kind) {
  const std::size_t count = members_.size() - 1;
  aways_.assign(count, kNever);
  for (std::size_t place = 0; place < count; ++place) {
    for (std::size_t state = 1; state < states_; ++state) {
      aways_[place] =
          std::min(aways_[place], leads_[place * states_ + state] + cost(place, state, join_kind) +
                                      remaining(place, state, join_kind));
    }
  }
  // A group is on the device as a whole or not at all.
  for (std::size_t place = 0; place < count; ++place) {
    const GroupId group = problem_.group(members_[place].op);
    if (problem_.members(group).size() == 1) continue;
    for (std::size_t other = 0; other < count; ++other) {
      if (problem_.group(members_[other].op) != group) continue;
      aways_[place] = aways_[other] = std::max(aways_[place], aways_[other]);
    }
  }
  elements_.clear();
  for (std::size_t place = 0; place < count; ++place) {
    const double work = cost(place, 0, join_kind);
    // It takes no slot, so it cannot make others wait, and the paths have it already.
    if (work == 0) continue;
    elements_.push_back(
        {aways_[place], {leads_[place * states_], work, remaining(place, 0, join_kind)}});
  }
  if (!shape_.queues().empty()) collect_companions(join_kind);
}

// Companions that are not of the region themselves: they run between an op and what follows it, if
// both are on the device.
void ForkRegion::collect_companions(std::size_t join_kind) {
  const std::size_t count = members_.size() - 1;
  counted_.clear();
  for (std::size_t place = 0; place < count; ++place) {
    const OpId op = members_[place].op;
    for (const OpId companion : shape_.queues().companions(op)) {
      // Ops of the region are work already, and a companion of several of them is work once. One
      // with a lower index goes before the op, which the op's start in the table knows.
      if (companion < op || holds(companion) || contains(counted_, companion)) continue;
      Element best;
      for (std::uint32_t e = first_edge_[op.index()]; e != kAbsent; e = edges_[e].next) {
        const Edge& edge = edges_[e];
        if (!shape_.queues().goes_between(op, companion, edge.to)) continue;
        const bool to_join = edge.to_place == kAbsent;
        const double away =
            to_join ? aways_[place] : std::min(aways_[place], aways_[edge.to_place]);
        if (away <= best.away) continue;
        best.away = away;
        best.job.tail =
            to_join ? 0
                    : cost(edge.to_place, 0, join_kind) + remaining(edge.to_place, 0, join_kind);
      }
      // No edge after which it certainly runs before the join.
      if (best.away <= 0) continue;
      counted_.push_back(companion);
      best.job.head = leads_[place * states_] + cost(place, 0, join_kind);
      best.job.work = shape_.cost(companion, join_kind);
      elements_.push_back(best);
    }
  }
}

double ForkRegion::jackson_of_first(std::size_t count) {
  jobs_.clear();
  for (std::size_t i = 0; i < count; ++i) {
    const Job& job = elements_[i].job;
    if (job.head + job.work + job.tail == kNever) return kNever;
    jobs_.push_back(job);
  }
  return jackson_seconds(jobs_);
}

// The least over sets of max(away of the first element outside, Jackson's schedule of those in it).
double ForkRegion::least_wait(double known_seconds) {
  if (std::none_of(elements_.begin(), elements_.end(),
                   [&](const Element& element) { return element.away > known_seconds; })) {
    return known_seconds;
  }
  std::sort(elements_.begin(), elements_.end(),
            [](const Element& left, const Element& right) { return left.away > right.away; });
  const auto away_of_rest = [&](std::size_t count) {
    return count < elements_.size() ? elements_[count].away : 0.0;
  };
  // With more elements the schedule grows and the away of the rest falls, so the least maximum is
  // where they cross: binary search for the first count at which the schedule is no shorter.
  std::size_t low = 0;
  std::size_t high = elements_.size();
  double at_high = jackson_of_first(high);
  if (at_high <= known_seconds) return known_seconds;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    const double schedule = jackson_of_first(middle);
    if (schedule >= away_of_rest(middle)) {
      high = middle;
      at_high = schedule;
    } else {
      low = middle + 1;
    }
  }
  // With one element less, going away is what counts.
  return high == 0 ? at_high : std::min(at_high, away_of_rest(high - 1));
}

double ForkRegion::start_of_join(const PathTable& table, std::size_t join_kind,
                                 double known_seconds) {
  if (!shape_.one_slot(join_kind) || members_.size() < 3) return known_seconds;
  double least = kNever;
  for (std::size_t state = 0; state < states_; ++state) {
    if (cost(members_.size() - 1, state, join_kind) == kNever) continue;
    reckon_leads(table, join_kind, state);
    collect_elements(join_kind);
    least = std::min(least, least_wait(known_seconds));
    // The join may have the fork in any state, so the least over states holds: one state that gains
    // nothing ends it.
    if (least <= known_seconds) return known_seconds;
  }
  return least == kNever ? known_seconds : least;
}

}  // namespace berth::bounds
