// The problems the search is measured on: they exist, cover the zoo, and are not those of tuning.
#include "experiments/search_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "cluster/presets.h"
#include "experiments/published.h"
#include "zoo/workload.h"

namespace berth::experiments {
namespace {

Call call_of(const SearchPair& pair) {
  EXPECT_TRUE(pair.workload.starts_with("zoo:")) << pair.workload;
  return parse_call(std::string_view(pair.workload).substr(4));
}

TEST(SearchPairs, TwelveArePinnedAndNoneIsForTuning) {
  EXPECT_EQ(pinned_pairs().size(), 12u);
  for (const SearchPair& pair : pinned_pairs()) EXPECT_FALSE(is_for_tuning(pair.cluster));
  ASSERT_GT(all_pairs().size(), pinned_pairs().size());
  for (std::size_t i = 0; i < pinned_pairs().size(); ++i) {
    EXPECT_EQ(all_pairs()[i].name(), pinned_pairs()[i].name());
  }
  EXPECT_TRUE(is_for_tuning("2xP100"));
  EXPECT_TRUE(is_for_tuning("4xP100"));
  EXPECT_FALSE(is_for_tuning("8xP100"));
}

TEST(SearchPairs, ExistAndAreGivenOnceWithAReason) {
  std::set<std::string> names;
  for (const SearchPair& pair : all_pairs()) {
    SCOPED_TRACE(pair.name());
    EXPECT_TRUE(names.insert(pair.name()).second);
    EXPECT_FALSE(pair.why.empty());
    EXPECT_TRUE(is_preset(pair.cluster));
    const Call call = call_of(pair);
    const zoo::Workload& workload = zoo::find_workload(call.name);
    EXPECT_NO_THROW(Options(workload.name, workload.options, call));
  }
}

TEST(SearchPairs, DrawnWorkloadsHaveSeedsBeyondThoseOfTuning) {
  for (const SearchPair& pair : all_pairs()) {
    const Call call = call_of(pair);
    const zoo::Workload& workload = zoo::find_workload(call.name);
    const bool drawn = std::any_of(workload.options.begin(), workload.options.end(),
                                   [](const OptionSpec& spec) { return spec.name == "seed"; });
    if (!drawn) continue;
    EXPECT_GE(Options(workload.name, workload.options, call).integer("seed"), 1000) << pair.name();
  }
}

TEST(SearchPairs, HaveEveryWorkloadAndEveryPublishedRow) {
  std::set<std::string> used, names;
  for (const SearchPair& pair : all_pairs()) {
    used.insert(call_of(pair).name);
    names.insert(pair.name());
  }
  for (const zoo::Workload& workload : zoo::workloads()) {
    EXPECT_TRUE(used.contains(workload.name)) << workload.name;
  }
  for (const PublishedTable& table : published_tables()) {
    for (const PublishedRow& row : table.rows) {
      EXPECT_TRUE(names.contains("zoo:" + row.workload + " on " + row.cluster)) << row.task;
    }
  }
}

}  // namespace
}  // namespace berth::experiments
