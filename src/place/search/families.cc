#include "place/search/families.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>

namespace berth::place {
namespace {

constexpr std::size_t kCoarsest = 8;     // blocks
constexpr std::size_t kDeepestPath = 4;  // components of a name
constexpr double kWorthwhile = 0.95;     // a level that shrinks by less is not kept

std::uint32_t number(std::size_t index) { return static_cast<std::uint32_t>(index); }

Family family_of(std::vector<std::uint32_t> block_of, std::size_t blocks) {
  Family family;
  family.blocks.begins.assign(blocks + 1, 0);
  for (const std::uint32_t block : block_of) {
    if (block != Family::kNone) ++family.blocks.begins[block + 1];
  }
  std::partial_sum(family.blocks.begins.begin(), family.blocks.begins.end(),
                   family.blocks.begins.begin());
  family.blocks.items.resize(family.blocks.begins.back());
  std::vector<std::uint32_t> next(family.blocks.begins.begin(), family.blocks.begins.end() - 1);
  for (std::size_t group = 0; group < block_of.size(); ++group) {
    if (block_of[group] == Family::kNone) continue;
    family.blocks.items[next[block_of[group]]++] = GroupId(group);
  }
  family.block_of = std::move(block_of);
  return family;
}

// The label of a group is that of its first labelled op; groups without one stay out.
template <class Label>
Family by_label(const Problem& problem, const Label& label) {
  std::map<std::string, std::uint32_t, std::less<>> numbers;
  std::vector<std::uint32_t> block_of(problem.group_count(), Family::kNone);
  for (std::size_t group = 0; group < block_of.size(); ++group) {
    for (const OpId op : problem.members(GroupId(group))) {
      const std::string_view text = label(op);
      if (text.empty()) continue;
      block_of[group] =
          numbers.try_emplace(std::string(text), number(numbers.size())).first->second;
      break;
    }
  }
  return family_of(std::move(block_of), numbers.size());
}

std::string_view leading_path(std::string_view name, std::size_t components) {
  std::size_t end = 0;
  for (std::size_t i = 0; i < components; ++i) {
    end = name.find('/', end + (i > 0));
    if (end == std::string_view::npos) return {};
  }
  return name.substr(0, end);
}

// The work of a group, each op on its fastest device.
std::vector<double> work_of_groups(const Problem& problem) {
  std::vector<double> work(problem.group_count(), 0);
  for (std::size_t i = 0; i < problem.op_count(); ++i) {
    work[problem.group(OpId(i)).index()] += problem.fastest_seconds(OpId(i));
  }
  return work;
}

struct Arc {
  std::uint32_t to;
  double bytes;
};

// One level of heavy-edge matching (Karypis and Kumar 1998): every block, lightest first, joins the
// free neighbour with the most bytes exchanged per work of the two. Light blocks go first, so that
// blocks grow evenly.
std::vector<std::uint32_t> match(const std::vector<std::vector<Arc>>& arcs,
                                 const std::vector<double>& work, double most_work) {
  const std::size_t count = arcs.size();
  std::vector<std::uint32_t> order(count), mate(count, Family::kNone);
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return work[a] < work[b]; });
  for (const std::uint32_t block : order) {
    if (mate[block] != Family::kNone) continue;
    double best = 0;
    std::uint32_t chosen = block;
    for (const Arc& arc : arcs[block]) {
      if (mate[arc.to] != Family::kNone || arc.to == block) continue;
      const double together = work[block] + work[arc.to];
      if (together > most_work) continue;
      // Finite for blocks without work, and above 0 for tensors without bytes.
      const double score = (arc.bytes + 1) / (together + most_work * 1e-3);
      if (score > best) {
        best = score;
        chosen = arc.to;
      }
    }
    mate[block] = chosen;
    mate[chosen] = block;
  }
  return mate;
}

void add_matchings(const Problem& problem, const GroupGraph& graph, std::vector<Family>& families) {
  const std::size_t groups = problem.group_count();
  std::vector<double> work = work_of_groups(problem);
  const double total = std::accumulate(work.begin(), work.end(), 0.0);
  // At most half of a device's share of the work: moving a larger block tends to unbalance the
  // plan.
  const double most_work = total / static_cast<double>(2 * problem.device_count());
  std::vector<std::vector<Arc>> arcs(groups);
  for (std::size_t group = 0; group < groups; ++group) {
    for (const GroupEdge& edge : graph.neighbours(GroupId(group))) {
      arcs[group].push_back({number(edge.group.index()), edge.bytes});
    }
  }
  std::vector<std::uint32_t> block_of(groups);
  std::iota(block_of.begin(), block_of.end(), 0u);
  while (arcs.size() > kCoarsest) {
    const std::vector<std::uint32_t> mate = match(arcs, work, most_work);
    std::vector<std::uint32_t> renumbered(arcs.size(), Family::kNone);
    std::uint32_t count = 0;
    for (std::uint32_t block = 0; block < arcs.size(); ++block) {
      if (renumbered[block] != Family::kNone) continue;
      renumbered[block] = renumbered[mate[block]] = count++;
    }
    // Most blocks have reached the limit of work or have no free neighbour.
    if (count > kWorthwhile * static_cast<double>(arcs.size())) return;
    std::vector<std::vector<Arc>> joined(count);
    std::vector<double> joined_work(count, 0);
    for (std::uint32_t block = 0; block < arcs.size(); ++block) {
      joined_work[renumbered[block]] += work[block];
      for (const Arc& arc : arcs[block]) {
        if (renumbered[arc.to] == renumbered[block]) continue;
        joined[renumbered[block]].push_back({renumbered[arc.to], arc.bytes});
      }
    }
    for (std::vector<Arc>& row : joined) {
      std::stable_sort(row.begin(), row.end(),
                       [](const Arc& a, const Arc& b) { return a.to < b.to; });
      std::size_t kept = 0;
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (kept > 0 && row[kept - 1].to == row[i].to) {
          row[kept - 1].bytes += row[i].bytes;
        } else {
          row[kept++] = row[i];
        }
      }
      row.resize(kept);
    }
    for (std::uint32_t& block : block_of) block = renumbered[block];
    arcs = std::move(joined);
    work = std::move(joined_work);
    families.push_back(family_of(block_of, count));
  }
}

}  // namespace

std::vector<Family> make_families(const Problem& problem, const GroupGraph& graph) {
  const Graph& ops = problem.graph();
  std::vector<Family> families;
  std::vector<std::uint32_t> alone(problem.group_count());
  std::iota(alone.begin(), alone.end(), 0u);
  families.push_back(family_of(std::move(alone), problem.group_count()));
  add_matchings(problem, graph, families);

  std::vector<Family> named;
  named.push_back(by_label(problem, [&](OpId op) {
    return ops.layer(op) == Graph::kNone ? std::string_view() : ops.layer_names()[ops.layer(op)];
  }));
  for (std::size_t depth = 1; depth <= kDeepestPath; ++depth) {
    named.push_back(
        by_label(problem, [&](OpId op) { return leading_path(ops.op_name(op), depth); }));
  }
  // A family of all groups alone is there already; none and one block give nothing to move.
  std::vector<std::size_t> sizes = {problem.group_count(), 0, 1};
  for (Family& family : named) {
    const std::size_t size = family.blocks.size();
    if (std::find(sizes.begin(), sizes.end(), size) != sizes.end()) continue;
    sizes.push_back(size);
    families.push_back(std::move(family));
  }
  return families;
}

}  // namespace berth::place
