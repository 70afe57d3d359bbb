#include <gtest/gtest.h>

#include "cli/berth_process.h"

namespace berth::cli {
namespace {

class BenchLearn : public testing::Test {
 protected:
  ProcessResult bench(std::vector<std::string> more) {
    std::vector<std::string> all = {"bench", "learn"};
    all.insert(all.end(), more.begin(), more.end());
    return run_berth(directory, all);
  }

  TemporaryDirectory directory;
};

TEST_F(BenchLearn, KeepsWhatIsDoneAndRunsItOnce) {
  const std::vector<std::string> one = {"--folder", "runs", "--only", "small0.single"};
  const ProcessResult first = bench(one);
  ASSERT_EQ(first.status, 0) << first.error;
  EXPECT_NE(first.out.find("single"), std::string::npos) << first.out;
  const std::string kept = directory.read("runs/published.small0.single.0.json");
  EXPECT_NE(kept.find("\"step_seconds\""), std::string::npos) << kept;
  // Were it run again, the mark would be gone.
  const std::string marked = kept.substr(0, kept.rfind('}')) + ", \"mark\": 1}";
  directory.write("runs/published.small0.single.0.json", marked);
  EXPECT_EQ(bench(one).out, first.out);
  EXPECT_EQ(directory.read("runs/published.small0.single.0.json"), marked);
}

TEST_F(BenchLearn, ListsItsRuns) {
  const ProcessResult listed = bench({"--list", "--part", "published", "--seeds", "1"});
  EXPECT_EQ(listed.status, 0) << listed.error;
  EXPECT_NE(listed.out.find("published.layered60.hdp.0  hdp:preset=paper"), std::string::npos)
      << listed.out;
}

TEST_F(BenchLearn, Refusals) {
  expect_refused(bench({}), {"--folder is missing"});
  expect_refused(bench({"--folder", "runs", "--part", "publish"}), {"\"publish\"", "published"});
  expect_refused(bench({"--folder", "runs", "--share", "3/2"}), {"--share", "\"3/2\""});
  expect_refused(bench({"--folder", "runs", "--seeds", "no"}), {"--seeds", "\"no\""});
  ASSERT_EQ(bench({"--folder", "runs", "--only", "small0.single"}).status, 0);
  directory.write("runs/published.small0.single.0.json", "{\"format\": 1}");
  expect_refused(bench({"--folder", "runs", "--tables"}), {"published.small0.single.0.json"});
}

}  // namespace
}  // namespace berth::cli
