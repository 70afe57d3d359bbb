// What a policy has come to when its training is over. The best plan seen on the way is no part of
// it: luck finds good plans too.
#pragma once

#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "learn/trainer.h"
#include "place/placer.h"

namespace berth::learn {

// Step times; those of plans that do not fit are infinite, and so is a mean with one among them.
struct FinalPolicy {
  double greedy = 0;
  double mean = 0;           // of the last 200 samples
  double fitting_mean = 0;   // of those of them that fit
  double fitting_share = 0;  // and how many do
};

inline double mean_of(const std::vector<double>& steps) {
  return std::accumulate(steps.begin(), steps.end(), 0.0) / static_cast<double>(steps.size());
}

inline double step_if_fits(const Outcome& outcome) {
  const bool fits = outcome.routable && outcome.feasible;
  return fits ? outcome.step_seconds : std::numeric_limits<double>::infinity();
}

inline FinalPolicy final_policy(const Problem& problem, const std::string& method,
                                double evaluations, std::uint64_t seed) {
  place::TrainingCase only;
  only.problem = &problem;
  // One thread: test programs run side by side, and plans this small are priced in no time.
  Trainer trainer({.method = place::parse_method(method).options.canonical(),
                   .cases = {only},
                   .budget = {.evaluations = evaluations},
                   .seed = seed,
                   .threads = 1});
  while (!trainer.finished()) trainer.update();
  trainer.price_greedy();
  const CaseTraining& trained = *trainer.cases().front();
  const auto& last = trained.last_samples();
  return {.greedy = step_if_fits(trained.learned(trainer.updates()).greedy),
          .mean = mean_of({last.begin(), last.end()}),
          .fitting_mean = trained.sample_mean(),
          .fitting_share = trained.sample_feasible_share()};
}

// The shortest step of a small problem, proved; infinite when nothing fits, 0 without a proof.
inline double proven_optimum(const Problem& problem) {
  place::Request request;
  request.budget.seconds = 60;
  const place::Placed placed = place::parse_method("exact").place(problem, request);
  if (placed.remark == "proven: no placement is shorter") return placed.outcome.step_seconds;
  const bool none_fits = placed.remark == "every placement was tried or ruled out, and none fits";
  return none_fits ? std::numeric_limits<double>::infinity() : 0;
}

}  // namespace berth::learn
