#include <gtest/gtest.h>

#include <set>
#include <thread>

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

Placer named(const std::string& name) {
  return {.name = name,
          .summary = "for tests",
          .reference = "",
          .options = {},
          .place = [](const Problem& problem, const Request& request, const Options&) {
            return parse_method("single").place(problem, request);
          }};
}

TEST(Registry, APlacerRegisteredAtRunTimeIsTheLastAndMovesNoOther) {
  const Method before = parse_method("single");
  for (int i = 0; i < 8; ++i) register_placer(named("late" + std::to_string(i)));
  EXPECT_EQ(parse_method("single").placer, before.placer);
  EXPECT_EQ(placers().back().get().name, "late7");
  const Problem problem(tiny_graph("pair", {{.name = "a"}, {.name = "b", .inputs = {"a"}}}),
                        tiny_cluster());
  const Placed late = parse_method("late7").place(problem, {});
  EXPECT_EQ(late.plan, before.place(problem, {}).plan);
}

TEST(Registry, ANameThatIsTakenOrCannotBeWrittenIsRefused) {
  EXPECT_EQ(input_error_of([] { register_placer(named("auto")); }),
            "there is a method \"auto\" already; choose another name");
  const std::size_t count = placers().size();
  for (const char* name : {"", "two words", "a(b=1)", "a:b=1"}) {
    EXPECT_NE(input_error_of([&] { register_placer(named(name)); }), "nothing") << name;
  }
  EXPECT_EQ(placers().size(), count);
}

TEST(Registry, PlacersAreRegisteredAndListedOnSeveralThreadsAtOnce) {
  constexpr std::size_t kEach = 8;
  const std::size_t before = placers().size();
  const auto work = [](const std::string& name) {
    for (std::size_t i = 0; i < kEach; ++i) {
      register_placer(named(name + std::to_string(i)));
      for (const Placer& placer : placers()) EXPECT_NE(placer.name, "");
    }
  };
  std::thread other(work, "other");
  work("one");
  other.join();
  EXPECT_EQ(placers().size(), before + 2 * kEach);
}

}  // namespace
}  // namespace berth::place
