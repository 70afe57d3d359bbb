#include "place/partition/mincut.h"

#include "place/partition/bisection.h"
#include "place/partition/partition.h"

namespace berth::place {
namespace {

Placed place_by_cut(const Problem& problem, const Request& request, const Options& options) {
  return place_by_partition(problem, request, options, [&](const PartitionInput& input) {
    return recursive_bisection(input, options.real("imbalance"));
  });
}

}  // namespace

Placer mincut_placer() {
  return {.name = "mincut",
          .summary = "recursive bisection for the smallest cut in bytes, loosely balanced",
          .reference = "Fiduccia and Mattheyses, DAC 1982; MinCut in Mirhoseini et al., ICML 2017",
          .options = partition_options("0.3"),
          .place = place_by_cut};
}

}  // namespace berth::place
