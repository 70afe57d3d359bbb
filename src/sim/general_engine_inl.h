// Templates of general_engine.h.
#pragma once

namespace berth {

template <class Recorder>
void GeneralEngine::run(const Program& program, const Assignment& assignment, Outcome& outcome,
                        Recorder& recorder) {
  prepare(program, assignment);
  busy_seconds_.assign(problem_.device_count(), 0);
  for (const std::uint32_t kernel : program.sources) make_ready(kernel);
  start_ready(0, recorder);
  bool routable = true;
  while (routable && !events_.empty()) {
    const double now = events_.top().seconds;
    ledger_.advance(now);
    // Ops of zero length that start at this instant end in its next round: start_ready() adds their
    // events after this loop.
    while (routable && !events_.empty() && events_.top().seconds == now) {
      const Event event = events_.top();
      events_.pop();
      if (event.kind == Kind::end) {
        routable = finish_kernel(event.kernel, now, recorder);
      } else {
        make_ready(event.kernel);
      }
    }
    start_ready(now, recorder);
  }
  outcome.routable = routable;
  outcome.step_seconds = routable ? last_end_ : std::numeric_limits<double>::infinity();
  // A step that did not end has no true peaks; they must not be compared with those of others.
  if (!routable) return;
  ledger_.finish();
  outcome.transfers = transfers_;
  outcome.transferred_bytes = transferred_bytes_;
  for (std::size_t d = 0; d < problem_.device_count(); ++d) {
    outcome.peak_bytes[d] = ledger_.peak(d);
    outcome.busy_seconds[d] = busy_seconds_[d];
  }
  if constexpr (Recorder::kEnabled) {
    // Graph outputs are never released and stay until the end of the step. An alias (holders 0) has
    // no memory of its own.
    for (const Instance& instance : instances_) {
      if (instance.holders == 0) continue;
      recorder.memory(instance.is_copy, instance.tensor, Program::kNone, instance.device,
                      instance.from_seconds, std::numeric_limits<double>::infinity(),
                      instance.bytes);
    }
  }
}

template <class Recorder>
void GeneralEngine::start_ready(double now, Recorder& recorder) {
  // Only devices at which something changed can start an op; in order of device, as the rules say.
  std::sort(touched_.begin(), touched_.end());
  for (const std::uint32_t device : touched_) {
    is_touched_[device] = 0;
    Heap<Ready>& ready = ready_[device];
    while (free_slots_[device] > 0 && !ready.empty()) {
      const std::uint32_t kernel = ready.top().kernel;
      ready.pop();
      --free_slots_[device];
      start_seconds_[kernel] = now;
      busy_seconds_[device] += assignment_->seconds[kernel];
      const double end = now + assignment_->seconds[kernel];
      events_.push({end, Kind::end, kernel});
      ledger_.change(device, now, program_->kernel_records[kernel].start_bytes, now);
      if constexpr (Recorder::kEnabled) recorder.op(kernel, now, end, ready_seconds_[kernel]);
    }
  }
  touched_.clear();
}

template <class Recorder>
bool GeneralEngine::finish_kernel(std::uint32_t kernel, double now, Recorder& recorder) {
  const Program& program = *program_;
  const Program::Kernel& record = program.kernel_records[kernel];
  const Program::Kernel& next = program.kernel_records[kernel + 1];
  const std::size_t device = assignment_->device[kernel];
  // Ends come in order of time, so the last one written is the step time.
  last_end_ = now;
  ++free_slots_[device];
  touch(device);
  if (record.temp_bytes > 0) {
    ledger_.change(device, now, -record.temp_bytes, now);
    if constexpr (Recorder::kEnabled) {
      recorder.memory(false, Program::kNone, kernel, device, start_seconds_[kernel], now,
                      record.temp_bytes);
    }
  }

  const auto originals = static_cast<std::uint32_t>(instances_.size());
  create_originals(kernel);
  const std::uint32_t first = record.tensor_begin;
  const std::uint32_t last = next.tensor_begin;
  for (std::uint32_t tensor = first; tensor < last; ++tensor) {
    if (!send(tensor, originals + tensor - first, now, recorder)) return false;
  }
  for (std::uint32_t i = record.after_begin; i < next.after_begin; ++i) {
    satisfy(program.after_kernels[i], now, now);
  }
  // After the outputs exist: an output that shares an input's memory must hold it before the input
  // is let go.
  for (std::uint32_t i = record.input_begin; i < next.input_begin; ++i) {
    const std::uint32_t instance = input_instances_[i];
    if (--instances_[instance].readers == 0) release(instance, now, recorder);
  }
  for (std::uint32_t i = originals; i < originals + last - first; ++i) {
    if (instances_[i].readers == 0) release(i, now, recorder);
  }
  return true;
}

// Sends the tensor once to every other device that reads it, in order of device, and tells each
// consumer when it arrives.
template <class Recorder>
bool GeneralEngine::send(std::uint32_t tensor, std::uint32_t original, double now,
                         Recorder& recorder) {
  const Program& program = *program_;
  const std::size_t here = instances_[original].device;
  const std::uint32_t first = program.tensor_records[tensor].edge_begin;
  const std::uint32_t last = program.tensor_records[tensor + 1].edge_begin;
  destinations_.clear();
  for (std::uint32_t edge = first; edge < last; ++edge) {
    const std::uint32_t device = assignment_->device[program.edge_records[edge].kernel];
    if (device != here) destinations_.push_back(device);
  }
  std::sort(destinations_.begin(), destinations_.end());
  destinations_.erase(std::unique(destinations_.begin(), destinations_.end()), destinations_.end());

  instance_at_[here] = original;
  arrival_at_[here] = now;
  const std::int64_t bytes = program.tensor_records[tensor].bytes;
  for (const std::uint32_t there : destinations_) {
    const Route route = problem_.cluster().route(DeviceId(here), DeviceId(there));
    if (!route.exists()) return false;
    double start = now;
    for (const std::uint32_t channel : route.channels) {
      start = std::max(start, channel_free_[channel]);
    }
    // The order of additions of docs/execution.md: the engines and the bounds must agree to the
    // last bit.
    const double end = start + route.latency_seconds + static_cast<double>(bytes) / route.bandwidth;
    for (const std::uint32_t channel : route.channels) channel_free_[channel] = end;
    ++transfers_;
    transferred_bytes_ += bytes;
    instances_[original].hold_until = std::max(instances_[original].hold_until, end);
    instance_at_[there] = add_instance(tensor, there, true, bytes, start);
    arrival_at_[there] = end;
    ledger_.change(there, start, bytes, now);
    if constexpr (Recorder::kEnabled) recorder.transfer(tensor, here, there, now, start, end);
  }
  for (std::uint32_t edge = first; edge < last; ++edge) {
    const auto [kernel, input] = program.edge_records[edge];
    const std::size_t device = assignment_->device[kernel];
    input_instances_[input] = instance_at_[device];
    ++instances_[instance_at_[device]].readers;
    satisfy(kernel, arrival_at_[device], now);
  }
  return true;
}

template <class Recorder>
void GeneralEngine::release(std::uint32_t index, double now, Recorder& recorder) {
  const Instance& instance = instances_[index];
  Instance& root = instances_[instance.root];
  // The buffer is freed when all tensors that share it have been let go. A transfer that still
  // reads it keeps it beyond its last reader.
  root.hold_until = std::max({root.hold_until, instance.hold_until, now});
  if (--root.holders > 0) return;
  ledger_.change(root.device, root.hold_until, -root.bytes, now);
  if constexpr (Recorder::kEnabled) {
    recorder.memory(root.is_copy, root.tensor, Program::kNone, root.device, root.from_seconds,
                    root.hold_until, root.bytes);
  }
}

}  // namespace berth
