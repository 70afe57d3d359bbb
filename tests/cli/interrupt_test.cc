#include "cli/interrupt.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace berth::cli {
namespace {

// Signals and their actions belong to the process, so every test runs in one of its own. Returns
// the status of waitpid.
template <class Action>
int run_in_child(Action&& action) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(action() ? 0 : 1);
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

bool succeeded(int status) { return WIFEXITED(status) && WEXITSTATUS(status) == 0; }

TEST(Interrupt, FirstSignalSetsTheFlag) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    EXPECT_TRUE(succeeded(run_in_child([&] {
      Interrupt::install();
      const bool before = Interrupt::requested();
      ::raise(signal);
      return !before && Interrupt::requested();
    }))) << signal;
  }
}

TEST(Interrupt, SecondSignalKills) {
  const int status = run_in_child([] {
    Interrupt::install();
    ::raise(SIGINT);
    ::raise(SIGINT);
    return true;
  });
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGINT);
}

TEST(Interrupt, SecondSignalOfAnotherKindKills) {
  for (const auto& [first, second] : {std::pair{SIGTERM, SIGINT}, std::pair{SIGINT, SIGTERM}}) {
    const int status = run_in_child([first = first, second = second] {
      Interrupt::install();
      ::raise(first);
      ::raise(second);
      return true;
    });
    ASSERT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(WTERMSIG(status), second);
  }
}

TEST(Interrupt, ResetWaitsForAnotherFirstSignal) {
  EXPECT_TRUE(succeeded(run_in_child([] {
    Interrupt::install();
    ::raise(SIGINT);
    Interrupt::reset();
    const bool forgotten = !Interrupt::requested();
    ::raise(SIGINT);
    return forgotten && Interrupt::requested();
  })));
}

TEST(Interrupt, IgnoredSignalsStayIgnored) {
  EXPECT_TRUE(succeeded(run_in_child([] {
    ::signal(SIGINT, SIG_IGN);
    Interrupt::install();
    ::raise(SIGINT);
    ::raise(SIGINT);
    return !Interrupt::requested();
  })));
}

TEST(Interrupt, TheTokenIsSetByTheSignal) {
  EXPECT_TRUE(succeeded(run_in_child([] {
    Interrupt::install();
    const StopToken token = Interrupt::token();
    const bool before = token.requested();
    ::raise(SIGTERM);
    return !before && token.requested();
  })));
}

}  // namespace
}  // namespace berth::cli
