#include "zoo/network.h"

namespace berth::zoo {
namespace {

TEST(InceptionV3, HasThePublishedParameters) {
  // keras.applications.InceptionV3().summary(): 23,851,784 parameters, of which 34,432 are means
  // and variances of the batch normalization; 23,817,352 are trained. 17,216 of these are shifts,
  // 2,049,000 the classifier with its bias, and the rest convolutions.
  EXPECT_EQ(parameters(build_network("inception_v3")), 23'851'784 - 34'432);
}

TEST(InceptionV3, DoesThePublishedWork) {
  // 5.71 GMACs an image: torchvision's table of classification weights.
  EXPECT_NEAR(multiply_adds(build_network("inception_v3(batch=1)")), 5.71e9, 0.02e9);
  EXPECT_NEAR(multiply_adds(build_network("inception_v3")), 32 * 5.71e9, 32 * 0.02e9);
}

TEST(InceptionV3, BlocksHaveThePublishedShapes) {
  const Graph graph = build_network("inception_v3(batch=1)");
  const auto expect_shape = [&](std::string_view tensor, const std::vector<std::int64_t>& shape) {
    const auto found = graph.find_tensor(tensor);
    ASSERT_TRUE(found) << tensor;
    const auto actual = graph.shape(*found);
    EXPECT_EQ(std::vector<std::int64_t>(actual.begin(), actual.end()), shape) << tensor;
  };
  // Table 1 of the paper.
  expect_shape("stem/pool_0", {1, 64, 73, 73});
  expect_shape("mixed_0/concat", {1, 256, 35, 35});
  expect_shape("mixed_2/concat", {1, 288, 35, 35});
  expect_shape("mixed_3/concat", {1, 768, 17, 17});
  expect_shape("mixed_8/concat", {1, 1280, 8, 8});
  expect_shape("mixed_10/concat", {1, 2048, 8, 8});
}

TEST(InceptionV3, IsSound) { expect_sound_network("inception_v3"); }

}  // namespace
}  // namespace berth::zoo
