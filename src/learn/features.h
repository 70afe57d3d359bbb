// What policies read of a problem, as plain rows of numbers. Nothing here depends on libtorch.
//
// The published sets are op types, output shapes and adjacency. The rest (`numbers`, `devices`,
// `pairs`) are costs, memory and links, which the published systems lack; with features=paper a
// policy does not read them.
//
// All values are scaled to be of order 1 and finite whatever the problem: sizes and times as
// logarithms against the problem's own mean or total, or as shares of a total, so that a policy
// trained on one graph can read another.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "place/groups/units.h"

namespace berth::learn {

// The op types a policy knows, most frequent first (then by name), at most 200; number 0 is every
// other type.
class Vocabulary {
 public:
  Vocabulary() = default;
  explicit Vocabulary(std::span<const Problem* const> problems);
  explicit Vocabulary(std::vector<std::string> types) : types_(std::move(types)) {}

  std::size_t size() const { return types_.size() + 1; }
  std::size_t number(std::string_view type) const;
  const std::vector<std::string>& types() const { return types_; }

 private:
  std::vector<std::string> types_;
};

struct Features {
  // At most 6 outputs per op, 4 dimensions each (the published sizes).
  static constexpr std::size_t kShapes = 24;
  // In this order, "log against the mean" being log1p(value / mean of the units), 0 where the mean
  // is: seconds on the fastest device, bytes of outputs, of parameters and of workspace, each as
  // log against the mean and as share of the total (8); bytes read from and written to other units,
  // log against the mean (2); seconds of the longest path of ops, each at its fastest, before the
  // unit's first op and after its last, as shares of the longest path of the graph (2); position
  // in the order of units, 0 to 1; how many ops it has, log against the mean; how many units feed
  // it and read it (log1p, 2). Outputs are counted as memory is: resident ones and views are none.
  static constexpr std::size_t kNumbers = 16;
  // work of all units that may run on it, against the same at their fastest, as log above the
  // device that is best at that (0 to 5; 5 where nothing may run); memory against the bytes of the
  // whole graph (log, clamped to +-5; 5 when unlimited); mean bandwidth of its routes against the
  // best such mean (log, clamped to -5; 0 where there is no route at all); share of the other
  // devices it reaches; whether it is a CPU.
  static constexpr std::size_t kDevices = 5;
  // of a unit on a device: seconds against the fastest device's (log, clamped to 5), seconds as
  // share of the total work with every unit at its fastest (clamped to 5), memory of the unit
  // against the device's (clamped to 5; 0 when unlimited).
  static constexpr std::size_t kPairs = 3;

  std::size_t units = 0;
  std::size_t device_count = 0;
  std::vector<float> types;    // units x vocabulary: how many ops of each type
  std::vector<float> shapes;   // units x kShapes: mean over its ops of log1p of the dimensions; 0
                               // where there is no such output or dimension
  std::vector<float> numbers;  // units x kNumbers
  std::vector<float> devices;  // devices x kDevices
  std::vector<float> pairs;    // units x devices x kPairs; 0 where the device is not allowed
  std::vector<std::uint8_t> allowed;  // units x devices

  // For the state of the devices while a policy places (ledger.h).
  std::vector<double> seconds;       // units x devices: work; 0 where not allowed
  std::vector<double> bytes;         // units: parameters and outputs together
  std::vector<double> usable_bytes;  // devices; infinite where unlimited
  std::vector<double> byte_seconds;  // devices x devices: seconds a byte takes; 0 on the diagonal;
                                     // ten times the slowest where there is no route, or 1e-8
                                     // where there is none at all
  double total_seconds = 0;          // of all units, each on its fastest device
};

// O(ops x cost classes + edges + units x devices + devices squared).
Features make_features(const Problem& problem, const place::Units& units,
                       const Vocabulary& vocabulary);

}  // namespace berth::learn
