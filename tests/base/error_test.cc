#include "base/error.h"

#include <gtest/gtest.h>

#include "base/budget.h"

namespace berth {
namespace {

TEST(InputError, CarriesWhatItIsAbout) {
  const InputError plain("a sentence");
  EXPECT_EQ(plain.code(), ErrorCode::bad_input);
  EXPECT_EQ(plain.subject() + plain.place(), "");

  const InputError error("no device", {.code = ErrorCode::unknown_name, .subject = "gpu:9"});
  const InputError placed = error.in("p.json");
  EXPECT_STREQ(placed.what(), "p.json: no device");
  EXPECT_EQ(placed.code(), ErrorCode::unknown_name);
  EXPECT_EQ(placed.subject(), "gpu:9");
  EXPECT_EQ(placed.place(), "p.json");
  const InputError again = placed.in("outer").reworded("other words");
  EXPECT_STREQ(again.what(), "other words");
  EXPECT_EQ(again.place(), "p.json");
  EXPECT_EQ(again.code(), ErrorCode::unknown_name);
}

TEST(InputError, SaysWhichOptionOrNameIsWrong) {
  const auto facts = [](std::string_view budget) {
    try {
      parse_budget(budget);
    } catch (const InputError& error) {
      return error.facts();
    }
    return ErrorFacts{};
  };
  EXPECT_EQ(facts("10").code, ErrorCode::bad_option);
  EXPECT_EQ(facts("10").subject, "budget");
  EXPECT_EQ(facts("10s").code, ErrorCode::bad_input);
}

TEST(JoinNames, ReadsLikeASentence) {
  EXPECT_EQ(join_names({}), "");
  EXPECT_EQ(join_names({"a"}), "a");
  EXPECT_EQ(join_names({"a", "b"}), "a and b");
  EXPECT_EQ(join_names({"a", "b", "c"}), "a, b and c");
}

TEST(JoinNames, CountsTheRestPastTheLimit) {
  EXPECT_EQ(join_names({"a", "b", "c", "d"}, 2), "a, b and 2 more");
  EXPECT_EQ(join_names({"a", "b", "c"}, 2), "a, b and c");
  EXPECT_EQ(join_names({"a", "b", "c"}, 0), "3 more");
}

TEST(JoinNames, CannotGarbleTheTerminal) {
  EXPECT_EQ(join_names({"\x1b[2J", "b"}), "\\x1b[2J and b");
}

TEST(DidYouMean, FindsTheNearestSpelling) {
  const std::vector<std::string> known = {"anneal", "random", "etf", "heft", "sct"};
  EXPECT_EQ(did_you_mean("aneal", known), "; did you mean \"anneal\"?");
  EXPECT_EQ(did_you_mean("anenal", known), "; did you mean \"anneal\"?");
  EXPECT_EQ(did_you_mean("RANDOM", known), "; did you mean \"random\"?");
  EXPECT_EQ(did_you_mean("etff", known), "; did you mean \"etf\"?");
}

TEST(DidYouMean, KnowsAbbreviationsThatMeanOneThing) {
  EXPECT_EQ(did_you_mean("mem", {"name", "memory"}), "; did you mean \"memory\"?");
  EXPECT_EQ(did_you_mean("opset", {"name", "ops"}), "");  // a longer word is another word
  EXPECT_EQ(did_you_mean("gpu", {"gpu:00", "gpu:11"}), "");
  EXPECT_EQ(did_you_mean("me", {"memory"}), "");
}

TEST(DidYouMean, IsSilentWhenNothingIsNear) {
  EXPECT_EQ(did_you_mean("genetic", {"anneal", "random"}), "");
  EXPECT_EQ(did_you_mean("", {"a"}), "");
  EXPECT_EQ(did_you_mean("x", {"y"}), "");
  EXPECT_EQ(did_you_mean("anneal", {}), "");
  EXPECT_EQ(did_you_mean(std::string(100000, 'x'), {std::string(100000, 'x')}), "");
}

TEST(Quoted, EscapesWhatATerminalWouldObey) {
  EXPECT_EQ(quoted("plain"), "\"plain\"");
  EXPECT_EQ(quoted("a\"b\\c"), "\"a\\\"b\\\\c\"");
  EXPECT_EQ(quoted("line\nnext\ttab\r"), "\"line\\nnext\\ttab\\r\"");
  EXPECT_EQ(quoted("\x1b[31m"), "\"\\x1b[31m\"");
  EXPECT_EQ(quoted(std::string_view("\0", 1)), "\"\\x00\"");
  EXPECT_EQ(quoted("\x7f"), "\"\\x7f\"");
  EXPECT_EQ(quoted("\xc2\x9b"), "\"\\x9b\"");        // a control sequence in one character
  EXPECT_EQ(quoted("\xe2\x80\xae"), "\"\\u202e\"");  // turns the line around
}

TEST(Quoted, KeepsGoodUtf8AndEscapesBroken) {
  EXPECT_EQ(quoted("gr\xc3\xbc\xc3\x9f"), "\"gr\xc3\xbc\xc3\x9f\"");
  EXPECT_EQ(quoted("\xc3"), "\"\\xc3\"");
  EXPECT_EQ(quoted("\xff\xfe"), "\"\\xff\\xfe\"");
  EXPECT_EQ(quoted("\xed\xa0\x80"), "\"\\xed\\xa0\\x80\"");  // a surrogate
  EXPECT_EQ(quoted("\xc0\xaf"), "\"\\xc0\\xaf\"");           // an overlong slash
}

TEST(Quoted, ShortensLongText) {
  EXPECT_EQ(quoted(std::string(100, 'x')), '"' + std::string(100, 'x') + '"');
  EXPECT_EQ(quoted(std::string(101, 'x')), '"' + std::string(100, 'x') + "...\"");
}

}  // namespace
}  // namespace berth
