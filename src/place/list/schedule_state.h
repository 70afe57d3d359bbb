// A schedule under construction, as the list schedulers (etf, sct, heft) see it: which ops are
// placed and when they run, when tensors reach which device, which channels are occupied, and how
// full the devices are.
//
// Links are modelled as in the simulator (docs/execution.md): a tensor is sent to a device once and
// occupies every channel of its route during the transfer; channels serve one transfer at a time
// and do not fill idle gaps. There is one difference: a transfer is reserved when its first reader
// is placed, not when its producer ends, so transfers queue in the order of placing. Outputs of
// free ops (weights, inputs) are assumed to be sent at the start of the step, before all others.
// With `contention` off, channels are never busy, as in the classic HEFT.
//
// Free ops are placed with their first reader, see free_ops.h.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cost/problem.h"
#include "place/groups/free_ops.h"
#include "place/repair/memory_estimate.h"
#include "plan/plan.h"

namespace berth::place {

class ScheduleState {
 public:
  // Transfers take `travel_factor` times their real time: a larger factor keeps data where it is.
  ScheduleState(const Problem& problem, std::span<const std::int64_t> limits, bool contention,
                double travel_factor = 1);
  ScheduleState(const ScheduleState&) = delete;  // the memory estimate refers to the free ops
  ScheduleState& operator=(const ScheduleState&) = delete;

  const Problem& problem() const { return problem_; }
  bool is_free(OpId op) const { return free_ops_.contains(op); }
  bool is_placed(OpId op) const { return placement_[op.index()].valid(); }
  DeviceId device(OpId op) const { return placement_[op.index()]; }
  // The device its colocation group is on already, or none.
  DeviceId group_device(OpId op) const { return group_devices_[problem_.group(op).index()]; }
  double start_seconds(OpId op) const { return starts_[op.index()]; }
  double end_seconds(OpId op) const { return ends_[op.index()]; }

  // When everything the op waits for would be on the device, were the op placed there now. Infinite
  // when some tensor has no route. All ops before it, but for free ones, are placed.
  double data_ready(OpId op, DeviceId device) const { return arrival_of(op, device).seconds; }
  // The same, and the longest transfer among the inputs that have yet to be sent. `sent_seconds` is
  // the sum over all that would be sent, weights and other outputs of free ops among them.
  struct Arrival {
    double seconds = 0;
    double travel_seconds = 0;
    double sent_seconds = 0;
    std::uint32_t entrance = 0xffffffffu;  // last channel of its route; none when nothing is sent
  };
  Arrival arrival_of(OpId op, DeviceId device) const;
  std::span<const double> channel_free() const { return channel_free_; }
  // Whether the tensor is made on the device or was sent there.
  bool is_on(TensorId tensor, DeviceId device) const {
    return placement_[graph_.producer(tensor).index()] == device ||
           find_copy(tensor, device) != nullptr;
  }
  // Room for the op, and for the free ops that would come with it.
  bool fits(OpId op, DeviceId device);
  // The device for an op that fits nowhere: of its allowed devices that its inputs can reach, the
  // one with most room left.
  DeviceId last_resort(OpId op) const;

  // Places the free ops that come with the op, sends its inputs to the device and returns when all
  // have arrived. To be followed by run().
  double bring_inputs(OpId op, DeviceId device);
  // The tensors that bring_inputs() sent.
  std::span<const TensorId> sent() const { return sent_; }
  void run(OpId op, DeviceId device, double start_seconds, double end_seconds);
  // Free ops that no placed op reads.
  void place_remaining();

  std::vector<DeviceId> take_placement() { return std::move(placement_); }

 private:
  static constexpr std::uint32_t kEnd = 0xffffffffu;
  struct Copy {
    DeviceId device;
    std::uint32_t next;
    double arrival_seconds;
  };

  double order_ready(OpId op) const;
  void add_arrival(TensorId tensor, DeviceId device, Arrival& latest) const;
  double unplaced_arrival(TensorId tensor, DeviceId device) const;
  double send(TensorId tensor, DeviceId device);
  double send_inputs(OpId op, DeviceId device);
  const Copy* find_copy(TensorId tensor, DeviceId device) const;
  DeviceId device_for_free(OpId op, DeviceId reader_device) const;
  void place_free(OpId op, DeviceId device);

  const Problem& problem_;
  const Graph& graph_;
  const Cluster& cluster_;
  FreeOps free_ops_;
  MemoryEstimate memory_;
  bool contention_;
  double travel_factor_;

  std::vector<DeviceId> placement_;
  std::vector<DeviceId> group_devices_;
  std::vector<double> starts_, ends_;
  std::vector<double> channel_free_;
  std::vector<std::uint32_t> first_copy_;  // by tensor: into copies_
  std::vector<Copy> copies_;
  std::vector<OpId> missing_;
  std::vector<TensorId> sent_;
};

// Priorities that make the simulator start ready ops in the planned order: the earlier the start,
// the higher.
std::vector<double> priorities_by_start(const ScheduleState& state);

}  // namespace berth::place
