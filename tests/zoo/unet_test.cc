#include "base/error.h"
#include "zoo/network.h"

namespace berth::zoo {
namespace {

TEST(Unet, HasThePublishedParameters) {
  // "DiffusionWrapper has 859.52 M params." when Stable Diffusion v1 is loaded; exactly 859,520,964
  // in the weights of v1.4 and v1.5.
  EXPECT_EQ(parameters(build_network("unet")), 859'520'964);
}

TEST(Unet, DoesThePublishedWork) {
  // BK-SDM (Kim et al. 2023) gives 339 GMACs for v1.4 at 64x64, counted by thop, which sees layers
  // with weights but not the products of attention.
  const Graph graph = build_network("unet(batch=1)");
  double attention = 0;
  for (std::size_t i = 0; i < graph.op_count(); ++i) {
    const std::string_view name = graph.op_name(OpId(i));
    if (name.ends_with("/scores") || name.ends_with("/mix")) attention += graph.flops(OpId(i)) / 2;
  }
  EXPECT_NEAR(multiply_adds(graph) - attention, 339e9, 1e9);
}

TEST(Unet, EndsWhereItBegan) {
  const Graph graph = build_network("unet(batch=2,resolution=32,width=64)");
  const auto shape = graph.shape(graph.graph_outputs().front());
  EXPECT_EQ(std::vector<std::int64_t>(shape.begin(), shape.end()),
            (std::vector<std::int64_t>{2, 4, 32, 32}));
}

TEST(Unet, RefusesSizesThatDoNotFitTogether) {
  EXPECT_THROW(build_network("unet(resolution=60)"), InputError);
  EXPECT_THROW(build_network("unet(width=100)"), InputError);
}

TEST(Unet, IsSound) { expect_sound_network("unet"); }

}  // namespace
}  // namespace berth::zoo
