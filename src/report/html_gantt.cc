// What every device and channel did when.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/units.h"
#include "report/html_text.h"
#include "report/html_timeline.h"
#include "report/lanes.h"
#include "report/text.h"
#include "report/time_strip.h"

namespace berth {
namespace {

constexpr std::size_t kMostDevices = 48;
constexpr std::size_t kMostChannels = 16;
// A shape takes about 170 bytes of the page.
constexpr std::size_t kMostOpShapes = 4500;
constexpr std::size_t kMostTransferShapes = 2000;
constexpr int kRowHeight = 22;
constexpr int kLaneHeight = 14;
constexpr int kChannelHeight = 12;

constexpr std::array<const char*, 2> kOpColors = {"heavy", "light"};
constexpr std::array<const char*, 1> kTransferColors = {"transfer"};
constexpr std::array<const char*, 4> kPathColors = {"heavy", "transfer", "channel", "idle"};

struct Lane {
  DeviceId device;
  std::uint32_t number = 0;
};

std::string when(double begin_seconds, double end_seconds) {
  return fmt::format("{}, from {}", format_seconds(end_seconds - begin_seconds),
                     format_seconds(begin_seconds));
}

std::string row(std::string_view label, std::string_view note, std::string_view content) {
  return fmt::format(
      "<div class=\"row\"><div class=\"name\"><b>{}</b><span>{}</span></div>{}</div>\n", label,
      note, content);
}

class Gantt {
 public:
  explicit Gantt(const Analysis& analysis)
      : analysis_(analysis),
        graph_(analysis.graph()),
        step_(analysis.outcome().step_seconds),
        lanes_(assign_lanes(analysis.timeline, analysis.problem->device_count())),
        critical_op_(graph_.op_count(), 0),
        critical_tensor_(graph_.tensor_count(), 0) {
    for (const CriticalStep& step : analysis.critical_path.steps) {
      if (step.kind == CriticalStep::Kind::compute) critical_op_[step.op.index()] = 1;
      if (step.kind == CriticalStep::Kind::transfer) critical_tensor_[step.tensor.index()] = 1;
    }
  }

  std::string draw() const {
    std::string out = "<div class=\"chart\">\n" + critical_row() + device_rows() + channel_rows();
    return out + "</div>\n";
  }

 private:
  std::string critical_row() const {
    Strip strip;
    const auto& steps = analysis_.critical_path.steps;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      strip.spans.push_back({steps[i].begin_seconds, steps[i].end_seconds,
                             static_cast<std::uint8_t>(steps[i].kind), true,
                             static_cast<std::uint32_t>(i)});
    }
    const std::string svg = strip_svg(strip, step_, 0.5, kChannelHeight, kPathColors,
                                      [&](const StripSpan& span) { return path_hint(span); });
    return row("critical path", "", svg) + "<div class=\"gap\"></div>\n";
  }

  std::string path_hint(const StripSpan& span) const {
    const CriticalStep& step = analysis_.critical_path.steps[span.source];
    const std::string name = step.tensor.valid() ? graph_.tensor_name(step.tensor)
                                                 : std::string(graph_.op_name(step.op));
    return fmt::format("{}: {} ({}) on {}", critical_kind_name(step.kind), html_escaped(name, 50),
                       when(span.begin_seconds, span.end_seconds), device_name(step.device));
  }

  std::string device_name(DeviceId device) const {
    return html_escaped(analysis_.cluster().device(device).name, 24);
  }

  std::string device_rows() const {
    std::vector<Lane> lanes;
    std::vector<std::vector<std::size_t>> first(analysis_.problem->device_count());
    for (const DeviceId device : charted_devices(analysis_)) {
      for (std::uint32_t lane = 0; lane < lanes_.count[device.index()]; ++lane) {
        first[device.index()].push_back(lanes.size());
        lanes.push_back({device, lane});
      }
    }
    std::vector<Strip> strips(lanes.size());
    for (std::size_t i = 0; i < analysis_.timeline.ops.size(); ++i) {
      const auto& rows = first[analysis_.timeline.ops[i].device.index()];
      if (!rows.empty()) strips[rows[lanes_.lane[i]]].spans.push_back(op_span(i));
    }
    const double threshold = choose_threshold(strips, step_, kMostOpShapes);
    std::string out;
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      const DeviceId device = lanes[i].device;
      const bool several = lanes_.count[device.index()] > 1;
      const std::string svg =
          strip_svg(strips[i], step_, threshold, several ? kLaneHeight : kRowHeight, kOpColors,
                    [&](const StripSpan& span) { return op_hint(span); });
      const bool is_first = lanes[i].number == 0;
      out += row(is_first ? device_name(device) : "", is_first ? busy_note(device) : "", svg);
    }
    return out;
  }

  StripSpan op_span(std::size_t index) const {
    const Timeline::OpRun& run = analysis_.timeline.ops[index];
    const bool heavy = is_heavy(classify(graph_.op_type(run.op)));
    return {run.start_seconds, run.end_seconds, static_cast<std::uint8_t>(heavy ? 0 : 1),
            critical_op_[run.op.index()] != 0, static_cast<std::uint32_t>(index)};
  }

  std::string op_hint(const StripSpan& span) const {
    const Timeline::OpRun& run = analysis_.timeline.ops[span.source];
    std::string text = fmt::format("{} ({}), {}", html_escaped(graph_.op_name(run.op), 50),
                                   html_escaped(graph_.op_type(run.op), 24),
                                   when(run.start_seconds, run.end_seconds));
    if (run.fused_group < analysis_.plan->fused.size()) {
      text += fmt::format(", {} fused", analysis_.plan->fused[run.fused_group].size());
    }
    const double waited = run.start_seconds - run.ready_seconds;
    return waited > 0 ? text + ", waited " + format_seconds(waited) : text;
  }

  std::string busy_note(DeviceId device) const {
    const double slots = static_cast<double>(analysis_.cluster().device(device).slots);
    const double busy = analysis_.outcome().busy_seconds[device.index()];
    return step_ > 0 ? format_percent(busy / (step_ * slots)) : "";
  }

  std::string channel_rows() const {
    std::vector<ChannelUsage> shown = analysis_.channels;
    std::stable_sort(shown.begin(), shown.end(), [](const ChannelUsage& a, const ChannelUsage& b) {
      return a.busy_seconds > b.busy_seconds;
    });
    const std::size_t hidden = shown.size() > kMostChannels ? shown.size() - kMostChannels : 0;
    shown.resize(shown.size() - hidden);
    if (shown.empty()) return "";
    std::vector<std::size_t> row_of(analysis_.cluster().channel_count(), shown.size());
    for (std::size_t i = 0; i < shown.size(); ++i) row_of[shown[i].channel] = i;
    std::vector<Strip> strips(shown.size() + 1);  // the last takes what is not shown
    for (std::size_t i = 0; i < analysis_.timeline.transfers.size(); ++i) {
      const Timeline::Transfer& transfer = analysis_.timeline.transfers[i];
      for (const auto channel : analysis_.cluster().route(transfer.from, transfer.to).channels) {
        strips[row_of[channel]].spans.push_back(transfer_span(i));
      }
    }
    strips.pop_back();
    const double threshold = choose_threshold(strips, step_, kMostTransferShapes);
    std::string out = "<div class=\"gap\"></div>\n";
    for (std::size_t i = 0; i < shown.size(); ++i) {
      std::sort(strips[i].spans.begin(), strips[i].spans.end(),
                [](const auto& a, const auto& b) { return a.begin_seconds < b.begin_seconds; });
      const std::string svg =
          strip_svg(strips[i], step_, threshold, kChannelHeight, kTransferColors,
                    [&](const StripSpan& span) { return transfer_hint(span); });
      out += row(html_escaped(channel_name(analysis_.cluster(), shown[i].channel), 52),
                 step_ > 0 ? format_percent(shown[i].busy_seconds / step_) : "", svg);
    }
    if (hidden > 0) {
      out += fmt::format("<p class=\"note\">and {} that were busy for less time</p>\n",
                         format_number_of(hidden, "channel"));
    }
    return out;
  }

  StripSpan transfer_span(std::size_t index) const {
    const Timeline::Transfer& transfer = analysis_.timeline.transfers[index];
    return {transfer.start_seconds, transfer.end_seconds, 0,
            critical_tensor_[transfer.tensor.index()] != 0, static_cast<std::uint32_t>(index)};
  }

  std::string transfer_hint(const StripSpan& span) const {
    const Timeline::Transfer& transfer = analysis_.timeline.transfers[span.source];
    return fmt::format("{} from {} to {}, {}, {}",
                       html_escaped(graph_.tensor_name(transfer.tensor), 50),
                       device_name(transfer.from), device_name(transfer.to),
                       format_bytes(graph_.bytes(transfer.tensor)),
                       when(transfer.start_seconds, transfer.end_seconds));
  }

  const Analysis& analysis_;
  const Graph& graph_;
  double step_;
  Lanes lanes_;
  std::vector<char> critical_op_, critical_tensor_;
};

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

std::string html_gantt(const Analysis& analysis) { return Gantt(analysis).draw(); }

}  // namespace berth
