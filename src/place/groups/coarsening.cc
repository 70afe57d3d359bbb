#include "place/groups/coarsening.h"

#include <algorithm>
#include <numeric>

#include "place/groups/group_costs.h"
#include "place/groups/group_footprint.h"
#include "place/groups/group_graph.h"
#include "place/groups/joined_segments.h"
#include "place/list/upward_rank.h"

namespace berth::place {
namespace {

// Groups in the order of their first ops.
std::vector<GroupId> group_sequence(const Problem& problem) {
  std::vector<GroupId> sequence;
  std::vector<std::uint8_t> seen(problem.group_count(), 0);
  for (const OpId op : depth_first_order(problem.graph())) {
    const GroupId group = problem.group(op);
    if (seen[group.index()] != 0) continue;
    seen[group.index()] = 1;
    sequence.push_back(group);
  }
  return sequence;
}

std::vector<SegmentItem> describe(const Problem& problem, const std::vector<GroupId>& sequence) {
  const GroupCosts costs(problem);
  const std::vector<GroupFootprint> footprints = group_footprints(problem);
  std::vector<SegmentItem> items;
  std::array<double, 3> totals = {};
  for (const GroupId group : sequence) {
    SegmentItem& item = items.emplace_back();
    item.work_seconds = costs.fastest(group);
    item.weight = static_cast<std::uint32_t>(problem.members(group).size());
    item.device_set = static_cast<std::uint32_t>(problem.device_set(group));
    const GroupFootprint& footprint = footprints[group.index()];
    item.shares = {item.work_seconds, footprint.param_bytes, footprint.output_bytes};
    for (std::size_t k = 0; k < totals.size(); ++k) totals[k] += item.shares[k];
  }
  for (SegmentItem& item : items) {
    for (std::size_t k = 0; k < totals.size(); ++k) {
      // As parts of the whole, the three can be compared with 2/N (joined_segments.h).
      if (totals[k] > 0) item.shares[k] /= totals[k];
    }
  }
  return items;
}

Rows<SegmentEdge> transfers(const Problem& problem, const std::vector<GroupId>& sequence) {
  const GroupGraph graph(problem);
  // Which devices the two will be on is not known, so the mean over routes stands for all.
  const double pace = mean_route(problem).seconds_per_byte;
  std::vector<std::uint32_t> position(sequence.size());
  for (std::uint32_t i = 0; i < sequence.size(); ++i) position[sequence[i].index()] = i;
  Rows<SegmentEdge> edges;
  edges.begins.push_back(0);
  for (const GroupId group : sequence) {
    for (const GroupEdge& edge : graph.neighbours(group)) {
      edges.items.push_back({position[edge.group.index()], edge.bytes * pace});
    }
    edges.begins.push_back(static_cast<std::uint32_t>(edges.items.size()));
  }
  return edges;
}

// Joins the remaining segments once more, in an order that puts those of one device set next to
// each other. Stable, so that they stay in order of the sequence within a device set.
void join_by_device_set(const std::vector<SegmentItem>& items, const Rows<SegmentEdge>& edges,
                        std::size_t most, std::vector<std::uint32_t>& segment_of) {
  const std::size_t count = segment_of.back() + std::size_t{1};
  std::vector<SegmentItem> segments(count, SegmentItem{.weight = 0});
  for (std::size_t i = 0; i < items.size(); ++i) {
    SegmentItem& segment = segments[segment_of[i]];
    segment.work_seconds += items[i].work_seconds;
    for (std::size_t k = 0; k < segment.shares.size(); ++k) {
      segment.shares[k] += items[i].shares[k];
    }
    segment.weight += items[i].weight;
    segment.device_set = items[i].device_set;
  }
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t left, std::uint32_t right) {
    return segments[left].device_set < segments[right].device_set;
  });
  std::vector<std::uint32_t> position(count);
  std::vector<std::uint32_t> first_item(count + 1, static_cast<std::uint32_t>(items.size()));
  for (std::uint32_t i = 0; i < count; ++i) position[order[i]] = i;
  for (std::size_t i = items.size(); i-- > 0;) {
    first_item[segment_of[i]] = static_cast<std::uint32_t>(i);
  }

  std::vector<SegmentItem> sorted;
  Rows<SegmentEdge> sorted_edges;
  sorted_edges.begins.push_back(0);
  for (const std::uint32_t segment : order) {
    sorted.push_back(segments[segment]);
    const std::uint32_t end = edges.begins[first_item[segment + 1]];
    for (std::uint32_t at = edges.begins[first_item[segment]]; at < end; ++at) {
      const SegmentEdge& edge = edges.items[at];
      sorted_edges.items.push_back({position[segment_of[edge.to]], edge.transfer_seconds});
    }
    sorted_edges.begins.push_back(static_cast<std::uint32_t>(sorted_edges.items.size()));
  }
  const std::vector<std::uint32_t> joined = join_segments(sorted, sorted_edges, most);
  for (std::uint32_t& segment : segment_of) segment = joined[position[segment]];
}

}  // namespace

std::vector<OpId> depth_first_order(const Graph& graph) {
  // An explicit stack: a path of a hundred thousand ops would overflow that of the program.
  struct Visit {
    OpId op;
    std::uint32_t next = 0;  // of its predecessors
  };
  std::vector<OpId> order;
  order.reserve(graph.op_count());
  std::vector<std::uint8_t> entered(graph.op_count(), 0);
  std::vector<Visit> path;
  for (const OpId end : graph.topological_order()) {
    if (!graph.successors(end).empty()) continue;
    path.push_back({end});
    while (!path.empty()) {
      Visit& visit = path.back();
      const std::span<const OpId> needed = graph.predecessors(visit.op);
      if (visit.next == needed.size()) {
        order.push_back(visit.op);
        path.pop_back();
        continue;
      }
      const OpId earlier = needed[visit.next++];
      if (entered[earlier.index()] != 0) continue;
      entered[earlier.index()] = 1;
      path.push_back({earlier});
    }
  }
  return order;
}

std::vector<std::uint32_t> coarsen(const Problem& problem, std::size_t most) {
  std::vector<std::uint32_t> part_of(problem.group_count());
  std::iota(part_of.begin(), part_of.end(), 0u);
  if (part_of.size() <= most) return part_of;
  const std::vector<GroupId> sequence = group_sequence(problem);
  const std::vector<SegmentItem> items = describe(problem, sequence);
  const Rows<SegmentEdge> edges = transfers(problem, sequence);
  std::vector<std::uint32_t> segment_of = join_segments(items, edges, most);
  if (segment_of.back() + std::size_t{1} > most) join_by_device_set(items, edges, most, segment_of);
  for (std::size_t i = 0; i < sequence.size(); ++i) part_of[sequence[i].index()] = segment_of[i];
  return part_of;
}

}  // namespace berth::place
