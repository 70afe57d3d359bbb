#include "base/progress.h"

#include <gtest/gtest.h>

#include <thread>

#include "base/pseudo_terminal.h"

namespace berth {
namespace {

using std::chrono::milliseconds;

void wait(int count) { std::this_thread::sleep_for(milliseconds(count)); }

TEST(Progress, ShowsAfterASecondAndWipesItselfAway) {
  const PseudoTerminal terminal(STDERR_FILENO, 20);
  if (!terminal.works()) GTEST_SKIP() << "no pseudo terminals here";
  {
    Progress progress(true);
    progress.update("early");
    EXPECT_EQ(terminal.output(), "");
    wait(1050);
    progress.update("a line\nlonger than the terminal");
    EXPECT_EQ(terminal.output(), "\r\x1b[Ka line longer than ");
    wait(150);
    for (int i = 0; i < 10; ++i) progress.update("again");
    EXPECT_EQ(terminal.output(), "\r\x1b[Kagain");
  }
  EXPECT_EQ(terminal.output(), "\r\x1b[K");
}

TEST(Progress, IsSilentWhenDisabledOrNotOnATerminal) {
  {
    const PseudoTerminal terminal(STDERR_FILENO, 20);
    if (!terminal.works()) GTEST_SKIP() << "no pseudo terminals here";
    Progress disabled(false);
    wait(1050);
    disabled.update("text");
    EXPECT_EQ(terminal.output(), "");
  }
  testing::internal::CaptureStderr();
  {
    Progress progress(true);
    wait(1050);
    progress.update("text");
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(Progress, QuickTasksLeaveNoTrace) {
  const PseudoTerminal terminal(STDERR_FILENO, 20);
  if (!terminal.works()) GTEST_SKIP() << "no pseudo terminals here";
  {
    Progress progress(true);
    progress.update("text");
  }
  EXPECT_EQ(terminal.output(), "");
}

}  // namespace
}  // namespace berth
