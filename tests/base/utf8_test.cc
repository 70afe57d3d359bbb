#include "base/utf8.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

TEST(Utf8, EveryCodePointRoundTrips) {
  for (char32_t c = 0; c <= 0x10ffff; ++c) {
    if (c >= 0xd800 && c <= 0xdfff) continue;
    std::string text;
    append_utf8(text, c);
    const CodePoint point = decode_utf8(text, 0);
    ASSERT_EQ(point.value, c);
    ASSERT_EQ(point.length, text.size());
  }
}

TEST(Utf8, RefusesWhatIsNotShortestOrNotACharacter) {
  for (const char* text :
       {"\x80", "\xc0\x80", "\xc1\xbf", "\xe0\x9f\xbf", "\xf0\x8f\xbf\xbf", "\xed\xa0\x80",
        "\xed\xbf\xbf", "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80", "\xff", "\xc3", "\xc3(",
        "\xe2\x82", "\xf0\x9f\x98"}) {
    EXPECT_EQ(decode_utf8(text, 0).length, 0u) << testing::PrintToString(text);
  }
}

TEST(Utf8, TellsControlsFromCharacters) {
  for (const int c :
       {0x0, 0x1b, 0x7f, 0x9b, 0x200b, 0x200e, 0x2028, 0x202e, 0x2066, 0x2069, 0xfeff, 0xe0041}) {
    EXPECT_TRUE(is_control(static_cast<char32_t>(c))) << c;
  }
  for (const int c : {0x20, 0x27, 0x7e, 0xa0, 0xe9, 0x2010, 0x2030, 0x3042, 0x1f600}) {
    EXPECT_FALSE(is_control(static_cast<char32_t>(c))) << c;
  }
  EXPECT_EQ(without_controls("a\x1b[1m\xc2\x9b\xff\xc3\xa9"), "a?[1m??\xc3\xa9");
}

TEST(Utf8, FindsTheFirstBrokenByte) {
  EXPECT_EQ(find_invalid_utf8("plain \xc3\xa9"), std::string_view::npos);
  EXPECT_EQ(find_invalid_utf8("ab\xc3\xa9\xff"), 4u);
  EXPECT_EQ(find_invalid_utf8(""), std::string_view::npos);
}

}  // namespace
}  // namespace berth
