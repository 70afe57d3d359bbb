#include "zoo/network.h"

namespace berth::zoo {
namespace {

// Parameters and GMACs of an image of 224x224: torchvision's table of classification weights.
TEST(Resnet, HasThePublishedParameters) {
  EXPECT_EQ(parameters(build_network("resnet")), 25'557'032);
  EXPECT_EQ(parameters(build_network("resnet(layers=101)")), 44'549'160);
  EXPECT_EQ(parameters(build_network("resnet(layers=152)")), 60'192'808);
}

TEST(Resnet, DoesThePublishedWork) {
  EXPECT_NEAR(multiply_adds(build_network("resnet(batch=1)")), 4.09e9, 0.01e9);
  EXPECT_NEAR(multiply_adds(build_network("resnet(layers=101,batch=1)")), 7.80e9, 0.01e9);
  EXPECT_NEAR(multiply_adds(build_network("resnet(layers=152,batch=1)")), 11.51e9, 0.01e9);
}

TEST(Resnet, HasALayerABlock) {
  EXPECT_EQ(build_network("resnet").layer_names().size(), 3u + 4 + 6 + 3 + 2);
  EXPECT_EQ(build_network("resnet(layers=152)").layer_names().size(), 3u + 8 + 36 + 3 + 2);
}

TEST(Resnet, IsSound) {
  expect_sound_network("resnet");
  expect_sound_network("resnet(layers=152,batch=128)");
}

}  // namespace
}  // namespace berth::zoo
