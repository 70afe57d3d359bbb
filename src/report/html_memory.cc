// How full every device's memory was when.
#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"
#include "report/html_text.h"
#include "report/html_timeline.h"
#include "report/text.h"
#include "report/time_strip.h"

namespace berth {
namespace {

constexpr int kHeight = 52;
constexpr int kLowHeight = 30;  // on the screen, where there are many devices
constexpr std::size_t kManyDevices = 8;
constexpr std::size_t kMostPoints = 800;
// Below this part of the limit the curve would be a flat line, so it gets a scale of its own.
constexpr double kOffScale = 0.15;

// The levels, or the highest of each of many equal pieces of the step: a peak is never lost.
std::vector<Timeline::Level> thinned(const std::vector<Timeline::Level>& levels,
                                     double step_seconds) {
  if (levels.size() <= kMostPoints || step_seconds <= 0) return levels;
  std::vector<Timeline::Level> out;
  const double piece = step_seconds / static_cast<double>(kMostPoints);
  std::size_t at = 0;
  std::int64_t current = 0;
  for (std::size_t i = 0; i < kMostPoints; ++i) {
    const double end = piece * static_cast<double>(i + 1);
    std::int64_t highest = current;
    // What is held as a piece begins counts for it, unless it changes at once.
    if (at < levels.size() && levels[at].seconds <= piece * static_cast<double>(i)) highest = 0;
    while (at < levels.size() && (levels[at].seconds < end || i + 1 == kMostPoints)) {
      current = levels[at++].bytes;
      highest = std::max(highest, current);
    }
    out.push_back({piece * static_cast<double>(i), highest});
  }
  return out;
}

std::string area(const Timeline::DeviceMemory& memory, double step_seconds, double top_bytes) {
  const auto y = [&](std::int64_t bytes) {
    return short_number(kHeight * (1 - static_cast<double>(bytes) / top_bytes));
  };
  std::string path = fmt::format("M0 {}", kHeight);
  for (const Timeline::Level& level : thinned(memory.levels, step_seconds)) {
    path += fmt::format("H{}V{}", short_number(level.seconds / step_seconds * kStripUnits),
                        y(level.bytes));
  }
  return path + fmt::format("H{}V{}Z", kStripUnits, kHeight);
}

std::string device_row(const Analysis& analysis, DeviceId device, int shown_height) {
  const Timeline::DeviceMemory& memory = analysis.timeline.memory[device.index()];
  const std::int64_t usable = analysis.problem->usable_bytes(device);
  const double step = analysis.outcome().step_seconds;
  const double full = memory_fraction(memory.peak_bytes, usable);
  const bool limit_shown = usable != kUnlimitedBytes && full >= kOffScale;
  const double highest =
      static_cast<double>(limit_shown ? std::max(usable, memory.peak_bytes) : memory.peak_bytes);
  const double top = std::max(1.0, highest * 1.08);
  std::string svg = fmt::format(
      "<svg class=\"t m\" viewBox=\"0 0 1000 {}\" preserveAspectRatio=\"none\" "
      "style=\"height:{}px\">",
      kHeight, shown_height);
  if (step > 0) {
    svg += fmt::format("<path class=\"memory{}\" d=\"{}\"/>", memory.over_bytes > 0 ? " over" : "",
                       area(memory, step, top));
  }
  const double parameters = kHeight * (1 - static_cast<double>(memory.param_bytes) / top);
  svg += fmt::format("<path class=\"parameters\" d=\"M0 {}H1000\"/>", short_number(parameters));
  if (limit_shown) {
    svg += fmt::format("<path class=\"limit\" d=\"M0 {}H1000\"/>",
                       short_number(kHeight * (1 - static_cast<double>(usable) / top)));
  }
  svg += "</svg>";
  std::string note = fmt::format("{} of {}", format_bytes(memory.peak_bytes), format_bytes(usable));
  if (usable == kUnlimitedBytes) note = format_bytes(memory.peak_bytes) + ", no limit";
  return fmt::format(
      "<div class=\"row tall\"><div class=\"name\"><b>{}</b><span{}>{}</span></div>{}</div>\n",
      html_escaped(analysis.cluster().device(device).name, 24),
      memory.over_bytes > 0 ? " class=\"bad\"" : "", note, svg);
}

}  // namespace

std::string html_memory(const Analysis& analysis) {
  std::string out = "<div class=\"chart\">\n";
  const std::vector<DeviceId> devices = charted_devices(analysis);
  const int height = devices.size() > kManyDevices ? kLowHeight : kHeight;
  for (const DeviceId device : devices) out += device_row(analysis, device, height);
  return out + "</div>\n";
}

}  // namespace berth
