// Every placer that does not learn keeps the promises that all placers make.
#include "support/conformance.h"

namespace berth::place::conformance {
namespace {

std::vector<Candidate> candidates() {
  std::vector<Candidate> all;
  for (const Placer& placer : placers()) {
    if (!placer.learned) all.push_back({placer.name});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Placers, Conformance, ::testing::ValuesIn(cases_of(candidates())),
                         case_name);
INSTANTIATE_TEST_SUITE_P(Placers, ConformanceAtRandom, ::testing::ValuesIn(candidates()),
                         candidate_name);

}  // namespace
}  // namespace berth::place::conformance
