#include "base/options.h"

#include <gtest/gtest.h>

#include "base/thrown.h"

namespace berth {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;
using Type = OptionSpec::Type;

const std::vector<OptionSpec> kSpecs = {
    {.name = "restarts",
     .type = Type::integer,
     .default_value = "1",
     .sentence = "Runs.",
     .low = 1,
     .high = 100},
    {.name = "heat", .type = Type::real, .default_value = "0.5", .sentence = "Heat."},
    {.name = "greedy", .type = Type::boolean, .default_value = "off", .sentence = "Greed."},
    {.name = "start", .type = Type::text, .default_value = "", .sentence = "First plan."},
    {.name = "order",
     .type = Type::choice,
     .default_value = "random",
     .sentence = "Order.",
     .choices = {"random", "topological"}}};

Options options(std::string_view call) { return Options("anneal", kSpecs, parse_call(call)); }

TEST(ParseCall, BothSpellingsMeanTheSame) {
  const Pairs expected = {{"restarts", "4"}, {"seed", "1"}};
  for (const char* text : {"anneal(restarts=4,seed=1)", "anneal:restarts=4:seed=1",
                           " anneal ( restarts = 4 , seed=1 ) ", "anneal: restarts=4 : seed =1"}) {
    const Call call = parse_call(text);
    EXPECT_EQ(call.name, "anneal") << text;
    EXPECT_EQ(call.options, expected) << text;
  }
}

TEST(ParseCall, BareNames) {
  for (const char* text : {"anneal", "anneal()", "anneal( )"}) {
    EXPECT_EQ(parse_call(text).name, "anneal");
    EXPECT_TRUE(parse_call(text).options.empty());
  }
  EXPECT_EQ(parse_call("A100+V100").name, "A100+V100");
  EXPECT_EQ(parse_call("4xV100-nvlink_2.0").name, "4xV100-nvlink_2.0");
}

TEST(ParseCall, ValuesMayHoldCallsAndColons) {
  EXPECT_EQ(parse_call("auto(start=random(tries=3,seed=2),x=1)").options,
            (Pairs{{"start", "random(tries=3,seed=2)"}, {"x", "1"}}));
  EXPECT_EQ(parse_call("auto:start=random(tries=3:seed=2):x=1").options,
            (Pairs{{"start", "random(tries=3:seed=2)"}, {"x", "1"}}));
  EXPECT_EQ(parse_call("one:device=gpu:0:tries=3").options,
            (Pairs{{"device", "gpu:0"}, {"tries", "3"}}));
  EXPECT_EQ(parse_call("one(device=gpu:0,tries=3)").options,
            (Pairs{{"device", "gpu:0"}, {"tries", "3"}}));
  EXPECT_EQ(parse_call("x(a=b=c,d=)").options, (Pairs{{"a", "b=c"}, {"d", ""}}));
}

TEST(ParseCall, BrokenSyntax) {
  EXPECT_EQ(thrown([] { parse_call("anneal(restarts=4"); }),
            "\"anneal(restarts=4\" is missing a closing parenthesis");
  EXPECT_EQ(thrown([] { parse_call("anneal:start=f(x"); }),
            "\"anneal:start=f(x\" is missing a closing parenthesis");
  EXPECT_EQ(thrown([] { parse_call("anneal(a=1))"); }),
            "\"anneal(a=1))\" has a closing parenthesis without an opening one");
  EXPECT_EQ(thrown([] { parse_call("anneal(a=1)b"); }),
            "\"b\" follows the closing parenthesis in \"anneal(a=1)b\"");
  EXPECT_EQ(thrown([] { parse_call("anneal(fast)"); }),
            "\"fast\" in \"anneal(fast)\" is not an option; write NAME=VALUE");
  EXPECT_EQ(thrown([] { parse_call("anneal(a=1,,b=2)"); }),
            "an empty piece in \"anneal(a=1,,b=2)\" is not an option; write NAME=VALUE");
  EXPECT_EQ(thrown([] { parse_call(" "); }), "a name is expected but the text is empty");
  for (const char* text : {"anneal:", "anneal:a=1:", "anneal::a=1", "anneal:fast", "(a=1)", "=1",
                           "anneal)", "anneal a=1", "a,b", "anneal(=1)", "anneal(a b=1)",
                           "anneal(a=1,)", "anneal(a=1)(b=2)", "anneal(a=1):b=2", "\"x\""}) {
    EXPECT_THROW(parse_call(text), InputError) << text;
  }
}

TEST(SplitList, OnlyOutsideParentheses) {
  EXPECT_EQ(split_list("etf,random(tries=10,seed=1), sct"),
            (std::vector<std::string>{"etf", "random(tries=10,seed=1)", "sct"}));
  EXPECT_EQ(split_list("etf"), std::vector<std::string>{"etf"});
  EXPECT_EQ(thrown([] { split_list("a,,b"); }), "the list \"a,,b\" has an empty item");
  for (const char* text : {"", ",", "a,", ",a", "a(b,c", "a),b"}) {
    EXPECT_THROW(split_list(text), InputError) << text;
  }
}

TEST(Options, DefaultsAndGivenValues) {
  const Options defaults = options("anneal");
  EXPECT_EQ(defaults.integer("restarts"), 1);
  EXPECT_EQ(defaults.real("heat"), 0.5);
  EXPECT_FALSE(defaults.boolean("greedy"));
  EXPECT_EQ(defaults.text("start"), "");
  EXPECT_EQ(defaults.text("order"), "random");
  const Options given =
      options("anneal(restarts=1e2,heat=.25,greedy=yes,start=f(x=1),order=topological)");
  EXPECT_EQ(given.integer("restarts"), 100);
  EXPECT_EQ(given.real("restarts"), 100);
  EXPECT_EQ(given.real("heat"), 0.25);
  EXPECT_TRUE(given.boolean("greedy"));
  EXPECT_EQ(given.text("start"), "f(x=1)");
  EXPECT_EQ(given.text("order"), "topological");
}

TEST(Options, BooleanWords) {
  for (const char* word : {"on", "true", "yes", "1"}) {
    EXPECT_TRUE(options(std::string("anneal:greedy=") + word).boolean("greedy")) << word;
  }
  for (const char* word : {"off", "false", "no", "0"}) {
    EXPECT_FALSE(options(std::string("anneal:greedy=") + word).boolean("greedy")) << word;
  }
  EXPECT_EQ(thrown([] { options("anneal:greedy=maybe"); }),
            "option \"greedy\" of anneal must be on or off but is \"maybe\"");
}

TEST(Options, UnknownNamesListTheKnown) {
  EXPECT_EQ(thrown([] { options("anneal(restart=4)"); }),
            "anneal has no option \"restart\"; its options are restarts, heat, greedy, start and "
            "order; did you mean \"restarts\"?");
  EXPECT_EQ(thrown([] { Options("etf", {}, parse_call("etf:a=1")); }),
            "etf has no options; leave out \"a\"");
  EXPECT_EQ(thrown([] { options("anneal(heat=1,heat=2)"); }),
            "option \"heat\" of anneal is given twice; give it once");
}

TEST(Options, RangesAreNamed) {
  EXPECT_EQ(thrown([] { options("anneal(restarts=0)"); }),
            "option \"restarts\" of anneal must be a whole number from 1 to 100 but is \"0\"");
  EXPECT_EQ(thrown([] { options("anneal(heat=-0.5)"); }),
            "option \"heat\" of anneal must be a number of at least 0 but is \"-0.5\"");
  EXPECT_EQ(thrown([] { options("anneal(order=tpological)"); }),
            "option \"order\" of anneal must be one of random and topological but is "
            "\"tpological\"; did you mean \"topological\"?");
  for (const char* text : {"restarts=101", "restarts=1.5", "restarts=", "restarts=x", "restarts=1x",
                           "restarts=99999999999999999999", "restarts=+1", "heat=", "heat=inf",
                           "heat=nan", "heat=1e999", "heat=1 2", "order=", "order=RANDOM"}) {
    EXPECT_THROW(options(std::string("anneal:") + text), InputError) << text;
  }
  EXPECT_EQ(options("anneal:restarts=100").integer("restarts"), 100);
}

TEST(Options, IntegersStayExact) {
  const std::vector<OptionSpec> specs = {{.name = "seed", .default_value = "0", .sentence = ""}};
  EXPECT_EQ(Options("x", specs, parse_call("x:seed=9007199254740993")).integer("seed"),
            9007199254740993);
}

TEST(Options, CanonicalHoldsWhatWasGiven) {
  EXPECT_EQ(options("anneal").canonical(), "anneal");
  EXPECT_EQ(options("anneal()").canonical(), "anneal");
  EXPECT_EQ(options("anneal:greedy=1:restarts=1e1").canonical(), "anneal(restarts=10,greedy=on)");
  EXPECT_EQ(options("anneal(restarts=1)").canonical(), "anneal(restarts=1)");
}

TEST(Options, CompleteHoldsDefaultsToo) {
  const Options given = options("anneal:greedy=1");
  const Call complete = parse_call(given.complete());
  EXPECT_EQ(complete.name, "anneal");
  EXPECT_EQ(complete.options.size(), std::size(kSpecs));
  const Options again = options(given.complete());
  EXPECT_TRUE(again.boolean("greedy"));
  EXPECT_EQ(again.real("heat"), given.real("heat"));
  EXPECT_EQ(again.canonical(), given.complete());
}

TEST(Options, CanonicalReadsBack) {
  for (const char* text : {"anneal:start=a,b:heat=2", "anneal:start=f(a,b):heat=2",
                           "anneal(start=gpu:0,restarts=3)"}) {
    const Options first = options(text);
    const Options second = options(first.canonical());
    EXPECT_EQ(second.text("start"), first.text("start")) << first.canonical();
    EXPECT_EQ(second.real("heat"), first.real("heat"));
    EXPECT_EQ(second.canonical(), first.canonical());
  }
}

TEST(DescribeValues, NamesTheRange) {
  OptionSpec spec = kSpecs[0];
  EXPECT_EQ(describe_values(spec), "a whole number from 1 to 100");
  spec.high = std::numeric_limits<double>::infinity();
  EXPECT_EQ(describe_values(spec), "a whole number of at least 1");
  spec.low = -spec.high;
  EXPECT_EQ(describe_values(spec), "a whole number");
  spec.type = Type::real;
  spec.high = 0.5;
  EXPECT_EQ(describe_values(spec), "a number of at most 0.5");
}

}  // namespace
}  // namespace berth
