#include "cost/constraints.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "base/thrown.h"
#include "cost/glob.h"

namespace berth {
namespace {

constexpr std::string_view kHead = R"({"format": "berth.constraints", "version": 1, )";

Constraints parse(const std::string& fields, std::vector<std::string>* warnings = nullptr) {
  return parse_constraints(std::string(kHead) + "\n" + fields + "}", "c", warnings);
}

TEST(Constraints, ReadsTheExampleOfTheFormat) {
  std::vector<std::string> warnings;
  const Constraints constraints = parse(
      R"("pin": {"embed*": "cpu:0", "head": ["gpu:0", "gpu:1"]}, "forbid": ["gpu:3"],
         "colocate": [["encoder/*"], ["a", "b"]])",
      &warnings);
  EXPECT_TRUE(warnings.empty());
  EXPECT_EQ(constraints.source, "c");
  ASSERT_EQ(constraints.pins.size(), 2u);
  EXPECT_EQ(constraints.pins[0].pattern, "embed*");
  EXPECT_EQ(constraints.pins[0].devices, std::vector<std::string>{"cpu:0"});
  EXPECT_EQ(constraints.pins[1].devices, (std::vector<std::string>{"gpu:0", "gpu:1"}));
  EXPECT_EQ(constraints.forbidden_devices, std::vector<std::string>{"gpu:3"});
  EXPECT_EQ(constraints.colocated,
            (std::vector<std::vector<std::string>>{{"encoder/*"}, {"a", "b"}}));
}

TEST(Constraints, AnyPartMayBeLeftOut) {
  const Constraints constraints =
      parse_constraints(R"({"version": 1, "format": "berth.constraints"})", "c");
  EXPECT_TRUE(constraints.pins.empty());
  EXPECT_TRUE(constraints.forbidden_devices.empty());
  EXPECT_TRUE(constraints.colocated.empty());
}

TEST(Constraints, UnknownKeysAreTold) {
  std::vector<std::string> warnings;
  parse(R"("author": {})", &warnings);
  EXPECT_EQ(warnings, std::vector<std::string>{
                          "c:2:1: the key \"author\" of a constraints file is unknown and "
                          "ignored"});
  EXPECT_EQ(thrown([] { parse(R"("pins": {})"); }),
            "c:2:1: the key \"pins\" of a constraints file is unknown; did you mean \"pin\"?");
}

TEST(Constraints, WhatIsWrong) {
  const auto message = [](const std::string& fields) { return thrown([&] { parse(fields); }); };
  EXPECT_EQ(thrown([] { parse_constraints(R"({"format": "berth.plan"})", "c"); }),
            "c:1:12: \"format\" is \"berth.plan\"; a constraints file has \"format\": "
            "\"berth.constraints\"");
  EXPECT_EQ(message(R"("pin": [])"), "c:2:8: expected an object but found an array");
  EXPECT_EQ(message(R"("pin": {"": "gpu:0"})"), "c:2:9: an op or pattern in \"pin\" is empty");
  EXPECT_EQ(message(R"("pin": {"a": ""})"), "c:2:14: a device in \"pin\" is empty");
  EXPECT_EQ(message(R"("pin": {"a": []})"),
            "c:2:14: the list of devices of \"a\" is empty; name at least one");
  EXPECT_EQ(message(R"("pin": {"a": 1})"), "c:2:14: expected a string but found the number 1");
  EXPECT_EQ(message(R"("pin": {"a": "x", "a": "y"})"),
            "c:2:19: \"a\" is pinned twice; give all its devices in one list");
  EXPECT_EQ(message(R"("forbid": "gpu:0")"),
            "c:2:11: expected an array but found the string \"gpu:0\"");
  EXPECT_EQ(message(R"("forbid": [""])"), "c:2:12: a device in \"forbid\" is empty");
  EXPECT_EQ(message(R"("colocate": ["a"])"),
            "c:2:14: expected an array but found the string \"a\"");
  EXPECT_EQ(message(R"("colocate": [[]])"),
            "c:2:14: a list in \"colocate\" is empty; name at least one");
  EXPECT_EQ(message(R"("colocate": [[""]])"), "c:2:15: an op or pattern in \"colocate\" is empty");
  EXPECT_EQ(message(R"("forbid": [], "forbid": [])"),
            "c:2:15: the key \"forbid\" of a constraints file is given twice; give it once");
}

TEST(Glob, Matches) {
  EXPECT_TRUE(glob_matches("a", "a"));
  EXPECT_TRUE(glob_matches("", ""));
  EXPECT_TRUE(glob_matches("*", ""));
  EXPECT_TRUE(glob_matches("*", "any/thing"));
  EXPECT_TRUE(glob_matches("embed*", "embedding/1"));
  EXPECT_TRUE(glob_matches("*/relu", "a/b/relu"));
  EXPECT_TRUE(glob_matches("*a*b*", "xxaxxbxx"));
  EXPECT_TRUE(glob_matches("*aab", "aaaab"));
  EXPECT_TRUE(glob_matches("a**b", "ab"));
  EXPECT_TRUE(glob_matches("l?", "l1"));
  EXPECT_TRUE(glob_matches("l?", "l\u00e9"));  // one character, not one byte
  EXPECT_TRUE(glob_matches("l[12]", "l2"));
  EXPECT_TRUE(glob_matches("l[0-3a]/*", "l2/x"));
  EXPECT_TRUE(glob_matches("l[0-3a]", "la"));
  EXPECT_TRUE(glob_matches("l[\u00e0-\u00ef]", "l\u00e9"));
  EXPECT_TRUE(glob_matches("l[-a]", "l-"));
  EXPECT_TRUE(glob_matches("l[a-]", "l-"));
  EXPECT_TRUE(glob_matches("l[]]", "l]"));
}

TEST(Glob, DoesNotMatch) {
  EXPECT_FALSE(glob_matches("a", ""));
  EXPECT_FALSE(glob_matches("", "a"));
  EXPECT_FALSE(glob_matches("a", "A"));
  EXPECT_FALSE(glob_matches("a", "ab"));
  EXPECT_FALSE(glob_matches("ab", "a"));
  EXPECT_FALSE(glob_matches("?", ""));
  EXPECT_FALSE(glob_matches("l?", "l12"));
  EXPECT_FALSE(glob_matches("*a", "ab"));
  EXPECT_FALSE(glob_matches("l[12]", "l3"));
  EXPECT_FALSE(glob_matches("l[12]", "l"));
  EXPECT_FALSE(glob_matches("l[1-2]", "l-"));
}

TEST(Glob, SetsMayBeNegated) {
  EXPECT_TRUE(glob_matches("layer[!0]", "layer1"));
  EXPECT_FALSE(glob_matches("layer[!0]", "layer0"));
  EXPECT_FALSE(glob_matches("layer[!0-3]*", "layer2/x"));
  EXPECT_TRUE(glob_matches("*[!a]b", "aacb"));
  EXPECT_FALSE(glob_matches("*[!a]b", "caab"));
  EXPECT_TRUE(glob_matches("a[0!]", "a!"));
  EXPECT_TRUE(glob_matches("a[!]", "a[!]"));  // not closed, so it stands for itself
}

TEST(Glob, NamesWithBracketsOfTheirOwn) {
  EXPECT_TRUE(glob_matches("layer[0]", "layer[0]"));  // in full
  EXPECT_TRUE(glob_matches("layer[0]", "layer0"));    // as a pattern
  EXPECT_TRUE(glob_matches("layer[0*", "layer[0]"));  // a bracket that is never closed is itself
  EXPECT_TRUE(glob_matches("l[]*", "l[]x"));
  EXPECT_TRUE(glob_matches("a?[", "ab["));
}

TEST(Glob, PiecesAreTakenWhereTheyAreFoundFirst) {
  EXPECT_TRUE(glob_matches("a*a", "aa"));
  EXPECT_FALSE(glob_matches("a*a", "a"));  // the two ends do not share a character
  EXPECT_FALSE(glob_matches("ab*b", "ab"));
  EXPECT_TRUE(glob_matches("*ab*ab", "abab"));
  EXPECT_FALSE(glob_matches("*aba*ab", "abab"));
  EXPECT_TRUE(glob_matches("*[ab]c*?d", "xacbcyd"));
  EXPECT_FALSE(glob_matches("*[ab]c*?d", "xacd"));
  EXPECT_TRUE(glob_matches("x*[0-9]", "xy1"));
  EXPECT_FALSE(glob_matches("x*[0-9]", "xy1a"));
  EXPECT_TRUE(glob_matches("l[*]x", "l*x"));  // a star in a set is itself
  EXPECT_FALSE(glob_matches("l[*]x", "lax"));
  EXPECT_TRUE(glob_matches("*?", "\u00e9"));
  EXPECT_FALSE(glob_matches("*??", "\u00e9"));
}

// As many pins as names, and names that differ only at their ends: no pattern may take more than
// reading the names.
TEST(Glob, ManyPatternsOverManyLongNames) {
  const std::string stem(2000, 'a');
  constexpr int kMany = 100;
  std::size_t matches = 0;
  for (int i = 0; i < kMany; ++i) {
    const Glob prefix(stem + "/" + std::to_string(i) + "*");
    const Glob infix("*" + stem.substr(0, 1000) + "/" + std::to_string(i) + "*");
    const Glob sets("*" + stem.substr(0, 1000) + "?[a/]" + std::to_string(i) + "*");
    for (int j = 0; j < kMany; ++j) {
      const std::string name = stem + "/" + std::to_string(j);
      matches += prefix.matches(name) ? 1 : 0;
      matches += infix.matches(name) ? 1 : 0;
      matches += sets.matches(name) ? 1 : 0;
    }
  }
  EXPECT_EQ(matches, 3u * 190);  // numbers below 100 that begin as one of them does
}

TEST(Glob, ManyStarsStayFast) {
  const std::string name(2000, 'a');
  std::string pattern;
  for (int i = 0; i < 200; ++i) pattern += "*a";
  EXPECT_FALSE(glob_matches(pattern + "*b", name));
  EXPECT_TRUE(glob_matches(pattern + "*", name));
}

// The definition by recursion, for patterns of letters, stars and question marks.
bool plain_match(std::string_view pattern, std::string_view name) {
  if (pattern.empty()) return name.empty();
  if (pattern[0] == '*') {
    return plain_match(pattern.substr(1), name) ||
           (!name.empty() && plain_match(pattern, name.substr(1)));
  }
  return !name.empty() && (pattern[0] == '?' || pattern[0] == name[0]) &&
         plain_match(pattern.substr(1), name.substr(1));
}

TEST(Glob, AgreesWithItsDefinition) {
  Random random(1);
  int matches = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string pattern, name;
    for (std::int64_t n = random.between(0, 6); n > 0; --n) pattern += "ab*?"[random.below(4)];
    for (std::int64_t n = random.between(0, 7); n > 0; --n) name += "ab"[random.below(2)];
    EXPECT_EQ(glob_matches(pattern, name), plain_match(pattern, name)) << pattern << " " << name;
    matches += plain_match(pattern, name);
  }
  EXPECT_GT(matches, 1000);
}

}  // namespace
}  // namespace berth
