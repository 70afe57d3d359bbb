#include "report/topology.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "base/error.h"
#include "base/quantity.h"
#include "report/route_matrix.h"
#include "report/text_layout.h"

namespace berth::report {
namespace {

// Up to this many consecutive devices under one switch that are equal except for their names are
// drawn one by one; fewer of those that were described already.
constexpr std::size_t kMostAlike = 8;
constexpr std::size_t kMostAlikeAgain = 2;
constexpr std::size_t kMostMatrixDevices = 16;
constexpr std::size_t kMostListLines = 12;
constexpr std::size_t kMostRates = 24;
constexpr std::size_t kMostDepth = 8;
constexpr std::size_t kMostLines = 2000;  // of the tree: hosts repeat

struct Line {
  std::string tree;  // branches and name
  std::string what;  // model or kind; empty for switches and what is described above
  std::string memory;
  std::string rate;
  std::string latency;
  std::string note;
};

class Drawing {
 public:
  explicit Drawing(const Cluster& cluster)
      : cluster_(cluster),
        links_of_(cluster.vertex_count()),
        parent_link_(cluster.vertex_count()),
        placed_(cluster.vertex_count(), false),
        drawn_(cluster.vertex_count(), false),
        link_drawn_(cluster.links().size(), false) {
    for (std::uint32_t i = 0; i < cluster.links().size(); ++i) {
      links_of_[cluster.links()[i].from].push_back(i);
      links_of_[cluster.links()[i].to].push_back(i);
    }
  }

  std::string draw() {
    text_ = fmt::format("{}: {}, {}, {}\n",
                        cluster_.name().empty() ? "cluster" : plain_text(cluster_.name()),
                        counted(cluster_.device_count(), "device", "devices"),
                        counted(cluster_.switches().size(), "switch", "switches"),
                        counted(cluster_.links().size(), "link", "links"));
    for (const std::uint32_t root : roots_in_order()) {
      if (placed_[root]) continue;
      place_tree(root);
      drawn_[root] = true;
      lines_.emplace_back();
      lines_.emplace_back().tree = plain_text(cluster_.vertex_name(root));
      draw_below(root, "");
    }
    list_other_devices();
    append_lines();
    append_direct_links();
    if (cluster_.device_count() > 1 && cluster_.device_count() <= kMostMatrixDevices) {
      text_ += '\n';
      text_ += route_matrix(cluster_);
    }
    return text_;
  }

 private:
  bool is_switch(std::uint32_t vertex) const { return vertex >= cluster_.device_count(); }
  const Link& link(std::uint32_t index) const { return cluster_.links()[index]; }
  std::uint32_t other_end(std::uint32_t index, std::uint32_t vertex) const {
    return link(index).from == vertex ? link(index).to : link(index).from;
  }

  // Switches with the most neighbours first: the tops of trees.
  std::vector<std::uint32_t> roots_in_order() const {
    std::vector<std::size_t> neighbours(cluster_.vertex_count(), 0);
    for (const Link& each : cluster_.links()) {
      if (!is_switch(each.from) || !is_switch(each.to)) continue;
      ++neighbours[each.from];
      ++neighbours[each.to];
    }
    std::vector<std::uint32_t> roots;
    for (std::size_t i = cluster_.device_count(); i < cluster_.vertex_count(); ++i)
      roots.push_back(static_cast<std::uint32_t>(i));
    std::stable_sort(roots.begin(), roots.end(), [&](std::uint32_t a, std::uint32_t b) {
      return neighbours[a] > neighbours[b];
    });
    return roots;
  }

  // Decides which switch is drawn below which: breadth first, so that trees are flat. What is too
  // deep to draw becomes a tree of its own.
  void place_tree(std::uint32_t root) {
    placed_[root] = true;
    std::vector<std::uint32_t> level = {root};
    for (std::size_t depth = 0; depth < kMostDepth && !level.empty(); ++depth) {
      std::vector<std::uint32_t> next;
      for (const std::uint32_t vertex : level) {
        for (const std::uint32_t index : links_of_[vertex]) {
          const std::uint32_t child = other_end(index, vertex);
          if (!is_switch(child) || placed_[child]) continue;
          placed_[child] = true;
          parent_link_[child] = index;
          next.push_back(child);
        }
      }
      level = std::move(next);
    }
  }

  void describe(Line& line, std::uint32_t vertex) const {
    if (is_switch(vertex)) return;
    const Device& device = cluster_.devices()[vertex];
    line.what = plain_text(device.model.empty() ? device.kind : device.model);
    line.memory = device.memory_bytes == kUnlimitedBytes ? "" : format_bytes(device.memory_bytes);
  }

  // Whether two devices differ in name alone, as far as is drawn of them.
  bool devices_alike(std::uint32_t a, std::uint32_t b) const {
    const Device& one = cluster_.devices()[a];
    const Device& other = cluster_.devices()[b];
    return a != b && drawn_[a] == drawn_[b] && one.kind == other.kind && one.model == other.model &&
           one.memory_bytes == other.memory_bytes;
  }
  bool links_alike(std::uint32_t a, std::uint32_t b) const {
    return link(a).bandwidth == link(b).bandwidth &&
           link(a).latency_seconds == link(b).latency_seconds && link(a).duplex == link(b).duplex;
  }
  std::size_t most_alike(std::uint32_t vertex) const {
    return drawn_[vertex] ? kMostAlikeAgain : kMostAlike;
  }
  // "gpu:0", or "host0/gpu:0 .. gpu:7 (8)": what comes before the last slash is said once.
  std::string names(std::uint32_t first, std::uint32_t last, std::size_t count) const {
    const std::string& name = cluster_.vertex_name(first);
    if (count == 1) return plain_text(name);
    std::string_view last_name = cluster_.vertex_name(last);
    const std::size_t prefix = name.rfind('/') + 1;  // 0 when there is none
    if (last_name.substr(0, prefix) == std::string_view(name).substr(0, prefix) &&
        last_name.size() > prefix)
      last_name.remove_prefix(prefix);
    return fmt::format("{} .. {} ({})", plain_text(name), plain_text(last_name),
                       format_count(count));
  }

  // Whether the link carries a switch that is drawn below this end of it; other links between
  // switches close loops, and the switch is only named.
  bool carries_subtree(std::uint32_t index, std::uint32_t child) const {
    return is_switch(child) && !drawn_[child] && parent_link_[child] == index;
  }

  // Draws everything below a switch: devices, loops and last the subtrees, so that they do not
  // split the list.
  void draw_below(std::uint32_t vertex, const std::string& indent) {
    std::vector<std::uint32_t> down;
    const auto rank = [&](std::uint32_t index) {
      const std::uint32_t child = other_end(index, vertex);
      return is_switch(child) ? (carries_subtree(index, child) ? 2 : 1) : 0;
    };
    for (const int wanted : {0, 1, 2})
      for (const std::uint32_t index : links_of_[vertex])
        if (!link_drawn_[index] && rank(index) == wanted) down.push_back(index);
    for (std::size_t i = 0; i < down.size();) {
      const std::uint32_t child = other_end(down[i], vertex);
      std::size_t end = i + 1;
      while (!is_switch(child) && end < down.size() && !is_switch(other_end(down[end], vertex)) &&
             links_alike(down[i], down[end]) && devices_alike(child, other_end(down[end], vertex)))
        ++end;
      if (end - i <= most_alike(child)) end = i + 1;
      draw_branch(vertex, {down.data() + i, end - i}, indent, end == down.size());
      i = end;
    }
  }

  void draw_branch(std::uint32_t vertex, std::span<const std::uint32_t> links,
                   const std::string& indent, bool last) {
    const std::uint32_t child = other_end(links.front(), vertex);
    const bool subtree = carries_subtree(links.front(), child);
    Line line;
    line.tree = fmt::format("{}{}{}", indent, last ? "└─ " : "├─ ",
                            names(child, other_end(links.back(), vertex), links.size()));
    if (!drawn_[child]) describe(line, child);
    line.rate = format_rate(link(links.front()).bandwidth);
    line.latency = format_seconds(link(links.front()).latency_seconds);
    if (is_switch(child) && !subtree) line.note = drawn_[child] ? "(above)" : "(below)";
    if (!link(links.front()).duplex) line.note += line.note.empty() ? "shared" : " shared";
    lines_.push_back(std::move(line));
    for (const std::uint32_t index : links) {
      link_drawn_[index] = true;
      if (!is_switch(child)) drawn_[other_end(index, vertex)] = true;
    }
    if (!subtree) return;
    drawn_[child] = true;
    draw_below(child, indent + (last ? "   " : "│  "));
  }

  // Those under no switch.
  void list_other_devices() {
    std::vector<std::uint32_t> others;
    for (std::uint32_t vertex = 0; vertex < cluster_.device_count(); ++vertex)
      if (!drawn_[vertex]) others.push_back(vertex);
    if (!others.empty()) lines_.emplace_back();
    for (std::size_t i = 0; i < others.size();) {
      const bool lonely = links_of_[others[i]].empty();
      std::size_t end = i + 1;
      while (end < others.size() && devices_alike(others[i], others[end]) &&
             links_of_[others[end]].empty() == lonely)
        ++end;
      if (end - i <= kMostAlike) end = i + 1;
      Line line;
      line.tree = names(others[i], others[end - 1], end - i);
      describe(line, others[i]);
      if (lonely) line.note = "no links";
      lines_.push_back(std::move(line));
      i = end;
    }
  }

  void append_lines() {
    TextTable table({TextTable::left, TextTable::left, TextTable::right, TextTable::right,
                     TextTable::right, TextTable::left});
    const std::size_t shown = std::min(lines_.size(), kMostLines);
    for (const Line& line : std::span(lines_).first(shown))
      table.add({line.tree, line.what, line.memory, line.rate, line.latency, line.note});
    text_ += table.text();
    if (shown < lines_.size())
      text_ += fmt::format("and {} more lines\n", format_count(lines_.size() - shown));
  }

  // Links from device to device make no tree: pairs of one rate are listed together.
  void append_direct_links() {
    std::vector<std::uint32_t> direct;
    for (std::uint32_t i = 0; i < cluster_.links().size(); ++i)
      if (!is_switch(link(i).from) && !is_switch(link(i).to)) direct.push_back(i);
    if (direct.empty()) return;
    std::stable_sort(direct.begin(), direct.end(), [&](std::uint32_t a, std::uint32_t b) {
      const auto key = [&](std::uint32_t i) {
        return std::tuple(-link(i).bandwidth, link(i).latency_seconds, !link(i).duplex);
      };
      return key(a) < key(b);
    });
    text_ += "\ndirect links\n";
    std::size_t rates = 0;
    for (std::size_t i = 0; i < direct.size();) {
      if (++rates > kMostRates) {
        text_ += fmt::format("  and {} more\n", format_count(direct.size() - i));
        return;
      }
      const std::uint32_t first = direct[i];
      std::vector<std::string> pairs;
      for (; i < direct.size() && links_alike(direct[i], first); ++i) {
        pairs.push_back(fmt::format("{} - {}",
                                    plain_text(cluster_.vertex_name(link(direct[i]).from)),
                                    plain_text(cluster_.vertex_name(link(direct[i]).to))));
      }
      const std::string heading = fmt::format(
          "  {:>9}  {:>7}  {}", format_rate(link(first).bandwidth),
          format_seconds(link(first).latency_seconds), link(first).duplex ? "" : "shared  ");
      text_ += wrapped_list(heading, pairs, kMostListLines);
    }
  }

  const Cluster& cluster_;
  std::vector<std::vector<std::uint32_t>> links_of_;       // by vertex
  std::vector<std::optional<std::uint32_t>> parent_link_;  // of switches below others
  std::vector<bool> placed_;                               // switches whose tree is decided
  std::vector<bool> drawn_;                                // by vertex
  std::vector<bool> link_drawn_;
  std::vector<Line> lines_;
  std::string text_;
};

}  // namespace

std::string draw_topology(const Cluster& cluster) { return Drawing(cluster).draw(); }

}  // namespace berth::report
