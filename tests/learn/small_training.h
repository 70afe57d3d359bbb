// Trainings that take no time, for tests of the trainer.
#pragma once

#include <string>
#include <vector>

#include "base/file.h"
#include "learn/small_agents.h"
#include "learn/trainer.h"
#include "place/tiny_problems.h"

namespace berth::learn {

// The canonical method with small nets; `more` are further options.
inline std::string small_method(const std::string& name, const std::string& more = "") {
  return place::parse_method(small_agent(name, ":units=10" + more)).options.canonical();
}

// 30 ops on a CPU and two GPUs that hold half of what there is.
inline const Problem& small_training_problem() {
  static const Problem problem(
      place::fixtures::layered_graph(30, 1),
      place::fixtures::tiny_cluster({.gpus = 2, .gpu_bytes = 500'000, .cpu_bytes = 1'000'000}));
  return problem;
}

inline Trainer::Setting small_setting(const std::string& method, double evaluations,
                                      std::uint64_t seed = 0) {
  place::TrainingCase only;
  only.problem = &small_training_problem();
  only.model = "small";
  only.cluster = "tiny";
  return {.method = method, .cases = {only}, .budget = {.evaluations = evaluations}, .seed = seed};
}

// With a second problem, of another size, beside the first.
inline Trainer::Setting two_cases(const std::string& method, double evaluations) {
  Trainer::Setting setting = small_setting(method, evaluations);
  place::TrainingCase other;
  other.problem = &place::fixtures::tiny_problem("tight memory");
  other.model = "other";
  other.cluster = "tight";
  setting.cases.push_back(other);
  return setting;
}

inline void run_to_end(Trainer& trainer) {
  while (!trainer.finished()) trainer.update();
}

// The state of training, without what depends on the clock.
inline PolicyFile state_of(const Trainer& trainer) {
  PolicyFile file = trainer.save();
  file.train_seconds = 0;
  file.curve_bytes = 0;
  return file;
}

inline std::vector<StoredArray> parameters_in(const PolicyFile& file) {
  std::vector<StoredArray> parameters;
  for (const StoredArray& array : file.arrays) {
    if (array.name.starts_with("policy.")) parameters.push_back(array);
  }
  return parameters;
}

}  // namespace berth::learn
