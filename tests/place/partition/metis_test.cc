#include "place/partition/metis.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <set>
#include <thread>

#include "place/method_runs.h"
#include "place/tiny_problems.h"

namespace berth::place {
namespace {

using namespace fixtures;

TEST(Metis, BalancesWorkAndCutsLittle) {
  const Problem problem(layered_graph(2000, 7), tiny_cluster({.gpus = 4}));
  const Placed placed = run_method("metis", problem);
  const std::vector<double> busy = busy_seconds(problem, placed.plan);
  EXPECT_EQ(busy[0], 0);  // the CPU
  const double mean = (busy[1] + busy[2] + busy[3] + busy[4]) / 4;
  for (std::size_t gpu = 1; gpu <= 4; ++gpu) EXPECT_NEAR(busy[gpu] / mean, 1, 0.04);
  const Placed dealt = run_method("round_robin", problem);
  EXPECT_LT(placed.outcome.transferred_bytes, dealt.outcome.transferred_bytes / 10);
}

TEST(Metis, GivesUnequalDevicesUnequalShares) {
  const Problem problem(layered_graph(2000, 7), tiny_cluster({.gpus = 2}));
  const std::vector<double> busy =
      busy_seconds(problem, run_method("metis:devices=all", problem).plan);
  EXPECT_NEAR(busy[0] / busy[1], 1, 0.1);
}

TEST(Metis, BalancesMemoryWhenAsked) {
  // Two kinds of ops: all time or all bytes, in clusters of their own.
  std::vector<TinyOp> ops;
  for (int i = 0; i < 400; ++i) {
    const bool slow = i < 200;
    TinyOp op{.name = "op" + std::to_string(i), .gpu_seconds = slow ? 1e-3 : 1e-6};
    op.param_bytes = slow ? 1 : 1000;
    if (i > 0) op.inputs = {"op" + std::to_string(i - 1)};
    op.output_bytes = 10;
    ops.push_back(op);
  }
  const Problem problem(tiny_graph("two kinds", ops), tiny_cluster());
  const auto unevenness = [&](const char* method) {
    const Outcome outcome = run_method(method, problem).outcome;
    const double left = static_cast<double>(outcome.peak_bytes[1]);
    const double right = static_cast<double>(outcome.peak_bytes[2]);
    return std::max(left, right) / (left + right);
  };
  EXPECT_GT(unevenness("metis"), 0.9);
  EXPECT_LT(unevenness("metis:memory=on"), 0.62);
}

TEST(Metis, VolumeAndTriesWork) {
  const Problem problem(layered_graph(800, 6), tiny_cluster({.gpus = 4}));
  const std::int64_t dealt = run_method("round_robin", problem).outcome.transferred_bytes;
  for (const char* method : {"metis:objective=volume", "metis:tries=10",
                             "metis:memory=on:objective=volume", "metis:imbalance=0.5"}) {
    const Placed placed = run_method(method, problem);
    EXPECT_EQ(placed.remark, "") << method;
    EXPECT_LT(placed.outcome.transferred_bytes, dealt / 5) << method;
  }
}

TEST(Metis, IsSilentOnStdout) {
  // A graph of one heavy vertex and few others on many parts makes the library complain.
  std::vector<TinyOp> ops = {{.name = "heavy", .gpu_seconds = 1000}};
  for (int i = 0; i < 12; ++i)
    ops.push_back({.name = "op" + std::to_string(i), .inputs = {"heavy"}});
  const Problem problem(tiny_graph("heavy", ops), tiny_cluster({.gpus = 9}));
  ::testing::internal::CaptureStdout();
  for (std::uint64_t seed = 0; seed < 20; ++seed) run_method("metis", problem, seed);
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
}

TEST(Metis, SeedsMatterAndRepeat) {
  const Problem problem(layered_graph(500, 4), tiny_cluster({.gpus = 4}));
  std::set<std::string> plans;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const std::string plan = devices_of(problem, run_method("metis", problem, seed).plan);
    EXPECT_EQ(plan, devices_of(problem, run_method("metis", problem, seed).plan));
    plans.insert(plan);
  }
  EXPECT_GT(plans.size(), 1u);
}

// METIS would handle signals itself, and the program that Berth is a library of has handlers too.
TEST(Metis, LeavesTheHandlersOfSignalsAsTheyWere) {
  struct sigaction mine {};
  mine.sa_sigaction = [](int, siginfo_t*, void*) {};
  mine.sa_flags = static_cast<int>(SA_SIGINFO | SA_RESTART);
  ::sigemptyset(&mine.sa_mask);
  ::sigaddset(&mine.sa_mask, SIGUSR1);
  for (const int signal : {SIGTERM, SIGABRT}) {
    struct sigaction before {};
    ::sigaction(signal, &mine, &before);
    run_method("metis", Problem(layered_graph(800, 6), tiny_cluster({.gpus = 4})));
    struct sigaction after {};
    ::sigaction(signal, &before, &after);
    EXPECT_EQ(after.sa_sigaction, mine.sa_sigaction) << signal;
    EXPECT_EQ(after.sa_flags & mine.sa_flags, mine.sa_flags) << signal;
    EXPECT_EQ(after.sa_flags & static_cast<int>(SA_RESETHAND), 0) << signal;
    EXPECT_EQ(::sigismember(&after.sa_mask, SIGUSR1), 1) << signal;
  }
}

std::atomic<int> heard = 0;

// A scheduler of jobs or a user may send SIGTERM at any time, and any thread may get it.
TEST(Metis, LeavesSignalsToTheHandlersOfTheProgramWhileItRuns) {
  struct sigaction mine {};
  mine.sa_handler = [](int) { ++heard; };
  struct sigaction before {};
  ::sigaction(SIGTERM, &mine, &before);
  const Problem problem(layered_graph(2000, 6), tiny_cluster({.gpus = 4}));
  std::atomic<bool> done = false;
  std::thread worker([&] {
    for (int i = 0; i < 5; ++i) run_method("metis", problem);
    done = true;
  });
  int sent = 0;
  while (!done) {
    // To this thread, whose handler is the one above.
    ::pthread_kill(::pthread_self(), SIGTERM);  // NOLINT(bugprone-bad-signal-to-kill-thread)
    ++sent;
    std::this_thread::yield();
  }
  worker.join();
  ::sigaction(SIGTERM, &before, nullptr);
  EXPECT_GT(sent, 0);
  EXPECT_EQ(heard, sent);
}

}  // namespace
}  // namespace berth::place
