#include "report/chrome_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/json_writer.h"
#include "report/lanes.h"

namespace berth::report {
namespace {

// The viewers group rows by process; the numbers are only labels.
constexpr int kDevices = 1;
constexpr int kChannels = 2;
constexpr int kMemory = 3;

// Viewers truncate times to whole nanoseconds. So an arrow leaves a slice this long before its end;
// otherwise it would leave the next slice.
constexpr double kBeforeEnd = 2e-9;

double microseconds(double seconds) { return std::round(seconds * 1e12) / 1e6; }

bool takes_time(double start_seconds, double end_seconds) {
  return microseconds(end_seconds - start_seconds) > 0;
}

// A place on a slice at which an arrow is fixed.
struct Anchor {
  int process = 0;
  std::size_t row = 0;
  double seconds = 0;
};

class Trace {
 public:
  explicit Trace(const Analysis& analysis)
      : analysis_(analysis),
        lanes_(assign_lanes(analysis.timeline, analysis.problem->device_count())) {}

  std::string write() {
    json_.begin_object().field("displayTimeUnit", "ms");
    json_.key("traceEvents").begin_array();
    name_rows();
    write_ops();
    write_transfers();
    write_arrows();
    write_memory();
    json_.end_array().end_object();
    return json_.take();
  }

 private:
  void begin(const char* phase, int process, std::size_t row, std::string_view name) {
    json_.begin_flat_object().field("ph", phase).field("pid", process).field("tid", row);
    json_.field("name", name);
  }

  void name_process(int process, std::string_view name) {
    begin("M", process, 0, "process_name");
    json_.key("args").begin_flat_object().field("name", name).end_object().end_object();
    begin("M", process, 0, "process_sort_index");
    json_.key("args").begin_flat_object().field("sort_index", process).end_object().end_object();
  }

  void name_row(int process, std::size_t row, std::string_view name) {
    begin("M", process, row, "thread_name");
    json_.key("args").begin_flat_object().field("name", name).end_object().end_object();
    begin("M", process, row, "thread_sort_index");
    json_.key("args").begin_flat_object().field("sort_index", row).end_object().end_object();
  }

  void name_rows() {
    name_process(kDevices, "devices");
    name_process(kChannels, "channels");
    name_process(kMemory, "memory");
    std::size_t row = 0;
    for (std::size_t d = 0; d < analysis_.problem->device_count(); ++d) {
      first_row_.push_back(row);
      const std::string& device = analysis_.cluster().device(DeviceId(d)).name;
      for (std::uint32_t lane = 0; lane < lanes_.count[d]; ++lane, ++row) {
        name_row(kDevices, row,
                 lanes_.count[d] == 1 ? device : fmt::format("{} slot {}", device, lane));
      }
    }
    for (const ChannelUsage& usage : analysis_.channels) {
      name_row(kChannels, usage.channel, channel_name(analysis_.cluster(), usage.channel));
    }
  }

  void span(double start_seconds, double end_seconds) {
    json_.field("ts", microseconds(start_seconds));
    json_.field("dur", microseconds(end_seconds - start_seconds));
  }

  void write_ops() {
    const Graph& graph = analysis_.graph();
    for (std::size_t i = 0; i < analysis_.timeline.ops.size(); ++i) {
      const Timeline::OpRun& run = analysis_.timeline.ops[i];
      if (!takes_time(run.start_seconds, run.end_seconds)) continue;
      begin("X", kDevices, row_of(i), graph.op_name(run.op));
      json_.field("cat", graph.op_type(run.op));
      span(run.start_seconds, run.end_seconds);
      json_.key("args").begin_flat_object().field("type", graph.op_type(run.op));
      json_.field("waited_us", microseconds(run.start_seconds - run.ready_seconds));
      if (run.fused_group < analysis_.plan->fused.size()) write_members(run.fused_group);
      json_.end_object().end_object();
    }
  }

  std::size_t row_of(std::size_t run) const {
    return first_row_[analysis_.timeline.ops[run].device.index()] + lanes_.lane[run];
  }

  void write_members(std::size_t group) {
    json_.key("fused").begin_flat_array();
    for (const OpId op : analysis_.plan->fused[group]) json_.value(analysis_.graph().op_name(op));
    json_.end_array();
  }

  void write_transfers() {
    const Cluster& cluster = analysis_.cluster();
    for (const Timeline::Transfer& transfer : analysis_.timeline.transfers) {
      if (!takes_time(transfer.start_seconds, transfer.end_seconds)) continue;
      const std::string name = analysis_.graph().tensor_name(transfer.tensor);
      for (const std::uint32_t channel : cluster.route(transfer.from, transfer.to).channels) {
        begin("X", kChannels, channel, name);
        json_.field("cat", "transfer");
        span(transfer.start_seconds, transfer.end_seconds);
        json_.key("args").begin_flat_object();
        json_.field("from", cluster.device(transfer.from).name);
        json_.field("to", cluster.device(transfer.to).name);
        json_.field("bytes", analysis_.graph().bytes(transfer.tensor));
        json_.field("waited_us", microseconds(transfer.start_seconds - transfer.sent_seconds));
        json_.end_object().end_object();
      }
    }
  }

  // The run of every op; a fused group's for all its members.
  std::vector<std::size_t> runs_by_op() const {
    std::vector<std::size_t> run_of(analysis_.problem->op_count());
    for (std::size_t i = 0; i < analysis_.timeline.ops.size(); ++i) {
      const Timeline::OpRun& run = analysis_.timeline.ops[i];
      run_of[run.op.index()] = i;
      if (run.fused_group >= analysis_.plan->fused.size()) continue;
      for (const OpId member : analysis_.plan->fused[run.fused_group]) run_of[member.index()] = i;
    }
    return run_of;
  }

  void write_arrows() {
    const std::vector<std::size_t> run_of = runs_by_op();
    for (const Timeline::Transfer& transfer : analysis_.timeline.transfers) {
      std::vector<Anchor> way;
      leave_producer(run_of[analysis_.graph().producer(transfer.tensor).index()], way);
      follow_channels(transfer, way);
      // The first reader ends the arrow that began at the producer; the others get one each.
      bool reached = false;
      std::size_t last = analysis_.timeline.ops.size();
      for (const std::size_t run : readers(transfer, run_of)) {
        const Timeline::OpRun& reader = analysis_.timeline.ops[run];
        if (run == last || !takes_time(reader.start_seconds, reader.end_seconds)) continue;
        last = run;
        const Anchor end{kDevices, row_of(run), reader.start_seconds};
        if (!reached) {
          way.push_back(end);
          write_arrow(way);
          way.pop_back();
        } else if (!way.empty()) {
          write_arrow({way.back(), end});
        }
        reached = true;
      }
      if (!reached) write_arrow(way);
    }
  }

  void leave_producer(std::size_t index, std::vector<Anchor>& way) const {
    const Timeline::OpRun& run = analysis_.timeline.ops[index];
    if (!takes_time(run.start_seconds, run.end_seconds)) return;
    way.push_back(
        {kDevices, row_of(index), std::max(run.start_seconds, run.end_seconds - kBeforeEnd)});
  }

  void follow_channels(const Timeline::Transfer& transfer, std::vector<Anchor>& way) const {
    if (!takes_time(transfer.start_seconds, transfer.end_seconds)) return;
    for (const auto channel : analysis_.cluster().route(transfer.from, transfer.to).channels) {
      way.push_back({kChannels, channel, transfer.start_seconds});
    }
  }

  // Runs on the transfer's destination that read its tensor, in order of start.
  std::vector<std::size_t> readers(const Timeline::Transfer& transfer,
                                   const std::vector<std::size_t>& run_of) const {
    std::vector<std::size_t> runs;
    for (const OpId op : analysis_.graph().consumers(transfer.tensor)) {
      const std::size_t run = run_of[op.index()];
      if (analysis_.timeline.ops[run].device == transfer.to) runs.push_back(run);
    }
    std::sort(runs.begin(), runs.end());
    return runs;
  }

  // One arrow over all the places: its start, what it passes, its end.
  void write_arrow(const std::vector<Anchor>& way) {
    if (way.size() < 2) return;
    for (std::size_t i = 0; i < way.size(); ++i) {
      const bool is_last = i + 1 == way.size();
      begin(i == 0 ? "s" : is_last ? "f" : "t", way[i].process, way[i].row, "transfer");
      json_.field("cat", "transfer").field("id", arrows_).field("bp", "e");
      json_.field("ts", microseconds(way[i].seconds)).end_object();
    }
    ++arrows_;
  }

  void write_memory() {
    for (std::size_t d = 0; d < analysis_.timeline.memory.size(); ++d) {
      const std::string name = analysis_.cluster().device(DeviceId(d)).name + " bytes";
      for (const Timeline::Level& level : analysis_.timeline.memory[d].levels) {
        begin("C", kMemory, d, name);
        json_.field("ts", microseconds(level.seconds)).key("args").begin_flat_object();
        json_.field("bytes", level.bytes).end_object().end_object();
      }
    }
  }

  const Analysis& analysis_;
  Lanes lanes_;
  std::vector<std::size_t> first_row_;  // by device
  std::size_t arrows_ = 0;
  JsonWriter json_{JsonWriter::Style::compact};
};

}  // namespace

std::string chrome_trace(const Analysis& analysis) { return Trace(analysis).write(); }

}  // namespace berth::report
