// Learned methods keep the promises that all placers make.
#include "support/conformance.h"

#include "place/learned/methods.h"

namespace berth::conformance {
namespace {

std::vector<Candidate> candidates() {
  std::vector<Candidate> all;
  for (const LearnedMethod& method : learned_methods()) {
    const bool groups = method.name == "hdp";
    const std::string small = ":hidden=4:embedding=2:adjacency=4:units=8";
    const std::string own =
        groups ? ":groups=4:grouper_hidden=4:groupings=2:placements=2" : ":samples=4";
    all.push_back({.method = method.name + small + own, .evaluations = 9, .random_problems = 20});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Learned, Conformance, ::testing::ValuesIn(cases_of(candidates())),
                         case_name);
INSTANTIATE_TEST_SUITE_P(Learned, ConformanceAtRandom, ::testing::ValuesIn(candidates()),
                         candidate_name);

}  // namespace
}  // namespace berth::conformance
