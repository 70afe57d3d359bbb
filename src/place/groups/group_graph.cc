#include "place/groups/group_graph.h"

#include <algorithm>

#include "place/groups/crossings.h"

namespace berth::place {
namespace {

// Calls visit(from, to, bytes) for every tensor and every other group that reads it.
template <class Visit>
void for_each_group_crossing(const Problem& problem, const Visit& visit) {
  for_each_crossing(
      problem.graph(), problem.group_count(), [&](OpId op) { return problem.group(op).index(); },
      [&](TensorId, std::size_t from, std::size_t to, double bytes) { visit(from, to, bytes); });
}

// Sorts every row and adds up edges to the same neighbour, closing the gaps this leaves.
void merge_rows(Rows<GroupEdge>& rows) {
  std::uint32_t write = 0;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const auto begin = rows.items.begin() + rows.begins[row];
    const auto end = rows.items.begin() + rows.begins[row + 1];
    // Stable, so that sums are formed in the order of tensors.
    std::stable_sort(begin, end, [](const GroupEdge& left, const GroupEdge& right) {
      return left.group < right.group;
    });
    const std::uint32_t row_begin = write;
    for (auto edge = begin; edge != end; ++edge) {
      if (write > row_begin && rows.items[write - 1].group == edge->group) {
        rows.items[write - 1].bytes += edge->bytes;
      } else {
        rows.items[write++] = *edge;
      }
    }
    rows.begins[row] = row_begin;
  }
  rows.begins.back() = write;
  rows.items.resize(write);
}

}  // namespace

GroupGraph::GroupGraph(const Problem& problem) {
  const std::size_t groups = problem.group_count();
  // Two passes over the tensors, one to count and one to fill, instead of a list per group.
  edges_.begins.assign(groups + 1, 0);
  for_each_group_crossing(problem, [&](std::size_t from, std::size_t to, double) {
    ++edges_.begins[from + 1];
    ++edges_.begins[to + 1];
  });
  for (std::size_t group = 0; group < groups; ++group) {
    edges_.begins[group + 1] += edges_.begins[group];
  }
  edges_.items.resize(edges_.begins.back());
  std::vector<std::uint32_t> next(edges_.begins.begin(), edges_.begins.end() - 1);
  for_each_group_crossing(problem, [&](std::size_t from, std::size_t to, double bytes) {
    edges_.items[next[from]++] = {GroupId(to), bytes};
    edges_.items[next[to]++] = {GroupId(from), bytes};
  });
  merge_rows(edges_);
}

}  // namespace berth::place
