#include <algorithm>

#include "base/error.h"
#include "zoo/network.h"

namespace berth::zoo {
namespace {

TEST(Amoebanet, HasThePublishedParameters) {
  // GPipe's Table 1 gives 82M, 318M, 542M, 1.05B and 1.8B, the reproduction in torchgpipe 81.5M,
  // 319.0M, 542.7M, 1.06B and 1.84B.
  const auto millions = [](const std::string& size) {
    return static_cast<double>(parameters(build_network("amoebanet(" + size + ")"))) / 1e6;
  };
  EXPECT_NEAR(millions("layers=18,filters=208"), 81.5, 0.05);
  EXPECT_NEAR(millions("layers=18,filters=416"), 319.0, 0.05);
  EXPECT_NEAR(millions("layers=18,filters=544"), 542.7, 0.05);
  EXPECT_NEAR(millions("layers=36,filters=544"), 1060, 5);
  EXPECT_NEAR(millions("layers=72,filters=512"), 1840, 5);
}

TEST(Amoebanet, ExpertUsesAllGpus) {
  const Problem problem(build_network("amoebanet", Mode::training), make_preset("4xP100"));
  const auto plan = find_workload("amoebanet").expert(problem);
  ASSERT_TRUE(plan);
  std::vector<int> ops(problem.device_count());
  for (const DeviceId device : plan->placement) ++ops[device.index()];
  EXPECT_EQ(std::count_if(ops.begin(), ops.end(), [](int count) { return count > 0; }), 4);
}

TEST(Amoebanet, RefusesStagesOfDifferentLength) {
  EXPECT_THROW(build_network("amoebanet(layers=19)"), InputError);
}

TEST(Amoebanet, IsSound) {
  expect_sound_network("amoebanet");
  expect_sound_network("amoebanet(layers=3,filters=32,batch=2)");
}

}  // namespace
}  // namespace berth::zoo
