// Parameters and work of the transformers and recurrent networks against published figures, and
// what holds for the training graph of every workload.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "zoo/network.h"

namespace berth::zoo {
namespace {

double heavy_flops(const Graph& graph, bool gradients) {
  double flops = 0;
  for (std::size_t i = 0; i < graph.op_count(); ++i) {
    if (!is_heavy(classify(graph.op_type(OpId(i))))) continue;
    if (graph.op_type(OpId(i)).ends_with("Grad") == gradients) flops += graph.flops(OpId(i));
  }
  return flops;
}

TEST(PublishedSizes, Parameters) {
  const std::pair<const char*, std::int64_t> published[] = {
      // Hugging Face, BertModel with pooler.
      {"bert", 109'482'240},
      {"bert:size=large", 335'141'888},
      // OpenAI's checkpoints, the table counted once.
      {"gpt:size=small", 124'439'808},
      {"gpt:size=xl", 1'557'611'200},
      // LLaMA and Mixtral, model cards.
      {"gpt:size=7b", 6'738'415'616},
      {"moe:layers=32", 46'702'792'704},
      // timm, vit_base_patch16_224 and vit_large_patch16_224.
      {"vit", 86'567'656},
      {"vit:size=large", 304'326'632},
  };
  for (const auto& [name, count] : published) {
    EXPECT_EQ(parameters(build_network(name, Mode::inference)), count) << name;
  }
  // Dai et al. 2019, table 2: "12L Transformer-XL, 41M".
  EXPECT_NEAR(static_cast<double>(parameters(build_network("transformer_xl", Mode::inference))),
              41e6, 5e5);
}

TEST(PublishedSizes, TheTablesOfTheRecommenderAreCriteos) {
  std::int64_t rows = 0;
  const Graph graph = build_network("dlrm", Mode::inference);
  for (std::size_t i = 0; i < graph.op_count(); ++i) {
    if (graph.op_name(OpId(i)).ends_with("/table"))
      rows += graph.shape(graph.first_output(OpId(i)))[0];
  }
  EXPECT_EQ(rows, 33'762'577);
}

TEST(PublishedSizes, Work) {
  // Layer products 4 d^2 + 8 d^2 a token, attention 2 s d a token and layer: by hand, in
  // multiply-adds. The usual figure for BERT-base at 128 tokens is 11.2 GMACs.
  const double words = 128;
  const double width = 768;
  const double by_hand = 12 * words * (12 * width * width + 2 * words * width);
  const Graph bert = build_network("bert:batch=1:seq=128:head=qa", Mode::inference);
  EXPECT_NEAR(heavy_flops(bert, false) / 2, by_hand, 0.001 * by_hand);
  EXPECT_NEAR(by_hand, 11.2e9, 0.1e9);
  // ViT-B/16: 17.6 GMACs (Dosovitskiy et al.; timm lists 17.58 with 16.87 outside attention).
  const Graph vit = build_network("vit:batch=1", Mode::inference);
  EXPECT_NEAR(heavy_flops(vit, false) / 2, 17.58e9, 0.1e9);
}

TEST(PublishedSizes, ALongerStackHasMoreLayersAndNothingElse) {
  const std::int64_t two = parameters(build_network("nmt:layers=2", Mode::inference));
  const std::int64_t four = parameters(build_network("nmt:layers=4", Mode::inference));
  const std::int64_t eight = parameters(build_network("nmt:layers=8", Mode::inference));
  const std::int64_t layer = 2048 * 4096 + 4096;
  EXPECT_EQ(four - two, 4 * layer);
  EXPECT_EQ(eight - four, 8 * layer);
}

class EveryWorkload : public testing::TestWithParam<std::string> {};

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const Workload& workload : workloads()) {
    const bool same_in_both_modes =
        workload.name == "chain" || workload.name == "layered" || workload.name == "tiny";
    if (!same_in_both_modes) all.push_back(workload.name);
  }
  return all;
}
INSTANTIATE_TEST_SUITE_P(Zoo, EveryWorkload, testing::ValuesIn(names()),
                         [](const auto& workload) { return workload.param; });

TEST_P(EveryWorkload, BackwardIsAboutTwiceForward) {
  const Graph graph = build_network(GetParam(), Mode::training);
  const double ratio = heavy_flops(graph, true) / heavy_flops(graph, false);
  EXPECT_GT(ratio, 1.7);
  EXPECT_LE(ratio, 2.0);
}

// Forward ops between a weight and an output have a gradient; others have none.
TEST_P(EveryWorkload, WhatLeadsFromAWeightHasAGradient) {
  const Graph forward = build_network(GetParam(), Mode::inference);
  const Graph graph = build_network(GetParam(), Mode::training);
  std::set<std::string, std::less<>> with_gradient;
  for (std::size_t i = 0; i < graph.op_count(); ++i) {
    const std::string_view name = graph.op_name(OpId(i));
    const std::size_t at = name.rfind("/grad");
    if (at != std::string_view::npos) with_gradient.emplace(name.substr(0, at));
  }
  std::vector<char> depends(forward.op_count(), 0);
  for (const OpId op : forward.topological_order()) {
    bool on_weight = forward.op_type(op) == "Variable";
    for (const OpId before : forward.predecessors(op)) {
      on_weight = on_weight || depends[before.index()];
    }
    depends[op.index()] = on_weight;
    if (!on_weight || forward.op_type(op) == "Variable") continue;
    EXPECT_TRUE(with_gradient.contains(forward.op_name(op))) << forward.op_name(op);
  }
}

TEST_P(EveryWorkload, EveryWeightIsUpdatedOnceAndSharesADeviceWithThatAlone) {
  const Graph graph = build_network(GetParam(), Mode::training);
  for (std::size_t i = 0; i < graph.op_count(); ++i) {
    if (graph.op_type(OpId(i)) != "Variable") continue;
    const std::string name(graph.op_name(OpId(i)));
    const auto update = graph.find_op(name + "/update");
    ASSERT_TRUE(update) << name;
    EXPECT_EQ(graph.colocation_label(*update), graph.colocation_label(OpId(i)));
    EXPECT_EQ(graph.colocation_labels()[graph.colocation_label(OpId(i))], name);
  }
}

TEST_P(EveryWorkload, WholeLayersAreTiedTogetherWhenAsked) {
  const Graph graph = build_network(GetParam() + ":colocate=layer", Mode::training);
  for (std::size_t i = 0; i < graph.op_count(); ++i) {
    const std::uint32_t layer = graph.layer(OpId(i));
    if (layer == Graph::kNone || graph.op_name(OpId(i)).starts_with("loss")) continue;
    ASSERT_NE(graph.colocation_label(OpId(i)), Graph::kNone) << graph.op_name(OpId(i));
    EXPECT_EQ(graph.colocation_labels()[graph.colocation_label(OpId(i))],
              graph.layer_names()[layer]);
  }
}

TEST_P(EveryWorkload, HasAnExpertsPlanForFourGpus) {
  const Workload& workload = find_workload(GetParam());
  ASSERT_TRUE(workload.expert);
  const Problem problem(build_network(GetParam(), Mode::training), make_preset("4xA100"));
  EXPECT_TRUE(workload.expert(problem).has_value());
}

}  // namespace
}  // namespace berth::zoo
