#include "cost/lost_devices.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "cluster/lost_devices.h"
#include "cluster/presets.h"

namespace berth {
namespace {

TEST(ConstraintsOnWhatIsLeft, KeepWhatStillMeansSomething) {
  const Cluster whole = make_preset("2xP100");
  const Cluster rest = without_devices(whole, std::vector<std::string>{"gpu:1"});
  Constraints constraints;
  constraints.pins = {{"a", {"gpu:0", "gpu:1"}}, {"b", {"gpu"}}, {"c", {"nonsense"}}};
  constraints.forbidden_devices = {"gpu:1", "cpu"};
  const Constraints left = without_lost(constraints, whole, rest);
  EXPECT_EQ(left.pins[0].devices, std::vector<std::string>{"gpu:0"});
  EXPECT_EQ(left.pins[1].devices, std::vector<std::string>{"gpu"});
  // Not a lost device but a wrong name; the problem says so.
  EXPECT_EQ(left.pins[2].devices, std::vector<std::string>{"nonsense"});
  EXPECT_EQ(left.forbidden_devices, std::vector<std::string>{"cpu"});
}

TEST(ConstraintsOnWhatIsLeft, APinToLostDevicesAloneIsRefused) {
  const Cluster whole = make_preset("2xP100");
  const Cluster rest = without_devices(whole, std::vector<std::string>{"gpu:1"});
  Constraints constraints{.pins = {{"head*", {"gpu:1"}}}, .source = "mine.json"};
  try {
    without_lost(constraints, whole, rest);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "mine.json: \"head*\" is pinned to gpu:1, which is lost; pin it to a device that "
                 "is left: cpu:0 and gpu:0");
  }
}

}  // namespace
}  // namespace berth
