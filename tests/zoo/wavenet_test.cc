#include "base/error.h"
#include "zoo/network.h"

namespace berth::zoo {
namespace {

TEST(Wavenet, HasTheParametersOfItsLayers) {
  // No count is published for GO's networks; this is the sum by hand, with the widths of Parallel
  // WaveNet's teacher.
  const std::int64_t gates = 2 * (512 * 256 * 3 + 256);
  const std::int64_t skip = 256 * 256 + 256;
  const std::int64_t residual = 256 * 512 + 512;
  const std::int64_t ends = 2 * 256 * 512 + 2 * (256 * 256 + 256);
  EXPECT_EQ(parameters(build_network("wavenet")), ends + 18 * (gates + skip) + 17 * residual);
  EXPECT_EQ(parameters(build_network("wavenet(stacks=4,layers=36)")),
            ends + 36 * (gates + skip) + 35 * residual);
}

TEST(Wavenet, WorksOnEverySample) {
  // Every weight but a bias is used once a sample.
  const double weights =
      2.0 * 256 * 512 + 2 * 256 * 256 + 18.0 * (2 * 512 * 256 * 3 + 256 * 256) + 17.0 * 256 * 512;
  EXPECT_NEAR(multiply_adds(build_network("wavenet(batch=1)")), 7680 * weights, 1);
}

TEST(Wavenet, DilationDoublesAndStartsOver) {
  const Graph graph = build_network("wavenet(batch=1,length=1000)");
  const auto padded = [&](const std::string& layer) {
    return graph.shape(*graph.find_tensor(layer + "/past"))[3] - 1000;
  };
  EXPECT_EQ(padded("stack_0_layer_0"), 2);
  EXPECT_EQ(padded("stack_0_layer_8"), 2 * 256);
  EXPECT_EQ(padded("stack_1_layer_0"), 2);
  EXPECT_EQ(padded("stack_1_layer_8"), 2 * 256);
  EXPECT_EQ(graph.shape(*graph.find_tensor("output/logits"))[2], 1000);
  EXPECT_EQ(graph.layer_names().size(), 18u + 2);
}

TEST(Wavenet, RefusesStacksTooDeepToReachBack) {
  EXPECT_THROW(build_network("wavenet(stacks=1,layers=60)"), InputError);
}

TEST(Wavenet, IsSound) {
  expect_sound_network("wavenet");
  expect_sound_network("wavenet(stacks=4,layers=36)");
  expect_sound_network("wavenet(stacks=4,layers=5,length=64,batch=1)");
}

}  // namespace
}  // namespace berth::zoo
