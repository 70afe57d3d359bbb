// What every device and channel did when.
#include <fmt/format.h>

#include <algorithm>

#include "base/quantity.h"
#include "report/html/html_text.h"
#include "report/html/html_timeline.h"
#include "report/lanes.h"
#include "report/text.h"

namespace berth::report {
namespace {

constexpr std::size_t kMostDevices = 48;
constexpr std::size_t kMostChannels = 16;
constexpr int kRowHeight = 22;
constexpr int kLaneHeight = 14;
constexpr int kChannelHeight = 12;

std::string row(std::string_view label, std::string_view note, std::string_view what, int height) {
  return fmt::format(
      "<div class=\"row\"><div class=\"name\"><b>{}</b><span>{}</span></div>"
      "<canvas {} style=\"height:{}px\"></canvas></div>\n",
      label, note, what, height);
}

std::string busy_note(const Analysis& analysis, DeviceId device) {
  const double step = analysis.outcome().step_seconds;
  const double slots = static_cast<double>(analysis.cluster().device(device).slots);
  const double busy = analysis.outcome().busy_seconds[device.index()];
  return step > 0 ? format_percent(busy / (step * slots)) : "";
}

std::string device_rows(const Analysis& analysis) {
  const Lanes lanes = assign_lanes(analysis.timeline, analysis.problem->device_count());
  std::string out;
  for (const DeviceId device : charted_devices(analysis)) {
    const std::uint32_t count = lanes.count[device.index()];
    for (std::uint32_t lane = 0; lane < count; ++lane) {
      out += row(lane == 0 ? html_name(analysis.cluster().device(device).name, 24) : "",
                 lane == 0 ? busy_note(analysis, device) : "",
                 fmt::format("data-device=\"{}\" data-lane=\"{}\"", device.index(), lane),
                 count > 1 ? kLaneHeight : kRowHeight);
    }
  }
  return out;
}

std::string channel_rows(const Analysis& analysis) {
  const double step = analysis.outcome().step_seconds;
  std::vector<std::size_t> shown(analysis.channels.size());
  for (std::size_t i = 0; i < shown.size(); ++i) shown[i] = i;
  std::stable_sort(shown.begin(), shown.end(), [&](std::size_t a, std::size_t b) {
    return analysis.channels[a].busy_seconds > analysis.channels[b].busy_seconds;
  });
  const std::size_t hidden = shown.size() > kMostChannels ? shown.size() - kMostChannels : 0;
  shown.resize(shown.size() - hidden);
  if (shown.empty()) return "";
  std::string out = "<div class=\"gap\"></div>\n";
  for (const std::size_t position : shown) {
    const ChannelUsage& usage = analysis.channels[position];
    out += row(html_name(channel_name(analysis.cluster(), usage.channel), 52),
               step > 0 ? format_percent(usage.busy_seconds / step) : "",
               fmt::format("data-channel=\"{}\"", position), kChannelHeight);
  }
  if (hidden > 0) {
    out += fmt::format("<p class=\"note\">and {} that were busy for less time</p>\n",
                       format_number_of(hidden, "channel"));
  }
  return out;
}

}  // namespace

std::vector<DeviceId> charted_devices(const Analysis& analysis) {
  std::vector<char> used(analysis.problem->device_count(), 0);
  for (const DeviceId device : analysis.plan->placement) used[device.index()] = 1;
  std::vector<DeviceId> devices;
  for (std::size_t d = 0; d < used.size(); ++d) {
    if (used[d]) devices.emplace_back(d);
  }
  if (devices.size() <= kMostDevices) return devices;
  const std::vector<double>& busy = analysis.outcome().busy_seconds;
  std::stable_sort(devices.begin(), devices.end(),
                   [&](DeviceId a, DeviceId b) { return busy[a.index()] > busy[b.index()]; });
  devices.resize(kMostDevices);
  std::sort(devices.begin(), devices.end());
  return devices;
}

std::string html_gantt(const Analysis& analysis) {
  return "<div class=\"chart\">\n" + row("critical path", "", "data-path", kChannelHeight) +
         "<div class=\"gap\"></div>\n" + device_rows(analysis) + channel_rows(analysis) +
         "</div>\n";
}

}  // namespace berth::report
