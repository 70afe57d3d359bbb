#include "base/terminal.h"

#include <gtest/gtest.h>

#include "base/pseudo_terminal.h"

namespace berth {
namespace {

TEST(DisplayWidth, CountsColumns) {
  EXPECT_EQ(display_width(""), 0);
  EXPECT_EQ(display_width("abc"), 3);
  EXPECT_EQ(display_width("gr\u00fc\u00df"), 4);
  EXPECT_EQ(display_width("\u4e2d\u6587"), 4);
  EXPECT_EQ(display_width("\U0001f600"), 2);
  EXPECT_EQ(display_width("e\u0301"), 1);
  EXPECT_EQ(display_width("\u2500\u2588"), 2);
  EXPECT_EQ(display_width("\xff\xc3"), 2);
  EXPECT_EQ(display_width("a\tb"), 2);
}

TEST(CutToWidth, NeverSplitsACharacter) {
  EXPECT_EQ(cut_to_width("abcdef", 3), "abc");
  EXPECT_EQ(cut_to_width("abc", 10), "abc");
  EXPECT_EQ(cut_to_width("abc", 0), "");
  EXPECT_EQ(cut_to_width("\u00fc\u00fc\u00fc", 2), "\u00fc\u00fc");
  EXPECT_EQ(cut_to_width("\u4e2d\u6587", 3), "\u4e2d");
  EXPECT_EQ(cut_to_width("e\u0301x", 1), "e\u0301");
}

class TerminalTest : public testing::Test {
 protected:
  TerminalTest() {
    remember("NO_COLOR", no_color_);
    remember("TERM", term_);
    ::unsetenv("NO_COLOR");
    ::setenv("TERM", "xterm", 1);
  }
  ~TerminalTest() override {
    restore("NO_COLOR", no_color_);
    restore("TERM", term_);
  }

 private:
  static void remember(const char* name, std::string& value) {
    if (const char* found = std::getenv(name)) value = found;
  }
  static void restore(const char* name, const std::string& value) {
    if (value.empty())
      ::unsetenv(name);
    else
      ::setenv(name, value.c_str(), 1);
  }
  std::string no_color_;
  std::string term_;
};

TEST_F(TerminalTest, SeesATerminalAndItsWidth) {
  const PseudoTerminal terminal(STDOUT_FILENO, 123);
  if (!terminal.works()) GTEST_SKIP() << "no pseudo terminals here";
  const bool is_terminal = stdout_is_terminal();
  const int width = terminal_width();
  EXPECT_TRUE(is_terminal);
  EXPECT_EQ(width, 123);
}

TEST_F(TerminalTest, StderrHasAWidthOfItsOwn) {
  const PseudoTerminal out(STDOUT_FILENO, 100);
  const PseudoTerminal error(STDERR_FILENO, 50);
  if (!out.works() || !error.works()) GTEST_SKIP() << "no pseudo terminals here";
  EXPECT_TRUE(stderr_is_terminal());
  EXPECT_EQ(terminal_width(), 100);
  EXPECT_EQ(stderr_width(), 50);
}

TEST_F(TerminalTest, ColorsOnlyWhereWanted) {
  const PseudoTerminal terminal(STDOUT_FILENO, 80);
  if (!terminal.works()) GTEST_SKIP() << "no pseudo terminals here";
  EXPECT_TRUE(use_color());
  ::setenv("TERM", "dumb", 1);
  EXPECT_FALSE(use_color());
  ::setenv("TERM", "xterm", 1);
  ::setenv("NO_COLOR", "1", 1);
  EXPECT_FALSE(use_color());
  ::setenv("NO_COLOR", "", 1);  // set but empty counts as not set, as no-color.org has it
  EXPECT_TRUE(use_color());
}

TEST_F(TerminalTest, APipeIsNoTerminal) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  std::fflush(nullptr);
  const int saved = ::dup(STDOUT_FILENO);
  ::dup2(ends[1], STDOUT_FILENO);
  const bool is_terminal = stdout_is_terminal();
  const bool color = use_color();
  ::dup2(saved, STDOUT_FILENO);
  for (const int end : {ends[0], ends[1], saved}) ::close(end);
  EXPECT_FALSE(is_terminal);
  EXPECT_FALSE(color);
}

}  // namespace
}  // namespace berth
