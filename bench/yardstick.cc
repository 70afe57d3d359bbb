#include "yardstick.h"

#include <algorithm>
#include <functional>

namespace berth {

Yardstick::Yardstick(const Problem& problem)
    : ops_(problem.op_count()), devices_(problem.device_count()) {
  const Graph& graph = problem.graph();
  output_begins_ = {0};
  consumer_begins_ = {0};
  waits_at_start_.assign(ops_, 0);
  for (std::size_t i = 0; i < ops_; ++i) {
    for (std::size_t k = 0; k < graph.output_count(OpId(i)); ++k) {
      const TensorId tensor = graph.output(OpId(i), k);
      bytes_.push_back(static_cast<double>(graph.bytes(tensor)));
      for (const OpId consumer : graph.consumers(tensor)) {
        consumers_.push_back(static_cast<std::uint32_t>(consumer.index()));
        ++waits_at_start_[consumer.index()];
      }
      consumer_begins_.push_back(static_cast<std::uint32_t>(consumers_.size()));
    }
    output_begins_.push_back(static_cast<std::uint32_t>(bytes_.size()));
    for (std::size_t d = 0; d < devices_; ++d) {
      seconds_.push_back(problem.seconds(OpId(i), DeviceId(d)));
    }
  }
  for (std::size_t from = 0; from < devices_; ++from) {
    for (std::size_t to = 0; to < devices_; ++to) {
      const Route route = problem.cluster().route(DeviceId(from), DeviceId(to));
      paths_.push_back(
          {route.latency_seconds, route.bandwidth, {route.channels.begin(), route.channels.end()}});
    }
  }
  device_of_.resize(ops_);
  channel_free_.resize(problem.cluster().channel_count());
  ready_.resize(devices_);
  busy_.resize(devices_);
}

void Yardstick::satisfy(std::uint32_t op, double now) {
  if (--waits_[op] > 0) return;
  auto& ready = ready_[device_of_[op]];
  ready.push_back({now, op});
  std::push_heap(ready.begin(), ready.end(), std::greater<>());
}

void Yardstick::start(std::uint32_t device, double now) {
  auto& ready = ready_[device];
  if (busy_[device] || ready.empty()) return;
  std::pop_heap(ready.begin(), ready.end(), std::greater<>());
  const std::uint32_t op = ready.back().op;
  ready.pop_back();
  busy_[device] = 1;
  events_.push_back({now + seconds_[op * devices_ + device], op});
  std::push_heap(events_.begin(), events_.end(), std::greater<>());
}

double Yardstick::step_seconds(const Plan& plan) {
  waits_ = waits_at_start_;
  std::fill(channel_free_.begin(), channel_free_.end(), 0.0);
  std::fill(busy_.begin(), busy_.end(), 0);
  events_.clear();
  for (auto& ready : ready_) ready.clear();
  for (std::size_t i = 0; i < ops_; ++i) {
    device_of_[i] = static_cast<std::uint32_t>(plan.placement[i].index());
    if (waits_[i] == 0) {
      waits_[i] = 1;
      satisfy(static_cast<std::uint32_t>(i), 0);
    }
  }
  arrivals_.clear();
  double now = 0;
  for (std::uint32_t d = 0; d < devices_; ++d) start(d, 0);
  while (!events_.empty()) {
    now = events_.front().seconds;
    std::uint64_t touched = 0;
    while (!events_.empty() && events_.front().seconds == now) {
      std::pop_heap(events_.begin(), events_.end(), std::greater<>());
      const Event event = events_.back();
      events_.pop_back();
      if (event.order >= ops_) {
        const auto [tensor, there] = arrivals_[event.order - ops_];
        touched |= std::uint64_t{1} << there;
        for (std::uint32_t e = consumer_begins_[tensor]; e < consumer_begins_[tensor + 1]; ++e) {
          if (device_of_[consumers_[e]] == there) satisfy(consumers_[e], now);
        }
        continue;
      }
      const std::uint32_t here = device_of_[event.order];
      touched |= std::uint64_t{1} << here;
      busy_[here] = 0;
      for (std::uint32_t t = output_begins_[event.order]; t < output_begins_[event.order + 1];
           ++t) {
        std::uint64_t destinations = 0;
        for (std::uint32_t e = consumer_begins_[t]; e < consumer_begins_[t + 1]; ++e) {
          const std::uint32_t device = device_of_[consumers_[e]];
          if (device == here) {
            satisfy(consumers_[e], now);
          } else {
            destinations |= std::uint64_t{1} << device;
          }
        }
        for (std::uint32_t d = 0; d < devices_; ++d) {
          if (!(destinations >> d & 1)) continue;
          const Path& path = paths_[here * devices_ + d];
          double begin = now;
          for (const auto channel : path.channels) begin = std::max(begin, channel_free_[channel]);
          const double end = begin + path.latency_seconds + bytes_[t] / path.bandwidth;
          for (const auto channel : path.channels) channel_free_[channel] = end;
          events_.push_back({end, static_cast<std::uint32_t>(ops_ + arrivals_.size())});
          arrivals_.push_back({t, d});
          std::push_heap(events_.begin(), events_.end(), std::greater<>());
        }
      }
    }
    for (std::uint32_t d = 0; d < devices_; ++d) {
      if (touched >> d & 1) start(d, now);
    }
  }
  return now;
}

}  // namespace berth
