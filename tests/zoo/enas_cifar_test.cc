#include <fmt/format.h>

#include <set>

#include "zoo/network.h"

namespace berth::zoo {
namespace {

TEST(EnasCifar, EverySeedIsAnotherNetwork) {
  std::set<std::string> networks;
  for (int seed = 0; seed < 32; ++seed) {
    networks.insert(print_network(build_network(fmt::format("enas_cifar(seed={})", seed))));
  }
  EXPECT_EQ(networks.size(), 32u);
}

TEST(EnasCifar, HasTheSizeOfThePapersNetworks) {
  // The best of this space has 4.6 million parameters (the paper's Table 2); random ones have less,
  // because fewer of their operations are convolutions.
  for (int seed = 0; seed < 32; ++seed) {
    const Graph graph = build_network(fmt::format("enas_cifar(seed={})", seed));
    EXPECT_GT(parameters(graph), 500'000) << seed;
    EXPECT_LT(parameters(graph), 8'000'000) << seed;
    EXPECT_EQ(graph.layer_names().size(), 1u + 17 + 1);
  }
}

TEST(EnasCifar, ReducesTwice) {
  const Graph graph = build_network("enas_cifar(filters=8,nodes=3,batch=2)");
  const auto pooled = graph.find_tensor("head/relu");
  ASSERT_TRUE(pooled);
  EXPECT_EQ(graph.shape(*pooled)[2], 8);
  EXPECT_EQ(graph.shape(*pooled)[1] % (4 * 8), 0);
}

TEST(EnasCifar, IsSound) {
  for (int seed = 0; seed < 10; ++seed) {
    expect_sound_network(fmt::format("enas_cifar(seed={},layers=6,filters=20)", seed));
  }
  expect_sound_network("enas_cifar");
  // Too small for twice the work going back: the first convolution has no input to go back to.
  EXPECT_GT(build_network("enas_cifar(layers=1,nodes=1,filters=3)", Mode::training).op_count(), 0u);
}

}  // namespace
}  // namespace berth::zoo
