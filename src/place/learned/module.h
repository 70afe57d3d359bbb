// The interface to the learned part of Berth: a shared module that is loaded when a learned method
// is first used and provides a few functions. Nothing of libtorch is visible here.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "place/placer.h"

namespace berth::place {

// A graph on a cluster to learn from.
struct TrainingCase {
  const Problem* problem = nullptr;
  const Plan* expert = nullptr;  // the human expert's plan, where there is one
  std::string model;             // as the user named them
  std::string cluster;
};

struct TrainingRequest {
  std::string method;  // canonical
  std::vector<TrainingCase> cases;
  Budget budget;
  std::uint64_t seed = 0;
  std::string policy_path;
  std::string curve_path;  // empty: no curve
  bool resume = false;     // go on from policy_path
  bool slim = false;       // a training that ends by itself keeps the policy alone
  std::function<void(const TrainingProgress&)> progress = {};
  StopToken stop = {};
};

struct TrainedCase {
  std::string model;
  std::string cluster;
  Outcome best;
  Learned learned;
};

struct Trained {
  std::vector<TrainedCase> cases;
  double evaluations = 0;  // of training, those before a resumption among them
  std::int64_t updates = 0;
  double train_seconds = 0;  // likewise
  bool interrupted = false;
  std::uint64_t parameters = 0;
  std::string remark = {};  // a sentence worth telling, or empty
};

// Applies a policy file to a problem.
struct PolicyUse {
  std::string path;
  std::uint64_t samples = 0;  // drawn beside the greedy plan
  Budget finetune = {.seconds = 0, .evaluations = 0};
};

// What a policy file says of itself.
struct PolicySummary {
  std::string method;  // canonical
  std::uint64_t seed = 0;
  std::string budget;  // as format_budget writes it
  double evaluations = 0;
  double train_seconds = 0;
  std::vector<std::string> models;    // of its cases
  std::vector<std::string> clusters;  // likewise
};

struct LearnModule {
  // Trains on this problem alone and returns the best plan seen.
  Placed (*place)(const Problem& problem, const Request& request, const std::string& method,
                  const std::string& curve_path);
  Trained (*train)(const TrainingRequest& request);
  Placed (*place_with_policy)(const Problem& problem, const Request& request, const PolicyUse& use);
  // Throws InputError, also when the method of the file is none that learns.
  PolicySummary (*summarize)(const std::string& policy_path);
};

// What the module's one exported function, `berth_learn_table`, returns. The strings come first and
// are C strings, so that they can be read whatever the rest was compiled from.
struct LearnTable {
  const char* version;
  const char* build_id;  // base/build_id.h; the rest may be used when it is that of the caller
  const LearnModule* module;
};

// Loads the module at the first call. Throws InputError naming the package to install when the
// module or a library it needs is missing, OutsideError when there is not enough memory.
const LearnModule& learn_module();

// The learned methods as entries of the registry.
std::vector<Placer> learned_placers();

}  // namespace berth::place
