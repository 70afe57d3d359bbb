// The part of a step that a partial placement already determines, to the last bit.
//
// A partial placement is run by the execution rules (docs/execution.md) until an op ends whose
// successors are not all decided: from that instant on it is open what is sent where. Everything
// before happens in every completion: the same ops start and the same transfers arrive at the same
// times. Whatever has not started yet starts no earlier than that instant, and no earlier than its
// device and channels are free. So contention and the order of queues count, which the bounds
// ignore.
//
// At most O((ops + edges) log queue). Nothing is determined if an op without predecessors is not
// decided.
#pragma once

#include <vector>

#include "place/proof/relaxation.h"

namespace berth::place {

class Prefix {
 public:
  explicit Prefix(const Relaxation& relaxation);

  void run(const Domains& domains);

  static constexpr std::uint32_t kNoGroup = 0xffffffffu;
  // A group that would have to be decided for the run to continue, or kNoGroup.
  std::uint32_t open_group() const { return open_group_; }
  // Negative when it has not started.
  double start(std::size_t op) const { return starts_[op]; }
  // Negative when it has not been sent.
  double arrival(std::size_t tensor, std::size_t device) const {
    return arrivals_[tensor * problem_.devices + device];
  }
  // Whatever has not started on the device, or over the channel, starts no earlier than this.
  double device_floor(std::size_t device) const { return device_floors_[device]; }
  double channel_floor(std::size_t channel) const { return channel_free_[channel]; }

 private:
  struct Running {
    double end;
    std::uint32_t op;
  };
  // Ready ops of a device, and transfers under way, as heaps with the first on top.
  struct Ready {
    double seconds;
    std::uint32_t index;  // in the file
    std::uint32_t op;
    bool operator<(const Ready& other) const {
      return seconds != other.seconds ? seconds > other.seconds : index > other.index;
    }
  };
  struct Travelling {
    double arrival;
    std::uint32_t number;  // in order of sending
    std::uint32_t tensor;
    std::uint32_t to;
    bool operator<(const Travelling& other) const {
      return arrival != other.arrival ? arrival > other.arrival : number > other.number;
    }
  };

  bool begin(const Domains& domains);
  void start_ops(double now);
  double next_event() const;
  bool handle(const Domains& domains, double now);
  bool settled(const Domains& domains, std::uint32_t op);
  void finish(const Domains& domains, std::uint32_t op, double now);
  void send(std::uint32_t tensor, std::size_t from, std::size_t to, double now);
  void satisfy(const Domains& domains, std::uint32_t op, double now);
  void stop(double now);

  const Relaxation& problem_;
  std::uint32_t open_group_ = kNoGroup;
  std::vector<double> starts_, arrivals_, device_floors_, channel_free_;
  std::vector<std::uint32_t> waits_;
  std::vector<std::vector<Ready>> ready_;      // by device
  std::vector<std::vector<Running>> running_;  // by device, at most its slots
  std::vector<Travelling> travelling_;
  std::vector<Running> ended_;
  std::uint32_t sent_ = 0;
};

}  // namespace berth::place
