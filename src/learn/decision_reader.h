// What a policy reads at every decision of a list schedule (place/list/unit_schedule.h): for each
// device the numbers of placing the unit there. The published systems see only the devices they
// chose before; with features=full ours read this as well.
//
// Seconds are in units of the mean work of a decided unit, and logarithms are log1p:
//   0  how much later the unit would finish than on the best device (log): what heft looks at
//   1  how long its first op would wait for the device after its inputs are there (log)
//   2  how much later its inputs would be there than on the best device (log)
//   3  all transfers that would begin (log)
//   4  the longest of them (log)
//   5  share of the bytes its first op reads that are on the device already
//   6  work on the device so far, in even shares of the whole, less the mean over devices
//   7  its work there against its fastest device (log, at most 5)
//   8  bytes on the device with it, against what the device may use (at most 4)
//   9  how much longer the rest of the step takes than from the best device (log; lookahead.h)
//  10  share of its siblings' bytes that are made on the device (lookahead.h)
//  11  whether the decision before took this device
//  12  in later passes, whether the unit was there in the pass before
//  13  in later passes, share of the bytes it makes that were read there in the pass before
//  14  share of the work of its part of the graph, as far as it is decided, that is on the device;
//      parts are those of an acyclic coarsening to at most 256 units
//  15  the same with at most 32 units
//  16  and on: what the device is (Features::kDevices): speed, memory, bandwidth, reach, whether it
//      is a CPU. Without these, devices that differ in their links alone look alike until something
//      has been sent.
// Everything follows from the devices chosen so far, so stored decisions give the same numbers.
//
// Cost per decision: that of UnitSchedule::choices(), and O(devices x (inputs + siblings)).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "learn/features.h"
#include "learn/lookahead.h"

namespace berth::learn {

// What all readers of a problem share.
struct DecisionFacts {
  DecisionFacts(const Problem& problem, const place::Units& units, const Features& features);

  std::size_t decisions() const { return order.decided.size(); }

  place::UnitOrder order;
  Lookahead ahead;
  Rows<std::uint32_t> readers;       // by unit: units that read it,
  std::vector<double> reader_bytes;  // and the bytes they read, alongside
  const Features& features;
  double mean_seconds = 1;  // work of a decided unit
  // What belongs together, coarser and coarser: by unit, its part of the graph.
  static constexpr std::size_t kScales = 2;
  std::array<std::vector<std::uint32_t>, kScales> part_of;
  std::array<std::size_t, kScales> parts = {};
};

class DecisionReader {
 public:
  static constexpr std::int64_t kDescribed = 16;  // where the description of the device begins
  static constexpr std::int64_t kNumbers = kDescribed + Features::kDevices;
  static constexpr std::int64_t kLater = 0;

  // `limits`: bytes by device that the estimate of memory may fill. `before`: the device of every
  // decided unit in the pass before, in the order of decisions; empty in the first pass.
  DecisionReader(const DecisionFacts& facts, std::span<const std::int64_t> limits,
                 std::span<const std::int64_t> before);

  bool done() const { return schedule_.done(); }
  // kNumbers per device, and whether the device may be chosen: at least one may. A device that
  // lacks memory may be chosen only if all do.
  void read(float* numbers, std::uint8_t* allowed);
  void decide(std::size_t device);
  std::vector<DeviceId> take_placement() { return schedule_.take_placement(); }

 private:
  void add_shares(std::uint32_t unit, float* numbers) const;
  void add_parts(std::uint32_t unit, float* numbers) const;

  const DecisionFacts& facts_;
  place::UnitSchedule schedule_;
  std::vector<std::uint32_t> device_of_;  // by unit, so far
  std::vector<std::uint32_t> before_;     // by unit, in the pass before
  std::vector<double> bytes_;             // by device
  std::array<std::vector<double>, DecisionFacts::kScales> part_work_;  // part x device, so far
  std::uint32_t last_;
};

}  // namespace berth::learn
