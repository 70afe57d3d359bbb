// How early every op can end on every device of its domain, and how long the step lasts at least
// after it, for all completions of a partial placement.
//
// An op waits for the longest path before it, where every other op takes the device of its domain
// that is best for the path, and a tensor that changes devices pays for its transfer. In addition:
//
//  - Prefix: the part of the step that is settled has happened, and the rest waits for it
//  (prefix.h).
//  - Sends: what an op certainly sends leaves in the order of the execution rules, and later
//    transfers wait for earlier ones on channels that both need.
//  - Receipts: the tensors an op reads that come over one channel come one after the other.
//  - Ancestors: all decided ops of a device that come before an op must be done there before it can
//    start on that device. And all ops that come before it must be done somewhere, at the prices of
//    the work bound. The same holds for what comes after.
//
// The last is for graphs of up to Relaxation::kMostReachability ops, where it is known which op
// comes before which.
#pragma once

#include <span>

#include "place/proof/prefix.h"
#include "place/proof/relaxation.h"

namespace berth::place {

class Paths {
 public:
  explicit Paths(const Relaxation& relaxation);

  void find(const Domains& domains, const Prefix& prefix);

  double start(std::size_t op, std::size_t device) const { return starts_[at(op, device)]; }
  double end(std::size_t op, std::size_t device) const {
    return starts_[at(op, device)] + problem_.cost(op, device);
  }
  // From the end of the op, and from its start, to the end of the step.
  double tail(std::size_t op, std::size_t device) const { return tails_[at(op, device)]; }
  double through(std::size_t op, std::size_t device) const { return through_[at(op, device)]; }
  double length(std::size_t op, std::size_t device) const {
    return starts_[at(op, device)] + through_[at(op, device)];
  }

 private:
  // Decided ops of a device, or all ops, in falling order of the time before (or after) them.
  struct Entry {
    double seconds;
    double length;
    std::uint32_t op;
  };
  using List = std::vector<Entry>;

  std::size_t at(std::size_t op, std::size_t device) const {
    return op * problem_.devices + device;
  }
  void find_starts(const Domains& domains, const Prefix& prefix);
  void find_tails(const Domains& domains);
  void find_offsets(std::size_t op, std::size_t from);
  void send(const Prefix& prefix, std::size_t op, std::size_t from);
  double start_on(const Domains& domains, const Prefix& prefix, std::size_t op, std::size_t device);
  double offset(std::size_t output, std::size_t to) const {
    return offsets_[output * problem_.devices + to];
  }
  double receipts(const Domains& domains, std::size_t op, std::size_t device);
  double tail_of(const Domains& domains, std::size_t op, std::size_t device);
  static void insert(List& list, const Entry& entry);
  static double load(const List& list, std::span<const std::uint64_t> related);
  double priced(std::size_t op, DeviceSet domain) const;

  const Relaxation& problem_;
  std::vector<double> starts_, least_ends_;              // op x device, op
  std::vector<double> arrivals_;                         // tensor x device
  std::vector<DeviceSet> certain_;                       // by tensor: where a decided op reads it
  std::vector<double> tails_, through_, least_through_;  // op x device, op x device, op
  std::vector<double> offsets_;                          // output x device, of one op
  std::vector<double> channel_free_;                     // of one op's sends
  std::vector<std::uint64_t> channel_stamp_;
  std::uint64_t stamp_ = 0;
  std::vector<List> device_lists_;
  List cluster_list_;
};

}  // namespace berth::place
