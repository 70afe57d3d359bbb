// The obvious way to write the simulator, to measure ours against: one priority queue of events
// (ends of ops and arrivals of tensors), one of ready ops a device, flat arrays, scratch memory
// reused. It reserves the same transfers and gives the same step times, but keeps no account of
// memory at all, and knows no priorities, slots, zero-length rounds or fusion.
#pragma once

#include <cstdint>
#include <vector>

#include "cost/problem.h"
#include "plan/plan.h"

namespace berth {

class Yardstick {
 public:
  explicit Yardstick(const Problem& problem);
  double step_seconds(const Plan& plan);

 private:
  struct Event {
    double seconds;
    std::uint32_t order;  // ends by op index first, then arrivals by order of sending
    bool operator>(const Event& other) const {
      return (seconds > other.seconds) | ((seconds == other.seconds) & (order > other.order));
    }
  };
  struct Arrival {
    std::uint32_t tensor, device;
  };
  struct Ready {
    double seconds;
    std::uint32_t op;
    bool operator>(const Ready& other) const {
      return (seconds > other.seconds) | ((seconds == other.seconds) & (op > other.op));
    }
  };
  struct Path {
    double latency_seconds, bandwidth;
    std::vector<std::uint32_t> channels;
  };

  void satisfy(std::uint32_t op, double now);
  void start(std::uint32_t device, double now);

  std::size_t ops_, devices_;
  std::vector<std::uint32_t> output_begins_, consumer_begins_, consumers_, waits_at_start_;
  std::vector<double> bytes_;
  std::vector<double> seconds_;  // ops x devices
  std::vector<Path> paths_;

  std::vector<std::uint32_t> device_of_, waits_;
  std::vector<double> channel_free_;
  std::vector<Event> events_;
  std::vector<Arrival> arrivals_;  // in order of sending
  std::vector<std::vector<Ready>> ready_;
  std::vector<std::uint8_t> busy_;
};

}  // namespace berth
