#include <gtest/gtest.h>

#include <set>

#include "place/method_runs.h"
#include "place/tiny_problems.h"

namespace berth::place {
namespace {

using namespace fixtures;

TEST(Registry, NamesAreDistinctAndEverythingIsSaid) {
  std::set<std::string> names;
  for (const Placer& placer : placers()) {
    EXPECT_TRUE(names.insert(placer.name).second) << placer.name;
    EXPECT_NE(placer.summary, "") << placer.name;
    EXPECT_LE(placer.summary.size(), 80u) << placer.name;
    for (const OptionSpec& option : placer.options) {
      EXPECT_NE(option.sentence, "") << placer.name << " " << option.name;
    }
    // Defaults pass their own checks.
    EXPECT_EQ(parse_method(placer.name).placer, &placer);
  }
}

TEST(Registry, BothSpellingsMeanTheSame) {
  const Method one = parse_method("metis(imbalance=0.1,memory=on)");
  const Method other = parse_method("metis:imbalance=0.1:memory=on");
  EXPECT_EQ(one.placer, other.placer);
  EXPECT_EQ(one.options.canonical(), other.options.canonical());
  EXPECT_EQ(one.options.real("imbalance"), 0.1);
  EXPECT_TRUE(other.options.boolean("memory"));
}

TEST(Registry, AnUnknownNameAnswersWithTheKnownOnes) {
  const std::string error = input_error_of([] { parse_method("scotsh:links=off"); });
  EXPECT_TRUE(error.starts_with("there is no method \"scotsh\"; the methods are single, cpu,"))
      << error;
  EXPECT_TRUE(error.ends_with("; did you mean \"scotch\"?")) << error;
  for (const Placer& placer : placers()) {
    EXPECT_NE(error.find(placer.name), std::string::npos) << placer.name;
  }
}

TEST(Registry, AnUnknownOptionAnswersWithTheKnownOnes) {
  const std::string error = input_error_of([] { parse_method("metis(balance=1)"); });
  EXPECT_NE(error.find("imbalance"), std::string::npos) << error;
}

}  // namespace
}  // namespace berth::place
