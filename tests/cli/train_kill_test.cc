// A training that is killed loses little and ends the same; tests/long kills more often.
#include "cli/train_kill.h"

#include <gtest/gtest.h>

namespace berth::cli {
namespace {

TEST(TrainKilled, EndsAsIfNeverKilled) {
#ifndef BERTH_HAS_LEARNED
  GTEST_SKIP() << "built without libtorch";
#endif
  EXPECT_EQ(kill_training(5, 1).kills, 5);
}

}  // namespace
}  // namespace berth::cli
