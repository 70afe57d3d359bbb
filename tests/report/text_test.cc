#include "report/text.h"

#include <gtest/gtest.h>

#include "report/table.h"

namespace berth::report {
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

TEST(Table, TakesAtMostThePage) {
  using Align = Table::Align;
  Table table({{"name"}, {"number", Align::right}, {"", Align::left, Table::Room::optional}});
  table.add_row({std::string(60, 'a'), std::string(20, '1'), "bar"});
  // What is optional goes first, then the middle of the name; the number stays.
  EXPECT_EQ(table.to_text(), "name" + std::string(54, ' ') + std::string(16, ' ') + "number\n" +
                                 std::string(28, 'a') + "…" + std::string(29, 'a') + "  " +
                                 std::string(20, '1') + "\n");
}

TEST(Table, SentencesGoOnBelow) {
  Table table({{"option"}, {"", Table::Align::sentence}});
  std::string sentence = "word";
  for (int i = 0; i < 20; ++i) sentence += " word";
  table.add_row({"first", sentence});
  table.add_row({"second", "short"});
  EXPECT_EQ(table.to_text(2),
            "  option\n"
            "  first   word word word word word word word word word word word word word word\n"
            "          word word word word word word word\n"
            "  second  short\n");
}

TEST(Text, TitlesAreOneLine) {
  EXPECT_EQ(title_line("zoo:tiny", "2xP100", "auto"), "zoo:tiny on 2xP100, auto");
  EXPECT_EQ(title_line("zoo:tiny", "2xP100", ""), "zoo:tiny on 2xP100");
  const std::string name(100, 'x');
  EXPECT_EQ(visible_width(title_line(name, name, name)), 80u);
}

TEST(Table, ColoursTakeNoRoom) {
  Table table({{""}, {""}}, Ink(true));
  table.add_row({Ink(true).bad("x"), "1"});
  table.add_row({"long", "2"});
  EXPECT_EQ(table.to_text(), "\x1b[31mx\x1b[0m     1\nlong  2\n");
}

}  // namespace
}  // namespace berth::report
