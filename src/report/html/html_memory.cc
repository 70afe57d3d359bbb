// How full every device's memory was when.
#include <fmt/format.h>

#include <algorithm>

#include "base/quantity.h"
#include "report/html/html_text.h"
#include "report/html/html_timeline.h"

namespace berth::report {
namespace {

constexpr int kHeight = 52;
constexpr int kLowHeight = 30;  // where there are many devices
constexpr std::size_t kManyDevices = 8;
// Below this part of the limit the curve would be a flat line, so it gets a scale of its own.
constexpr double kOffScale = 0.15;

std::string device_row(const Analysis& analysis, DeviceId device, std::size_t position,
                       int height) {
  const Timeline::DeviceMemory& memory = analysis.timeline.memory[device.index()];
  const std::int64_t usable = analysis.problem->usable_bytes(device);
  std::string note = fmt::format("{} of {}", format_bytes(memory.peak_bytes), format_bytes(usable));
  if (usable == kUnlimitedBytes) note = format_bytes(memory.peak_bytes) + ", no limit";
  return fmt::format(
      "<div class=\"row tall\"><div class=\"name\"><b>{}</b><span{}>{}</span></div>"
      "<canvas data-memory=\"{}\" style=\"height:{}px\"></canvas></div>\n",
      html_name(analysis.cluster().device(device).name, 24),
      memory.over_bytes > 0 ? " class=\"bad\"" : "", note, position, height);
}

}  // namespace

ChartScale memory_scale(const Analysis& analysis, DeviceId device) {
  const std::int64_t peak = analysis.timeline.memory[device.index()].peak_bytes;
  ChartScale scale;
  scale.usable_bytes = analysis.problem->usable_bytes(device);
  scale.limit_shown = scale.usable_bytes != kUnlimitedBytes &&
                      memory_fraction(peak, scale.usable_bytes) >= kOffScale;
  const std::int64_t highest = scale.limit_shown ? std::max(scale.usable_bytes, peak) : peak;
  scale.top_bytes = std::max(1.0, static_cast<double>(highest) * 1.08);
  return scale;
}

std::string html_memory(const Analysis& analysis) {
  std::string out = "<div class=\"chart\">\n";
  const std::vector<DeviceId> devices = charted_devices(analysis);
  const int height = devices.size() > kManyDevices ? kLowHeight : kHeight;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    out += device_row(analysis, devices[i], i, height);
  }
  return out + "</div>\n";
}

}  // namespace berth::report
