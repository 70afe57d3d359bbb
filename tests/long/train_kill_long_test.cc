// Training killed fifty times on its way.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cli/train_kill.h"

namespace berth {
namespace {

TEST(TrainKilledLong, EndsAsIfNeverKilled) {
#ifndef BERTH_HAS_LEARNED
  GTEST_SKIP() << "built without libtorch";
#endif
  const cli::KillRecord record = cli::kill_training(50, 2);
  EXPECT_EQ(record.kills, 50);
  EXPECT_GT(record.while_writing, 0);
  EXPECT_GT(record.resumptions, 0);
  fmt::print("{} kills, {} of them while a checkpoint was written; {} resumptions\n", record.kills,
             record.while_writing, record.resumptions);
}

}  // namespace
}  // namespace berth
