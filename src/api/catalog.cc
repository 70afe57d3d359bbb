#include "berth/catalog.h"

#include "api/errors.h"
#include "base/options.h"
#include "cluster/presets.h"
#include "place/placer.h"
#include "zoo/workload.h"

namespace berth::v1 {
namespace {

std::vector<OptionFacts> facts_of(const std::vector<OptionSpec>& specs) {
  std::vector<OptionFacts> facts;
  for (const OptionSpec& spec : specs) {
    facts.push_back({spec.name, spec.default_value, describe_values(spec), spec.sentence});
  }
  return facts;
}

}  // namespace

std::vector<MethodFacts> methods() {
  return guarded("methods", [] {
    std::vector<MethodFacts> facts;
    for (const berth::place::Placer& placer : berth::place::placers()) {
      facts.push_back({.name = placer.name,
                       .summary = placer.summary,
                       .reference = placer.reference,
                       .searches = placer.searches,
                       .learned = placer.learned,
                       .options = facts_of(placer.options)});
    }
    return facts;
  });
}

std::vector<WorkloadFacts> workloads() {
  return guarded("workloads", [] {
    std::vector<WorkloadFacts> facts;
    for (const zoo::Workload& workload : zoo::workloads()) {
      facts.push_back({workload.name, workload.summary, facts_of(workload.options)});
    }
    return facts;
  });
}

std::vector<ClusterFacts> clusters() {
  return guarded("clusters", [] {
    std::vector<ClusterFacts> facts;
    for (const ClusterPreset& preset : cluster_presets()) {
      facts.push_back({preset.name, preset.summary});
    }
    return facts;
  });
}

std::string version() { return BERTH_VERSION; }

}  // namespace berth::v1
