#include "experiments/search_pairs.h"

#include <algorithm>

#include "experiments/published.h"

namespace berth::experiments {
namespace {

// Short names for where a pair comes from; docs/workloads.md has the references in full.
constexpr const char* kColocRl = "ColocRL";  // Mirhoseini et al., ICML 2017
constexpr const char* kHdp = "HDP";          // Mirhoseini et al., ICLR 2018
constexpr const char* kMars = "Mars";        // Lan, Chen, Li, ICPP 2021
constexpr const char* kPlaceto = "Placeto";  // Addanki et al., NeurIPS 2019; K80s
constexpr const char* kGo = "GO";            // Zhou et al., NeurIPS 2020; 2, 4 and 8 P100
constexpr const char* kToday = "today";
constexpr const char* kMade = "made up";

std::string because(const char* source, const char* sentence) {
  return std::string(source) + ": " + sentence;
}

std::vector<SearchPair> make_pinned() {
  return {
      {"zoo:inception_v3:batch=1", "2xK40", because(kHdp, "branches; 16.3% under one GPU")},
      {"zoo:nmt:layers=4", "4xK40", because(kHdp, "its second largest gain, 53.7%")},
      {"zoo:nmt:layers=8", "8xK40", because(kHdp, "where it loses to the human expert")},
      {"zoo:inception_v3:batch=32", "4xK80", because(kColocRl, "its only gain on images")},
      {"zoo:gnmt:layers=4:batch=256", "4xP100-12GB", because(kMars, "most ops in its table")},
      {"zoo:bert:head=qa:optimizer=adam", "4xP100-12GB", because(kMars, "its largest gain, 27.2%")},
      {"zoo:nasnet", "4xK80", because(kPlaceto, "wide cells, many small ops")},
      {"zoo:enas_ptb:seed=1000", "4xK80", because(kPlaceto, "a family to generalize over")},
      {"zoo:gnmt:layers=8", "8xP100", because(kGo, "eight devices, the most ops")},
      {"zoo:transformer_xl:layers=8", "8xP100", because(kGo, "eight devices, large tensors")},
      {"zoo:amoebanet", "4xV100", because(kGo, "on V100s, since 4xP100 is for tuning")},
      {"zoo:gpt:optimizer=sgd", "RTX3090+RTX3060",
       because(kToday, "different devices, memory is short")},
  };
}

// Beyond the rows of the published tables. Where a default could change what is computed, the
// optimizer or the dtype is named, so that figures of different versions can be compared.
std::vector<SearchPair> make_others() {
  return {
      {"zoo:inception_v3:batch=32", "2xP100", because(kGo, "placement")},
      {"zoo:inception_v3:batch=64", "2xP100", because(kGo, "placement")},
      {"zoo:rnnlm:layers=2", "2xP100", because(kGo, "placement")},
      {"zoo:rnnlm:layers=4", "4xP100", because(kGo, "placement")},
      {"zoo:gnmt:layers=2", "2xP100", because(kGo, "placement")},
      {"zoo:gnmt:layers=4", "4xP100", because(kGo, "placement")},
      {"zoo:transformer_xl:layers=2", "2xP100", because(kGo, "placement")},
      {"zoo:transformer_xl:layers=4", "4xP100", because(kGo, "placement")},
      {"zoo:amoebanet", "4xP100", because(kGo, "placement")},
      {"zoo:wavenet:stacks=2:layers=18", "2xP100", because(kGo, "placement")},
      {"zoo:wavenet:stacks=4:layers=36", "4xP100", because(kGo, "placement")},
      {"zoo:wavenet:stacks=4:layers=36", "4xV100", because(kGo, "not on the clusters for tuning")},
      {"zoo:nasnet", "2xK80", because(kPlaceto, "two GPUs")},
      {"zoo:enas_cifar:seed=1000", "2xK80", because(kPlaceto, "a family to generalize over")},
      {"zoo:enas_cifar:seed=1001", "4xK80", because(kPlaceto, "a family to generalize over")},
      {"zoo:enas_ptb:seed=1001", "2xK80", because(kPlaceto, "a family to generalize over")},
      {"zoo:layered:seed=1000", "8xP100", because(kMade, "a random network")},
      {"zoo:layered:ops=5000:seed=1001", "4x8xV100-ib", because(kMade, "32 GPUs on four hosts")},
      {"zoo:chain:seed=1000", "4xV100", because(kMade, "nothing runs in parallel")},
      {"zoo:tiny", "2xK40", because(kMade, "small enough to read in full")},
      {"zoo:gpt:optimizer=sgd", "4xV100-nvlink", because(kToday, "fast links")},
      {"zoo:moe:optimizer=sgd", "8xV100", because(kToday, "two experts per token")},
      {"zoo:moe:optimizer=sgd", "A100+V100", because(kToday, "different devices")},
      {"zoo:vit:dtype=f32", "4xA100-pcie", because(kToday, "a chain of large layers")},
      {"zoo:unet:dtype=f32", "A100+V100", because(kToday, "long skip connections")},
      {"zoo:dlrm", "8xV100-nvlink", because(kToday, "tables limited by memory")},
  };
}

void add_new(std::vector<SearchPair>& pairs, SearchPair pair) {
  if (std::find(pairs.begin(), pairs.end(), pair) == pairs.end()) pairs.push_back(std::move(pair));
}

std::vector<SearchPair> make_all() {
  std::vector<SearchPair> pairs = pinned_pairs();
  for (const PublishedTable& table : published_tables()) {
    for (const PublishedRow& row : table.rows) {
      add_new(pairs, {"zoo:" + row.workload, row.cluster, "berth bench " + table.name});
    }
  }
  for (SearchPair& pair : make_others()) add_new(pairs, std::move(pair));
  return pairs;
}

}  // namespace

const std::vector<SearchPair>& pinned_pairs() {
  static const std::vector<SearchPair> pairs = make_pinned();
  return pairs;
}

const std::vector<SearchPair>& all_pairs() {
  static const std::vector<SearchPair> pairs = make_all();
  return pairs;
}

bool is_for_tuning(std::string_view cluster) { return cluster == "2xP100" || cluster == "4xP100"; }

}  // namespace berth::experiments
