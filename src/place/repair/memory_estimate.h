// Estimates how full every device gets while ops are placed one after the other.
//
// It follows the memory rules of the simulator (docs/execution.md) with time replaced by the order
// of placing. Parameters are held during the whole step; those of a colocation group are reserved
// with its first op. An op's outputs are held from its position on, with its workspace on top while
// it runs. A copy on another device is held from right after its producer, however late its reader
// is placed. All are held until the last reader, which is only known when every reader is placed;
// until then a tensor is assumed to stay. Views take nothing, resident outputs take memory only
// where they are copied to, and graph outputs stay.
//
// It is exact when ops run one at a time in the order of placing (a path; for up to 1000 ops, see
// level_history.h), and close when the order of placing is similar to that of starting. It cannot
// know what runs at the same time elsewhere, nor which transfers queue; construct_within_memory()
// in evaluator.h makes up for that. When all bytes of the graph fit on the smallest device, nothing
// is tracked.
//
// Placing an op costs O(inputs + outputs), and up to 1024 additions per tensor that arrives from
// another device or is used for the last time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cost/problem.h"
#include "place/groups/free_ops.h"
#include "place/repair/level_history.h"

namespace berth::place {

class MemoryEstimate {
 public:
  // Bytes by device; a limit of 0 closes a device.
  MemoryEstimate(const Problem& problem, std::span<const std::int64_t> limits,
                 const FreeOps& free_ops);

  // Whether the device is open and has room for the ops, placed there next in that order.
  bool fits(std::span<const OpId> ops, DeviceId device);
  // Bytes of the limit that are left at the peak; negative when it is exceeded.
  std::int64_t room(DeviceId device) const;

  // Readers after producers; every op once.
  void place(OpId op, DeviceId device);

 private:
  static constexpr std::uint32_t kEnd = 0xffffffffu;

  // A piece of memory that a tensor (or its views) takes on a device.
  struct Holding {
    TensorId tensor;
    DeviceId device;
    bool kept = false;
    std::uint32_t last_use = 0;
    std::uint32_t next = kEnd;  // of the same root
    std::int64_t bytes = 0;
  };
  // Bytes that would arrive on a device at a past position.
  struct Arrival {
    std::uint32_t since;
    std::int64_t bytes;
  };

  void find_roots();
  bool may_bind() const;
  std::int64_t room_after(std::span<const OpId> ops, DeviceId device);
  std::int64_t gather(OpId op, DeviceId device, std::int64_t& param_bytes);
  bool is_new(std::vector<std::uint32_t>& stamps, std::size_t index);
  Holding* find(TensorId tensor, DeviceId device);
  void hold(TensorId tensor, DeviceId device, std::int64_t bytes, std::uint32_t since);
  void place_outputs(OpId op, DeviceId device);
  void use_up(TensorId tensor);
  void release(TensorId root);
  // When a tensor starts to exist elsewhere than where it is made.
  std::uint32_t sent_at(TensorId tensor) const;

  const Problem& problem_;
  const Graph& graph_;
  const FreeOps& free_ops_;
  std::vector<std::int64_t> limits_;
  bool binding_ = true;

  std::uint32_t now_ = 0;  // position; free ops are at 0, the others one after the other
  std::vector<LevelHistory> histories_;
  std::vector<std::int64_t> param_bytes_;        // by device
  std::vector<std::int64_t> group_param_bytes_;  // by group
  std::vector<DeviceId> group_devices_;
  std::vector<DeviceId> placement_;
  std::vector<std::uint32_t> positions_;  // of placed ops

  std::vector<TensorId> roots_;            // the tensor whose memory a view shares in the end
  std::vector<std::uint32_t> unused_;      // by root: readers of it and its views not yet placed
  std::vector<std::uint32_t> first_held_;  // by root: into holdings_
  std::vector<Holding> holdings_;

  std::uint32_t stamp_ = 0;
  std::vector<std::uint32_t> op_stamps_, group_stamps_, tensor_stamps_;
  std::vector<Arrival> arrivals_;
};

}  // namespace berth::place
