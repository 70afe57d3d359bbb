#include "cluster/lost_devices.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "cluster/presets.h"

namespace berth {
namespace {

TEST(LostDevices, AreNamedOnceInTheClustersOrder) {
  const Cluster cluster = make_preset("4xP100");
  const std::vector<std::string> expected = {"gpu:1", "gpu:3"};
  EXPECT_EQ(parse_lost_devices("gpu:3, gpu:1,gpu:3", cluster), expected);
  EXPECT_EQ(without_text(expected), " without gpu:1, gpu:3");
  EXPECT_EQ(without_text({}), "");
}

TEST(LostDevices, UnknownAndAllAreRefused) {
  const Cluster cluster = make_preset("2xP100");
  try {
    parse_lost_devices("gpu:7", cluster);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("its devices are cpu:0, gpu:0 and gpu:1"),
              std::string::npos)
        << error.what();
    EXPECT_EQ(error.code(), ErrorCode::unknown_name);
    EXPECT_NE(error.subject(), "");
  }
  EXPECT_THROW(parse_lost_devices("gpu:1,gpu:0,cpu:0", cluster), InputError);
  EXPECT_THROW(parse_lost_devices("gpu:1,", cluster), InputError);
}

// What is left is routed as before, link by link, and nothing leads to what is gone.
TEST(LostDevices, OtherRoutesStay) {
  for (const char* name : {"4xP100", "8xV100-nvlink", "2x8xA100-ib"}) {
    const Cluster whole = make_preset(name);
    const std::vector<std::string> lost = {whole.devices()[1].name, whole.devices().back().name};
    const Cluster rest = without_devices(whole, lost);
    EXPECT_EQ(rest.name(), whole.name() + without_text(lost));
    ASSERT_EQ(rest.device_count(), whole.device_count() - 2);
    const std::vector<DeviceId> left = devices_by_name(whole, rest);
    EXPECT_FALSE(left[1].valid());
    EXPECT_FALSE(left.back().valid());
    for (std::size_t i = 0; i < left.size(); ++i) {
      for (std::size_t j = 0; j < left.size(); ++j) {
        if (i == j || !left[i].valid() || !left[j].valid()) continue;
        EXPECT_EQ(rest.device(left[i]), whole.device(DeviceId(i)));
        const Route before = whole.route(DeviceId(i), DeviceId(j));
        const Route after = rest.route(left[i], left[j]);
        EXPECT_EQ(after.channels.size(), before.channels.size());
        EXPECT_EQ(after.bandwidth, before.bandwidth);
        EXPECT_EQ(after.latency_seconds, before.latency_seconds);
      }
    }
    for (const Link& link : rest.links()) {
      for (const std::string& name_of_lost : lost) {
        EXPECT_NE(rest.vertex_name(link.from), name_of_lost);
        EXPECT_NE(rest.vertex_name(link.to), name_of_lost);
      }
    }
  }
}

}  // namespace
}  // namespace berth
