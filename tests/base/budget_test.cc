#include "base/budget.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/thrown.h"

namespace berth {
namespace {

TEST(ParseBudget, Times) {
  EXPECT_EQ(parse_budget("10s").seconds, 10);
  EXPECT_EQ(parse_budget("500ms").seconds, 0.5);
  EXPECT_EQ(parse_budget("2min").seconds, 120);
  EXPECT_EQ(parse_budget("2h").seconds, 7200);
  EXPECT_EQ(parse_budget("0.5h,9evals"), (Budget{.seconds = 1800, .evaluations = 9}));
  EXPECT_EQ(parse_budget(" 1.5 s ").seconds, 1.5);
  EXPECT_TRUE(std::isinf(parse_budget("10s").evaluations));
}

TEST(ParseBudget, Evaluations) {
  EXPECT_EQ(parse_budget("5000evals").evaluations, 5000);
  EXPECT_EQ(parse_budget("5000 evals").evaluations, 5000);
  EXPECT_EQ(parse_budget("1eval").evaluations, 1);
  EXPECT_EQ(parse_budget("1e6 evaluations").evaluations, 1e6);
  EXPECT_TRUE(std::isinf(parse_budget("5000evals").seconds));
}

TEST(ParseBudget, BothLimits) {
  EXPECT_EQ(parse_budget("10s, 5000evals"), (Budget{.seconds = 10, .evaluations = 5000}));
  EXPECT_THROW(parse_budget("10s,5s"), InputError);
  EXPECT_THROW(parse_budget("10s,"), InputError);
}

TEST(ParseBudget, RefusesWithExamples) {
  const std::string examples =
      "; write a time such as 10s, 2min or 1h, or a number of evaluations such as 5000evals";
  EXPECT_EQ(thrown([] { parse_budget("10"); }), "the budget \"10\" has no unit" + examples);
  EXPECT_EQ(thrown([] { parse_budget("10 hours"); }),
            "the budget \"10 hours\" has the unknown unit \"hours\"" + examples);
  EXPECT_EQ(thrown([] { parse_budget(""); }),
            "the budget \"\" does not begin with a number" + examples);
  EXPECT_EQ(thrown([] { parse_budget("0s"); }), "the budget \"0s\" must be more than 0" + examples);
  EXPECT_EQ(thrown([] { parse_budget("-5s"); }),
            "the budget \"-5s\" must be more than 0" + examples);
  EXPECT_EQ(thrown([] { parse_budget("-5evals"); }),
            "the budget \"-5evals\" must be more than 0" + examples);
  EXPECT_EQ(thrown([] { parse_budget("1e999s"); }),
            "the budget \"1e999s\" is too large" + examples);
  EXPECT_EQ(thrown([] { parse_budget("1e999evals"); }),
            "the budget \"1e999evals\" is too large" + examples);
  for (const char* text : {"s", "evals", "inf", "infs", "nan s", "+5s", "5 000evals", "1e-400s"}) {
    EXPECT_THROW(parse_budget(text), InputError) << text;
  }
}

TEST(FormatBudget, ReadsBack) {
  EXPECT_EQ(format_budget({}), "unlimited");
  EXPECT_EQ(format_budget(parse_budget("10s")), "10s");
  EXPECT_EQ(format_budget(parse_budget("5000 evals")), "5000evals");
  for (const char* text : {"10us", "333ms", "7min", "1.1h", "123456789evals", "0.1s,1e20evals"}) {
    EXPECT_EQ(parse_budget(format_budget(parse_budget(text))), parse_budget(text)) << text;
  }
}

}  // namespace
}  // namespace berth
