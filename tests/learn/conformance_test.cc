// Learned methods keep the promises that all placers make.
#include "support/conformance.h"

#include "learn/small_agents.h"

namespace berth::place::conformance {
namespace {

std::vector<Candidate> candidates() {
  std::vector<Candidate> all;
  for (const std::string& name : learn::agent_names()) {
    all.push_back(
        {.method = learn::small_agent(name, ":units=8"), .evaluations = 9, .random_problems = 20});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Learned, Conformance, ::testing::ValuesIn(cases_of(candidates())),
                         case_name);
INSTANTIATE_TEST_SUITE_P(Learned, ConformanceAtRandom, ::testing::ValuesIn(candidates()),
                         candidate_name);

}  // namespace
}  // namespace berth::place::conformance
