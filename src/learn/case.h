// A case is one problem (a graph on a cluster) as a policy reads it: its units, and their features
// as tensors. Policies are trained on cases and place cases. What a training knows of a case beyond
// that (simulators, rewards, the best plan) is in case_training.h; place::TrainingCase is the
// problem as the caller gives it.
//
// Everything a policy reads is computed once, here, since every update reads it again. Cost: that
// of make_features(), and units squared for methods that pass messages.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "learn/case_settings.h"
#include "learn/decision_reader.h"
#include "learn/features.h"
#include "learn/ledger.h"
#include "learn/nets/graph_convolution.h"
#include "learn/nets/neighbours.h"
#include "learn/reachability.h"
#include "learn/tensor_groups.h"
#include "learn/torch.h"

namespace berth::learn {

struct Case {
  static constexpr std::int64_t kNeighbourNumbers = 12;
  // Columns of `numbers` and `pairs` that say how much of a total a unit has, in mean units.
  static constexpr std::int64_t kShareNumbers[] = {1, 3, 5, 7};
  static constexpr std::int64_t kSharePair = 1;

  // The problem must outlive the case.
  Case(const Problem& problem, const CaseSettings& settings, const Vocabulary& vocabulary,
       at::ScalarType real = at::kFloat);
  Case(const Case&) = delete;
  Case& operator=(const Case&) = delete;

  std::int64_t unit_count() const { return types.size(0); }
  std::int64_t device_count() const { return allowed.size(1); }

  const Problem& problem;
  const place::Units units;
  const Features features;
  const std::vector<TensorGroup> tensor_groups;
  const LedgerItems ledger;
  Tensor types;        // [units, vocabulary]: share of each type among the unit's ops
  Tensor op_counts;    // [units, 1]
  Tensor shapes;       // [units, Features::kShapes]
  Tensor adjacency;    // [units, columns]: 1 for up to 6 units it feeds and 6 it reads; for methods
                       // that have the option `adjacency`
  Tensor edge_from;    // [edges]: number of the unit that is read
  Tensor edge_to;      // [edges]: and of the one that reads
  Tensor neighbours;   // [units, kNeighbourNumbers]: numbers of up to 6 units it reads and 6
                       // it feeds, as shares of the whole; -1 for none (HDP)
  Tensor numbers;      // [units, Features::kNumbers]
  Tensor devices;      // [devices, Features::kDevices]
  Tensor pairs;        // [units, devices, Features::kPairs]
  Tensor allowed;      // [units, devices], bool
  Neighbours around;   // of a unit, those it reads and those it feeds
  Neighbours feeders;  // those it reads
  Neighbours readers;  // those it feeds
  std::unique_ptr<const DecisionFacts> decisions;  // for policies that decide along a schedule
  Tensor decided_units;                            // [decisions]: their units
  // Part of every device's memory that such schedules may fill. Their estimate of memory is not
  // exact, so training lowers this where plans do not fit.
  double memory_fraction = 1;
  std::optional<Reachability> reach;  // for methods that pass messages in `rounds`
  Convolution convolution;            // over `around`; for methods with `encoder_layers`
  std::vector<std::int64_t> fastest;  // by unit: the allowed device that does its work fastest
  std::vector<std::int64_t> listed;   // by unit: its device in heft's schedule of the units; for
                                      // methods that improve a placement, with features=full
};

// Every column with mean 0 and deviation 1 over the units; 0 where all are equal. Sizes of a model
// have much in common, such as the batch, which would drown what tells units apart.
Tensor standardized(const Tensor& columns);

// Tells problems apart, however they were named: 64 hexadecimal digits.
std::string fingerprint(const Problem& problem);

}  // namespace berth::learn
