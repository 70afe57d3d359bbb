#include "report/html/html_data.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/json_writer.h"
#include "report/html/html_timeline.h"
#include "report/html/packed_numbers.h"
#include "report/lanes.h"
#include "report/text.h"

namespace berth::report {
namespace {

constexpr double kMostTicks = 4e9;
constexpr std::size_t kLongestName = 300;
constexpr std::size_t kMostShared = 90;

double tick_of(double step_seconds) {
  if (!(step_seconds > 0)) return 1;
  return std::pow(10, std::ceil(std::log10(step_seconds / kMostTicks)));
}

// The length of the common prefix of two names as far as it is ASCII: there the script counts
// characters as we count bytes.
std::size_t shared_length(std::string_view left, std::string_view right) {
  std::size_t length = 0;
  const std::size_t most = std::min({left.size(), right.size(), kMostShared});
  while (length < most && left[length] == right[length] &&
         static_cast<unsigned char>(left[length]) < 0x80) {
    ++length;
  }
  return length;
}

class Data {
 public:
  explicit Data(const Analysis& analysis)
      : analysis_(analysis),
        graph_(analysis.graph()),
        timeline_(analysis.timeline),
        tick_(tick_of(analysis.outcome().step_seconds)) {}

  std::string write() {
    json_.begin_object().field("tick", tick_);
    json_.field("step", ticks(analysis_.outcome().step_seconds));
    write_cluster();
    write_graph();
    write_runs();
    write_transfers();
    write_path();
    write_memory();
    json_.end_object();
    return json_.take();
  }

 private:
  std::int64_t ticks(double seconds) const { return std::llround(seconds / tick_); }

  void column(std::string_view name, const PackedNumbers& numbers) {
    json_.field(name, numbers.base64());
  }

  void write_cluster() {
    const Cluster& cluster = analysis_.cluster();
    json_.key("devices").begin_array();
    for (const Device& device : cluster.devices()) json_.value(plain_name(device.name, 40));
    json_.end_array().key("channels").begin_array();
    for (const ChannelUsage& usage : analysis_.channels) {
      json_.value(channel_name(cluster, usage.channel));
    }
    json_.end_array();
  }

  // Each name as the number of bytes it shares with the one before it, as one character, and the
  // rest.
  void write_names() {
    std::string names, last;
    for (std::size_t op = 0; op < graph_.op_count(); ++op) {
      const std::string name = plain_name(graph_.op_name(OpId(op)), kLongestName);
      const std::size_t shared = shared_length(last, name);
      if (op > 0) names += '\n';
      names += static_cast<char>(' ' + shared);
      names += name.substr(shared);
      last = name;
    }
    json_.field("names", names);
  }

  void write_graph() {
    json_.key("types").begin_array();
    const StringTable& types = graph_.type_names();
    for (std::uint32_t type = 0; type < types.size(); ++type) {
      json_.value(plain_name(types[type], 40));
    }
    json_.end_array().key("heavy").begin_array();
    for (std::uint32_t type = 0; type < types.size(); ++type) {
      json_.value(is_heavy(classify(types[type])) ? 1 : 0);
    }
    json_.end_array();
    write_names();
    PackedNumbers type, outputs, bytes;
    for (std::size_t op = 0; op < graph_.op_count(); ++op) {
      type.add(graph_.type_index(OpId(op)));
      outputs.add(static_cast<std::int64_t>(graph_.output_count(OpId(op))));
    }
    for (std::size_t tensor = 0; tensor < graph_.tensor_count(); ++tensor) {
      bytes.add(graph_.bytes(TensorId(tensor)));
    }
    column("type", type);
    column("outputs", outputs);
    column("bytes", bytes);
  }

  void write_runs() {
    const Lanes lanes = assign_lanes(timeline_, analysis_.problem->device_count());
    const std::vector<ReadyCause> causes =
        find_ready_causes(*analysis_.problem, *analysis_.plan, timeline_);
    PackedNumbers op, device, lane, start, length, waited, after, brought, fused;
    for (std::size_t i = 0; i < timeline_.ops.size(); ++i) {
      const Timeline::OpRun& run = timeline_.ops[i];
      op.add_next(static_cast<std::int64_t>(run.op.index()));
      device.add(static_cast<std::int64_t>(run.device.index()));
      lane.add(lanes.lane[i]);
      start.add_next(ticks(run.start_seconds));
      length.add(ticks(run.end_seconds) - ticks(run.start_seconds));
      waited.add(ticks(run.start_seconds) - ticks(run.ready_seconds));
      // Zero stands for none: nothing is ready by itself.
      after.add(causes[i].run == ReadyCause::kNone ? 0
                                                   : static_cast<std::int64_t>(i) - causes[i].run);
      brought.add_next(causes[i].transfer == ReadyCause::kNone ? 0 : causes[i].transfer + 1ll);
      if (run.fused_group >= analysis_.plan->fused.size()) continue;
      for (const OpId member : analysis_.plan->fused[run.fused_group]) {
        fused.add_next(static_cast<std::int64_t>(i));
        fused.add_next(static_cast<std::int64_t>(member.index()));
      }
    }
    json_.key("runs").begin_object();
    column("op", op);
    column("device", device);
    column("lane", lane);
    column("start", start);
    column("length", length);
    column("waited", waited);
    column("after", after);
    column("brought", brought);
    column("fused", fused);
    json_.end_object();
  }

  void write_transfers() {
    std::map<std::pair<DeviceId, DeviceId>, std::int64_t> route_of;
    std::vector<std::pair<DeviceId, DeviceId>> routes;
    PackedNumbers tensor, route, sent, waited, length;
    for (const Timeline::Transfer& transfer : timeline_.transfers) {
      const auto [known, is_new] = route_of.try_emplace({transfer.from, transfer.to},
                                                        static_cast<std::int64_t>(routes.size()));
      if (is_new) routes.emplace_back(transfer.from, transfer.to);
      tensor.add_next(static_cast<std::int64_t>(transfer.tensor.index()));
      route.add(known->second);
      sent.add_next(ticks(transfer.sent_seconds));
      waited.add(ticks(transfer.start_seconds) - ticks(transfer.sent_seconds));
      length.add(ticks(transfer.end_seconds) - ticks(transfer.start_seconds));
    }
    json_.key("transfers").begin_object();
    column("tensor", tensor);
    column("route", route);
    column("sent", sent);
    column("waited", waited);
    column("length", length);
    json_.key("routes").begin_array();
    for (const auto& [from, to] : routes) write_route(from, to);
    json_.end_array().end_object();
  }

  // From, to and the channels, by their position among those that carried something.
  void write_route(DeviceId from, DeviceId to) {
    json_.begin_flat_array().value(from.index()).value(to.index());
    for (const std::uint32_t channel : analysis_.cluster().route(from, to).channels) {
      const auto at = std::ranges::find(analysis_.channels, channel, &ChannelUsage::channel);
      json_.value(at - analysis_.channels.begin());
    }
    json_.end_array();
  }

  void write_path() {
    PackedNumbers kind, begin, length, op, tensor, device;
    for (const CriticalStep& step : analysis_.critical_path.steps) {
      kind.add(static_cast<std::int64_t>(step.kind));
      begin.add_next(ticks(step.begin_seconds));
      length.add(ticks(step.end_seconds) - ticks(step.begin_seconds));
      op.add_next(static_cast<std::int64_t>(step.op.index()));
      tensor.add(step.tensor.valid() ? static_cast<std::int64_t>(step.tensor.index()) + 1 : 0);
      device.add(static_cast<std::int64_t>(step.device.index()));
    }
    json_.key("path").begin_object();
    column("kind", kind);
    column("begin", begin);
    column("length", length);
    column("op", op);
    column("tensor", tensor);
    column("device", device);
    json_.end_object();
  }

  void write_memory() {
    json_.key("memory").begin_array();
    for (const DeviceId device : charted_devices(analysis_)) write_device_memory(device);
    json_.end_array();
  }

  void write_device_memory(DeviceId device) {
    const Timeline::DeviceMemory& memory = timeline_.memory[device.index()];
    PackedNumbers time, bytes;
    for (const Timeline::Level& level : memory.levels) {
      time.add_next(ticks(level.seconds));
      bytes.add_next(level.bytes);
    }
    PackedNumbers what, item, from, length, more;
    for (const Timeline::Held& held : memory.held) {
      const bool is_tensor = held.what.tensor.valid();
      what.add(static_cast<std::int64_t>(held.what.what));
      item.add_next(
          static_cast<std::int64_t>(is_tensor ? held.what.tensor.index() : held.what.op.index()));
      from.add_next(ticks(held.from_seconds));
      // Zero stands for what is kept; what is held takes more than no time.
      const bool kept = std::isinf(held.until_seconds);
      length.add(kept ? 0 : ticks(held.until_seconds) - ticks(held.from_seconds) + 1);
      more.add(held.what.bytes - (is_tensor ? graph_.bytes(held.what.tensor) : 0));
    }
    const ChartScale scale = memory_scale(analysis_, device);
    json_.begin_object().field("device", device.index()).field("parameters", memory.param_bytes);
    json_.field("top", scale.top_bytes).field("limit", scale.limit_shown ? scale.usable_bytes : -1);
    json_.field("over", memory.over_bytes > 0 ? 1 : 0);
    column("time", time);
    column("bytes", bytes);
    column("what", what);
    column("item", item);
    column("from", from);
    column("length", length);
    column("more", more);
    json_.end_object();
  }

  const Analysis& analysis_;
  const Graph& graph_;
  const Timeline& timeline_;
  double tick_;
  JsonWriter json_{JsonWriter::Style::compact};
};

}  // namespace

std::string html_data(const Analysis& analysis) {
  const std::string json = Data(analysis).write();
  std::string out;
  out.reserve(json.size());
  // Nothing in it may end the script element that contains it.
  for (const char c : json) c == '<' ? out += "\\u003c" : out += c;
  return out;
}

}  // namespace berth::report
