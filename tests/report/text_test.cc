#include "report/text.h"

#include <gtest/gtest.h>

#include "report/table.h"

namespace berth {
namespace {

TEST(Text, NamesCannotGarbleTheTerminal) {
  EXPECT_EQ(plain_name("a\x1b[31mb\n\xff"), "a?[31mb??");
  EXPECT_EQ(plain_name("encoder/layer1/attention", 11), "encod…ntion");
  EXPECT_EQ(plain_name("中文中文中文", 7), "中…文");
}

TEST(Text, Percents) {
  EXPECT_EQ(format_percent(0), "0%");
  EXPECT_EQ(format_percent(0.00001), "<0.01%");
  EXPECT_EQ(format_percent(0.0412), "4.1%");
  EXPECT_EQ(format_percent(0.93), "93%");
  EXPECT_EQ(format_percent(12.5), "1250%");
}

TEST(Text, Ratios) {
  EXPECT_EQ(format_ratio(1), "1.00x");
  EXPECT_EQ(format_ratio(12.345), "12.3x");
  EXPECT_EQ(format_ratio(1e300 * 1e10), "-");
}

TEST(Text, BarsAreNeverEmptyForSomething) {
  EXPECT_EQ(text_bar(0, 4), "░░░░");
  EXPECT_EQ(text_bar(0.02, 4), "█░░░");
  EXPECT_EQ(text_bar(0.5, 4), "██░░");
  EXPECT_EQ(text_bar(7, 4), "████");
}

TEST(Text, ParagraphsAreWrapped) {
  EXPECT_EQ(wrap_text("one two three", 9, 2), "  one two\n  three\n");
  EXPECT_EQ(list_item("word"), "  - word\n");
}

TEST(Table, AlignsColumnsByWhatATerminalShows) {
  Table table({{"device"}, {"peak", Table::Align::right}});
  table.add_row({"gpu:0", "4.70 GiB"});
  table.add_row({"中", "1 B"});
  EXPECT_EQ(table.to_text(2),
            "  device      peak\n"
            "  gpu:0   4.70 GiB\n"
            "  中           1 B\n");
}

TEST(Table, LeavesOutEmptyColumnsAndTrailingSpaces) {
  Table table({{"a"}, {""}, {"b"}});
  table.add_row({"x", "", ""});
  EXPECT_EQ(table.to_text(), "a  b\nx\n");
}

TEST(Table, ColoursTakeNoRoom) {
  Table table({{""}, {""}}, Ink(true));
  table.add_row({Ink(true).bad("x"), "1"});
  table.add_row({"long", "2"});
  EXPECT_EQ(table.to_text(), "\x1b[31mx\x1b[0m     1\nlong  2\n");
}

}  // namespace
}  // namespace berth
