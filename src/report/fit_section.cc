// The first part of the summary: does it fit, and what fills the fullest device.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "base/quantity.h"
#include "report/remedies.h"
#include "report/summary.h"
#include "report/table.h"

namespace berth::report {
namespace {

constexpr std::size_t kMostDevices = 16;
constexpr std::size_t kMostAlive = 5;
constexpr std::size_t kBarWidth = 10;

// Every device, or of a large cluster the fullest, in order of number.
std::vector<DeviceId> devices_to_show(const Analysis& analysis) {
  std::vector<DeviceId> devices;
  for (std::size_t d = 0; d < analysis.problem->device_count(); ++d) devices.emplace_back(d);
  if (devices.size() <= kMostDevices) return devices;
  const auto fullness = [&](DeviceId device) {
    return memory_fraction(analysis.timeline.memory[device.index()].peak_bytes,
                           analysis.problem->usable_bytes(device));
  };
  std::stable_sort(devices.begin(), devices.end(),
                   [&](DeviceId a, DeviceId b) { return fullness(a) > fullness(b); });
  devices.resize(kMostDevices);
  std::sort(devices.begin(), devices.end());
  return devices;
}

std::string share_text(std::int64_t peak_bytes, std::int64_t usable_bytes, Ink ink) {
  if (usable_bytes == kUnlimitedBytes) return "";
  if (peak_bytes <= usable_bytes) return format_percent(memory_fraction(peak_bytes, usable_bytes));
  return ink.bad(fmt::format("{} over", format_bytes(peak_bytes - usable_bytes)));
}

std::string memory_table(const Analysis& analysis, Ink ink) {
  using Align = Table::Align;
  Table table({{"device"},
               {"parameters", Align::right},
               {"outputs", Align::right},
               {"copies", Align::right},
               {"peak", Align::right},
               {"usable", Align::right},
               {"", Align::left, Table::Room::optional},
               {"", Align::right}},
              ink);
  const std::vector<DeviceId> devices = devices_to_show(analysis);
  for (const DeviceId device : devices) {
    const Timeline::DeviceMemory& memory = analysis.timeline.memory[device.index()];
    const std::int64_t usable = analysis.problem->usable_bytes(device);
    const double full = memory_fraction(memory.peak_bytes, usable);
    const bool limited = usable != kUnlimitedBytes;
    const std::string bar = text_bar(full, kBarWidth);
    table.add_row({plain_name(analysis.cluster().device(device).name, 24),
                   format_bytes(memory.param_bytes), format_bytes(memory.peak_output_bytes),
                   format_bytes(memory.peak_copy_bytes), format_bytes(memory.peak_bytes),
                   limited ? format_bytes(usable) : "unlimited",
                   limited ? (full > 1 ? ink.bad(bar) : ink.dim(bar)) : "",
                   share_text(memory.peak_bytes, usable, ink)});
  }
  std::string out = table.to_text(2);
  const std::size_t hidden = analysis.problem->device_count() - devices.size();
  if (hidden > 0)
    out += fmt::format("  and {} that are less full\n", format_number_of(hidden, "device"));
  return out;
}

std::string alive_list(const Analysis& analysis, Ink ink) {
  const DeviceId device = analysis.fullest_device();
  const Timeline::DeviceMemory& memory = analysis.timeline.memory[device.index()];
  if (memory.alive.empty()) return "";
  std::string out = ink.dim(fmt::format("  alive at the peak of {}, {} into the step:",
                                        plain_name(analysis.cluster().device(device).name, 24),
                                        format_seconds(memory.peak_seconds))) +
                    "\n";
  const std::size_t shown = std::min(kMostAlive, memory.alive.size());
  Table table({{"", Table::Align::right}, {""}}, ink);
  for (std::size_t i = 0; i < shown; ++i) {
    table.add_row(
        {format_bytes(memory.alive[i].bytes), alive_name(analysis.graph(), memory.alive[i], 70)});
  }
  if (shown < memory.alive.size()) {
    const std::int64_t rest = std::accumulate(
        memory.alive.begin() + static_cast<std::ptrdiff_t>(shown), memory.alive.end(),
        std::int64_t{0},
        [](std::int64_t sum, const Timeline::Alive& alive) { return sum + alive.bytes; });
    table.add_row(
        {format_bytes(rest), fmt::format("in {} more", format_count(memory.alive.size() - shown))});
  }
  return out + table.to_text(4);
}

std::string headline(const Analysis& analysis, Ink ink) {
  const Outcome& outcome = analysis.outcome();
  if (!outcome.feasible) {
    const std::string proof = infeasibility_proof(analysis);
    return ink.bad(ink.bold("Does not fit")) +
           fmt::format(": {} over memory in total.\n", format_bytes(outcome.over_bytes)) +
           (proof.empty() ? "" : wrap_text(proof, kPageColumns, 0));
  }
  const DeviceId fullest = analysis.fullest_device();
  const std::int64_t usable = analysis.problem->usable_bytes(fullest);
  std::string out = ink.good(ink.bold("Fits"));
  if (usable == kUnlimitedBytes) return out + ": no device has a memory limit.\n";
  const std::int64_t peak = outcome.peak_bytes[fullest.index()];
  return out + fmt::format(": the fullest device, {}, has {} left.\n",
                           plain_name(analysis.cluster().device(fullest).name, 32),
                           format_bytes(usable - peak));
}

// The question whether it fits is mostly about the accelerators.
std::string host_line(const Analysis& analysis, const std::string& without_flag) {
  const auto devices = analysis.cluster().devices();
  std::vector<std::string> hosts;
  std::int64_t held = 0;
  std::int64_t total = 0;
  for (std::size_t d = 0; d < devices.size(); ++d) {
    const std::int64_t bytes = analysis.timeline.memory[d].param_bytes;
    total += bytes;
    if (devices[d].kind != "cpu" || bytes == 0) continue;
    held += bytes;
    hosts.push_back(plain_name(devices[d].name, 24));
  }
  const bool all_hosts =
      std::ranges::all_of(devices, [](const Device& device) { return device.kind == "cpu"; });
  constexpr double kWorthTelling = 0.01;
  if (all_hosts || static_cast<double>(held) <= kWorthTelling * static_cast<double>(total))
    return "";
  std::string line =
      fmt::format("{} of the parameters are on {}", format_bytes(held), join_names(hosts, 3));
  if (!without_flag.empty()) {
    line += fmt::format("; {} {} leaves it out", without_flag, hosts.front());
  }
  return wrap_text(line + ".", kPageColumns, 0);
}

}  // namespace

std::string alive_name(const Graph& graph, const Timeline::Alive& alive, std::size_t most_columns) {
  switch (alive.what) {
    case Timeline::Alive::What::output:
      return plain_name(graph.tensor_name(alive.tensor), most_columns);
    case Timeline::Alive::What::copy:
      return plain_name(graph.tensor_name(alive.tensor), most_columns) + " (copy)";
    case Timeline::Alive::What::workspace:
      return plain_name(graph.op_name(alive.op), most_columns) + " (workspace)";
  }
  return "";
}

std::string fit_section(const Analysis& analysis, Ink ink, const std::string& without_flag) {
  std::string out = headline(analysis, ink) +
                    (analysis.outcome().feasible ? host_line(analysis, without_flag) : "") +
                    memory_table(analysis, ink) + alive_list(analysis, ink);
  if (analysis.outcome().feasible) return out;
  out += '\n' + ink.bold("What would help") + "\n";
  for (const std::string& remedy : remedies(analysis)) {
    out += list_item(remedy);
  }
  return out;
}

}  // namespace berth::report
