// Blocks of a family never share a group, and the families that are not made of names leave no
// group out.
#include "place/search/families.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "cluster/presets.h"
#include "support/constrained_problem.h"
#include "support/random_problem.h"
#include "zoo/workload.h"

namespace berth::place {
namespace {

// Returns how many groups the family has, each in exactly one block that knows of it.
std::size_t expect_partition(const Family& family, const Problem& problem) {
  EXPECT_EQ(family.block_of.size(), problem.group_count());
  std::vector<int> seen(problem.group_count(), 0);
  for (std::uint32_t block = 0; block < family.blocks.size(); ++block) {
    EXPECT_FALSE(family.blocks.row(block).empty());
    for (const GroupId group : family.blocks.row(block)) {
      EXPECT_EQ(family.block_of[group.index()], block);
      ++seen[group.index()];
    }
  }
  for (std::size_t group = 0; group < seen.size(); ++group) {
    EXPECT_EQ(seen[group], family.block_of[group] == Family::kNone ? 0 : 1);
  }
  return static_cast<std::size_t>(std::count(seen.begin(), seen.end(), 1));
}

std::vector<Family> families_of(const Problem& problem) {
  const GroupGraph graph(problem);
  return make_families(problem, graph);
}

// The ops of these problems have names without paths and no layers.
TEST(Families, CoverAllGroupsWhereNoNamesTellThemApart) {
  std::size_t families_seen = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    const PlantedProblem planted = constrained_problem(seed);
    const std::vector<Family> families = families_of(planted.problem);
    ASSERT_FALSE(families.empty());
    EXPECT_EQ(families.front().blocks.size(), planted.problem.group_count());
    for (const Family& family : families) {
      EXPECT_EQ(expect_partition(family, planted.problem), planted.problem.group_count());
      ++families_seen;
    }
  }
  EXPECT_GT(families_seen, 300u);
}

TEST(Families, ArePartitionsOfSomeGroupsWhereNamesTellThemApart) {
  for (const char* name : {"gnmt:layers=2", "inception_v3:batch=1", "transformer_xl:layers=2"}) {
    SCOPED_TRACE(name);
    const Call call = parse_call(name);
    const zoo::Workload& workload = zoo::find_workload(call.name);
    const Problem problem(
        workload.build(Options(workload.name, workload.options, call), zoo::Mode::training),
        make_preset("4xP100"));
    const std::vector<Family> families = families_of(problem);
    EXPECT_GT(families.size(), 4u);
    for (const Family& family : families) EXPECT_GT(expect_partition(family, problem), 0u);
  }
}

}  // namespace
}  // namespace berth::place
