#include "base/error.h"
#include "zoo/network.h"

namespace berth::zoo {
namespace {

// Scales and shifts; Keras counts as many means and variances beside them.
std::int64_t normalization_parameters(const Graph& graph) {
  std::int64_t bytes = 0;
  for (std::size_t i = 0; i < graph.op_count(); ++i) {
    const std::string_view name = graph.op_name(OpId(i));
    if (name.ends_with("/scale") || name.ends_with("/shift")) bytes += graph.param_bytes(OpId(i));
  }
  return bytes / 4;
}

TEST(Nasnet, HasThePublishedParameters) {
  // keras.applications.NASNetLarge and NASNetMobile, in their tables 88.9 and 5.3 million: exactly
  // these totals, means and variances of the batch normalization included.
  const Graph large = build_network("nasnet");
  EXPECT_EQ(parameters(large) + normalization_parameters(large), 88'949'818);
  const Graph mobile = build_network("nasnet(size=mobile)");
  EXPECT_EQ(parameters(mobile) + normalization_parameters(mobile), 5'326'716);
}

TEST(Nasnet, DoesThePublishedWork) {
  // The paper's Table 2: 23.8 billion and 564 million multiply-adds an image.
  EXPECT_NEAR(multiply_adds(build_network("nasnet(batch=1)")), 23.8e9, 0.5e9);
  EXPECT_NEAR(multiply_adds(build_network("nasnet(size=mobile,batch=1)")), 564e6, 12e6);
}

TEST(Nasnet, TakesTheSizeOfTheImages) {
  EXPECT_LT(multiply_adds(build_network("nasnet(image=224)")),
            multiply_adds(build_network("nasnet")) / 2);
  EXPECT_THROW(build_network("nasnet(image=16)"), InputError);
}

TEST(Nasnet, IsSound) {
  expect_sound_network("nasnet");
  expect_sound_network("nasnet(size=mobile)");
}

}  // namespace
}  // namespace berth::zoo
