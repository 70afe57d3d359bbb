#include "base/parallel.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <stdexcept>
#include <string>

namespace berth {
namespace {

TEST(Parallel, RunsEveryTaskOnce) {
  for (const std::size_t threads : {0, 1, 3, 50}) {
    std::vector<int> runs(20);
    in_parallel(runs.size(), threads, [&](std::size_t i) { ++runs[i]; });
    EXPECT_EQ(runs, std::vector<int>(20, 1));
  }
}

TEST(Parallel, TheFirstFailureInOrderReachesTheCaller) {
  for (const std::size_t threads : {1, 2, 8}) {
    for (int round = 0; round < 200; ++round) {
      std::string told;
      try {
        in_parallel(50, threads, [](std::size_t i) {
          if (i >= 7 && i % 2 == 1) throw std::runtime_error(std::to_string(i));
        });
      } catch (const std::runtime_error& error) {
        told = error.what();
      }
      ASSERT_EQ(told, "7") << threads;
    }
  }
}

#ifndef __SANITIZE_ADDRESS__
// In a process that may have hardly more memory than it has, so that no stack fits.
TEST(Parallel, DoesWithFewerThreads) {
  const pid_t child = ::fork();
  if (child == 0) {
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlim_t bytes = pages * static_cast<std::size_t>(::getpagesize()) + (1 << 20);
    const rlimit limit{.rlim_cur = bytes, .rlim_max = bytes};
    ::setrlimit(RLIMIT_AS, &limit);
    std::atomic<int> runs = 0;
    in_parallel(100, 8, [&](std::size_t) { ++runs; });
    ::_exit(runs == 100 ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}
#endif

}  // namespace
}  // namespace berth
