// The results of `berth bench generalize`: policies trained on some graphs and applied to others,
// compared with the same methods trained on each of these from scratch.
//
// The list of graphs is in generalization.cc and nowhere else. Those that are reported have seeds
// and clusters that nothing was tuned on (docs/results/tuning-split.md). The line-up for tuning has
// the same form but is no evidence.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/text.h"

namespace berth::experiments {

// How a problem is related to those of the training.
enum class Kinship { same_family, other_cluster, other_family };
std::string name_of(Kinship kinship);  // "same family"

struct HeldOut {
  Kinship kinship = Kinship::same_family;
  std::string workload;
  std::string cluster;

  std::string name() const { return workload + " on " + cluster; }
};

struct Lineup {
  std::vector<std::string> models;  // to train on; ranges as `train --on` takes them
  std::string cluster;              // likewise
  std::vector<HeldOut> held_out;    // by kinship
};
const Lineup& generalization_lineup(bool for_tuning);

// Steps in seconds; none where no plan fits.
using Step = std::optional<double>;

// A method on a problem its policy has not seen.
struct Carried {
  Step greedy;                   // the greedy plan of the policy as it is: one evaluation
  Step zero_shot;                // the best of that and some samples
  Step tuned;                    // the best plan of a short training that begins with the policy
  Step scratch;                  // the best plan of a longer one that begins with nothing
  Step scratch_greedy;           // the greedy plan at its end
  double zero_shot_seconds = 0;  // that placing took, with reading the policy
};

struct GeneralizationRow {
  HeldOut problem;
  std::uint64_t ops = 0;
  Step random, single, expert, automatic;
  Step list;                     // the best of heft, etf and sct
  std::vector<Carried> carried;  // by method
};

struct GeneralizationRun {
  std::vector<std::string> methods;
  double train_evaluations = 0;
  double tune_evaluations = 0;
  double scratch_evaluations = 0;
  std::uint64_t samples = 0;
  std::uint64_t seed = 0;
  bool for_tuning = false;
  bool interrupted = false;
  std::vector<double> train_seconds;  // by method
  std::vector<GeneralizationRow> rows;
};

// The geometric mean over problems of one kinship of how a method's zero-shot step compares with
// that of training from scratch; none when a plan that fits is missing on either side everywhere.
std::optional<double> zero_shot_ratio(const GeneralizationRun& run, std::size_t method,
                                      Kinship kinship);

// How a policy's own greedy plan compares with the best list scheduler, over all problems where
// both fit.
struct AgainstList {
  double ratio = 1;  // geometric mean
  std::size_t shorter = 0;
  std::size_t problems = 0;
};
AgainstList greedy_against_list(const GeneralizationRun& run, std::size_t method);

std::string generalization_answer(const GeneralizationRun& run, report::Ink ink);
std::string generalization_json(const GeneralizationRun& run);

}  // namespace berth::experiments
