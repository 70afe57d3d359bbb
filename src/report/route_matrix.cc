#include "report/route_matrix.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/text_layout.h"

namespace berth::report {
namespace {

struct Scale {
  double factor;
  std::string_view unit;
};
constexpr Scale kScales[] = {{1e9, "GB/s"}, {1e6, "MB/s"}, {1e3, "kB/s"}, {1, "B/s"}};

// The largest unit in which the widest route is at least 1.
Scale choose_scale(const Cluster& cluster) {
  double widest = 0;
  for (std::size_t from = 0; from < cluster.device_count(); ++from)
    for (std::size_t to = 0; to < cluster.device_count(); ++to)
      widest = std::max(widest, cluster.route(DeviceId(from), DeviceId(to)).bandwidth);
  for (const Scale& scale : kScales)
    if (widest >= scale.factor) return scale;
  return kScales[0];
}

std::string cell(const Cluster& cluster, std::size_t from, std::size_t to, double factor,
                 bool whole_numbers) {
  if (from == to) return "·";
  const Route route = cluster.route(DeviceId(from), DeviceId(to));
  if (!route.exists()) return "-";
  const double value = route.bandwidth / factor;
  if (whole_numbers) return value < 1 ? "<1" : fmt::format("{:.0f}", value);
  return fmt::format("{:.{}f}", value, value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2);
}

std::string table_text(const Cluster& cluster, double factor, bool whole_numbers) {
  const std::size_t count = cluster.device_count();
  std::vector<TextTable::Side> sides(count + 2, TextTable::right);
  sides[1] = TextTable::left;
  TextTable table(sides);
  std::vector<std::string> heading = {"", ""};
  for (std::size_t to = 0; to < count; ++to) heading.push_back(fmt::format("{}", to));
  table.add(heading);
  for (std::size_t from = 0; from < count; ++from) {
    std::vector<std::string> row = {fmt::format("{}", from),
                                    plain_text(cluster.devices()[from].name)};
    for (std::size_t to = 0; to < count; ++to)
      row.push_back(cell(cluster, from, to, factor, whole_numbers));
    table.add(row);
  }
  return table.text();
}

}  // namespace

std::string route_matrix(const Cluster& cluster) {
  const Scale scale = choose_scale(cluster);
  std::string table = table_text(cluster, scale.factor, false);
  if (text_width(table.substr(0, table.find('\n'))) > kTerminalColumns)
    table = table_text(cluster, scale.factor, true);
  return fmt::format("bandwidth of the route between any two devices, {}\n{}", scale.unit, table);
}

}  // namespace berth::report
