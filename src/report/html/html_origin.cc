#include "report/html/html_origin.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/quantity.h"
#include "report/html/html_text.h"

namespace berth::report {
namespace {

constexpr std::size_t kMostNames = 16;  // of things with the same figures

// Rows whose figures are the same are one, in the order in which each is first met.
class GroupedRows {
 public:
  void add(const std::string& name, const std::string& cells) {
    const auto [at, is_new] = position_.emplace(cells, rows_.size());
    if (is_new) rows_.push_back({cells, {}});
    rows_[at->second].names.push_back(name);
  }
  std::string html() const {
    std::string out;
    for (const Row& row : rows_) {
      std::string names;
      const std::size_t shown = std::min(row.names.size(), kMostNames);
      for (std::size_t i = 0; i < shown; ++i) names += (i > 0 ? ", " : "") + row.names[i];
      if (shown < row.names.size()) {
        names += fmt::format(" and {} more", format_count(row.names.size() - shown));
      }
      out += fmt::format("<tr><td class=\"words\">{}</td>{}</tr>\n", names, row.cells);
    }
    return out;
  }
  bool empty() const { return rows_.empty(); }

 private:
  struct Row {
    std::string cells;
    std::vector<std::string> names;
  };
  std::map<std::string, std::size_t> position_;
  std::vector<Row> rows_;
};

std::string rates(const Device& device) {
  std::string out;
  for (const auto& [dtype, rate] : device.flops) {
    if (!out.empty()) out += ", ";
    if (dtype != DType::unknown) out += fmt::format("{} ", dtype_name(dtype));
    out += format_flops(rate);
  }
  return out.empty() ? "not given" : out;
}

std::string memory(const Device& device) {
  if (device.memory_bytes == kUnlimitedBytes) return "unlimited";
  if (device.reserved_bytes == 0) return format_bytes(device.memory_bytes);
  return fmt::format("{}, {} of it reserved", format_bytes(device.memory_bytes),
                     format_bytes(device.reserved_bytes));
}

std::string devices_table(const Cluster& cluster) {
  GroupedRows rows;
  for (const Device& device : cluster.devices()) {
    const std::string kind = device.model.empty() ? device.kind : device.model;
    rows.add(html_name(device.name, 24),
             fmt::format("<td>{}</td><td class=\"words\">{}</td><td class=\"words\">{}</td>"
                         "<td class=\"number\">{}</td><td class=\"number\">{}</td>"
                         "<td class=\"number\">{}</td>",
                         html_name(kind, 24), memory(device), rates(device),
                         std::isinf(device.bandwidth) ? "unlimited" : format_rate(device.bandwidth),
                         format_seconds(device.launch_seconds), device.slots));
  }
  return "<div class=\"scroll\"><table><tr><th>devices</th><th>model</th><th>memory</th>"
         "<th>peak rate</th><th class=\"number\">memory bandwidth</th>"
         "<th class=\"number\">launch</th><th class=\"number\">slots</th></tr>\n" +
         rows.html() + "</table></div>\n";
}

std::string links_table(const Cluster& cluster) {
  GroupedRows rows;
  for (const Link& link : cluster.links()) {
    rows.add(fmt::format("{} - {}", html_name(cluster.vertex_name(link.from), 24),
                         html_name(cluster.vertex_name(link.to), 24)),
             fmt::format("<td class=\"number\">{}</td><td class=\"number\">{}</td><td>{}</td>",
                         format_rate(link.bandwidth), format_seconds(link.latency_seconds),
                         link.duplex ? "each way" : "both ways together"));
  }
  if (rows.empty()) return "";
  return "<div class=\"scroll\"><table><tr><th>links</th><th class=\"number\">bandwidth</th>"
         "<th class=\"number\">latency</th><th></th></tr>\n" +
         rows.html() + "</table></div>\n";
}

}  // namespace

std::string origin_section(const Origin& origin, const Cluster* cluster) {
  std::string out = "<section>\n<h2>How this was made</h2>\n<dl class=\"origin\">";
  if (!origin.command.empty()) {
    out +=
        fmt::format("<dt>command</dt><dd><code>{}</code></dd>", html_escaped(origin.command, 4000));
  }
  if (!origin.date.empty()) {
    out += fmt::format("<dt>date</dt><dd>{}</dd>", html_escaped(origin.date));
  }
  out += "<dt>version</dt><dd>berth " BERTH_VERSION "</dd></dl>\n";
  if (cluster) out += devices_table(*cluster) + links_table(*cluster);
  return out + "</section>\n";
}

std::string html_head(std::string_view title, std::string_view styles) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n<main>\n",
      title, styles);
}

std::string html_tail(std::string_view scripts) {
  return fmt::format(
      "</main>\n<script>\n'use strict';\n(() => {{\n{}}})();\n</script>\n</body>\n</html>\n",
      scripts);
}

}  // namespace berth::report
