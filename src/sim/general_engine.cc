#include "sim/general_engine.h"

namespace berth {

void MemoryLedger::reserve(std::size_t devices, std::size_t changes) {
  levels_.resize(devices);
  if (storage_.size() < changes) storage_.resize(changes);
}

void MemoryLedger::begin() {
  // The instant of a level begins at 0, so what is allocated at time 0 does not count before it is
  // over.
  std::fill(levels_.begin(), levels_.end(), Level());
  pending_ = Heap<Change>(storage_.data());
}

void MemoryLedger::advance(double now) {
  while (!pending_.empty() && pending_.top().seconds <= now) {
    const Change& change = pending_.top();
    apply(change.device, change.seconds, change.bytes);
    pending_.pop();
  }
}

void MemoryLedger::finish() {
  advance(std::numeric_limits<double>::infinity());
  for (Level& level : levels_) level.peak = std::max(level.peak, level.bytes);
}

GeneralEngine::GeneralEngine(const Problem& problem) : problem_(problem) {}

void GeneralEngine::prepare(const Program& program, const Assignment& assignment) {
  program_ = &program;
  assignment_ = &assignment;
  const std::size_t devices = problem_.device_count();
  waits_.resize(program.kernels);
  for (std::uint32_t kernel = 0; kernel < program.kernels; ++kernel) {
    waits_[kernel] = program.waits[kernel];
  }
  ready_seconds_.assign(program.kernels, 0);
  start_seconds_.assign(program.kernels, 0);
  input_instances_.resize(program.edges);
  instances_.clear();
  // One original per tensor and at most one copy per edge. References into the array stay valid.
  instances_.reserve(std::size_t{program.tensors} + program.edges);
  channel_free_.assign(problem_.cluster().channel_count(), 0);
  // A kernel is ready before it ends, so it has at most one event at a time.
  event_storage_.resize(program.kernels);
  events_ = Heap<Event>(event_storage_.data());
  free_slots_.resize(devices);
  touched_.clear();
  touched_.reserve(devices);
  is_touched_.assign(devices, 0);
  destinations_.reserve(program.edges);
  instance_at_.resize(devices);
  arrival_at_.resize(devices);
  ledger_.reserve(devices, std::size_t{program.tensors} + 2 * std::size_t{program.edges});
  ledger_.begin();
  transfers_ = 0;
  transferred_bytes_ = 0;
  last_end_ = 0;

  // Each device's queue gets as much of one array as it has kernels.
  ready_storage_.resize(program.kernels);
  ready_.resize(devices);
  // Has one entry per device and is free until the first send(): no allocation per run.
  std::vector<std::uint32_t>& counts = instance_at_;
  std::fill(counts.begin(), counts.end(), 0);
  for (std::uint32_t kernel = 0; kernel < program.kernels; ++kernel) {
    ++counts[assignment.device[kernel]];
    // Parameters are there from the first instant and never released.
    ledger_.change(assignment.device[kernel], 0, program.param_bytes[kernel], 0);
  }
  std::size_t begin = 0;
  for (std::size_t d = 0; d < devices; ++d) {
    ready_[d] = Heap<Ready>(ready_storage_.data() + begin);
    begin += counts[d];
    free_slots_[d] = problem_.cluster().device(DeviceId(d)).slots;
  }
}

std::uint32_t GeneralEngine::add_instance(std::uint32_t tensor, std::size_t device, bool is_copy,
                                          std::int64_t bytes, double from) {
  const auto index = static_cast<std::uint32_t>(instances_.size());
  instances_.push_back({.bytes = bytes,
                        .from_seconds = from,
                        .hold_until = 0,
                        .readers = 0,
                        .root = index,
                        .holders = 1,
                        .tensor = tensor,
                        .device = static_cast<std::uint16_t>(device),
                        .is_copy = is_copy});
  return index;
}

void GeneralEngine::create_originals(std::uint32_t kernel) {
  const Program& program = *program_;
  const auto originals = static_cast<std::uint32_t>(instances_.size());
  const std::uint32_t first = program.kernel_records[kernel].tensor_begin;
  const std::uint32_t last = program.kernel_records[kernel + 1].tensor_begin;
  for (std::uint32_t tensor = first; tensor < last; ++tensor) {
    const std::uint32_t index =
        add_instance(tensor, assignment_->device[kernel], false,
                     program.tensor_records[tensor].local_bytes, start_seconds_[kernel]);
    instances_[index].readers = program.tensor_records[tensor].kept;
  }
  if (!program.has_aliases) return;
  for (std::uint32_t tensor = first; tensor < last; ++tensor) {
    std::uint32_t shared = Program::kNone;
    if (program.alias_input[tensor] != Program::kNone) {
      shared = instances_[input_instances_[program.alias_input[tensor]]].root;
    } else if (program.alias_tensor[tensor] != Program::kNone) {
      shared = originals + program.alias_tensor[tensor] - first;
    }
    if (shared == Program::kNone) continue;
    Instance& alias = instances_[originals + tensor - first];
    alias.root = shared;
    alias.holders = 0;
  }
  // An alias may share another output of this kernel that is an alias itself and comes later, so
  // roots are resolved only when all outputs exist.
  for (std::uint32_t i = originals; i < originals + last - first; ++i) {
    std::uint32_t root = instances_[i].root;
    while (instances_[root].root != root) root = instances_[root].root;
    instances_[i].root = root;
    if (root != i) ++instances_[root].holders;
  }
}

void GeneralEngine::satisfy(std::uint32_t kernel, double seconds, double now) {
  ready_seconds_[kernel] = std::max(ready_seconds_[kernel], seconds);
  if (--waits_[kernel] > 0) return;
  // Later: an event. At this very instant: it takes part in the present round.
  if (ready_seconds_[kernel] > now) {
    events_.push({ready_seconds_[kernel], Kind::ready, kernel});
  } else {
    make_ready(kernel);
  }
}

void GeneralEngine::make_ready(std::uint32_t kernel) {
  const std::size_t device = assignment_->device[kernel];
  const double priority = assignment_->priority.empty() ? 0 : assignment_->priority[kernel];
  ready_[device].push({priority, ready_seconds_[kernel], kernel});
  touch(device);
}

void GeneralEngine::touch(std::size_t device) {
  if (is_touched_[device]) return;
  is_touched_[device] = 1;
  touched_.push_back(static_cast<std::uint32_t>(device));
}

}  // namespace berth
