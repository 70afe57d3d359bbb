#include "base/shell_word.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

TEST(ShellWord, QuotesWhatAShellWouldTakeApart) {
  EXPECT_EQ(shell_word("zoo:nmt:layers=4"), "zoo:nmt:layers=4");
  EXPECT_EQ(shell_word("a b"), "'a b'");
  EXPECT_EQ(shell_word("$(date)"), "'$(date)'");
  EXPECT_EQ(shell_word("it's"), R"('it'\''s')");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("\xc3\xa9"), "'\xc3\xa9'");
}

TEST(ShellWord, LeavesOutWhatControlsATerminal) {
  EXPECT_EQ(shell_word("a\x1b[31m\n\x7f\xc2\x9b\xe2\x80\xae\xff.json"), "'a[31m.json'");
}

}  // namespace
}  // namespace berth
