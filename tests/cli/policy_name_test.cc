// --policy by name: a file first, then the folders of policies. The module of learned methods is
// kept away, so that a policy that was found is refused at the next step, with its path known.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "cli/berth_process.h"

namespace berth::cli {
namespace {

namespace fs = std::filesystem;

class PolicyName : public testing::Test {
 protected:
  PolicyName() {
    ::setenv("BERTH_LEARN_MODULE", "/nonexistent/learn.so", 1);
    fs::create_directory(directory.file("mine"));
    fs::create_directory(directory.file("empty"));
    directory.write("mine/other.policy", "this is no policy");
    const std::string path = directory.file("empty") + "::" + directory.file("mine");
    ::setenv("BERTH_POLICY_PATH", path.c_str(), 1);
  }
  ~PolicyName() override {
    ::unsetenv("BERTH_LEARN_MODULE");
    ::unsetenv("BERTH_POLICY_PATH");
  }

  ProcessResult place(const std::vector<std::string>& more) const {
    std::vector<std::string> words = {"place", "zoo:tiny", "-c", "2xP100"};
    words.insert(words.end(), more.begin(), more.end());
    return run_berth(directory, words);
  }

  TemporaryDirectory directory;
};

TEST_F(PolicyName, IsFoundInTheSourceTreeAndInFoldersOfTheUser) {
  for (const char* name : {"general", "other"}) {
    expect_refused(place({"--policy", name}), {"libberth_learn.so"});
    const std::string method = std::string("auto:policy=") + name;
    expect_refused(place({"-m", method, "-b", "9evals"}), {"libberth_learn.so"});
  }
}

TEST_F(PolicyName, AFileOfThatNameComesFirst) {
  fs::create_directory(directory.file("general"));  // which cannot be read as a policy
  expect_refused(place({"--policy", "general"}), {"\"general\"", "directory"});
}

TEST_F(PolicyName, AnUnknownNameIsAnsweredWithTheKnownOnes) {
  const std::vector<std::string> parts = {"no policy \"generale\"", "general and other",
                                          "did you mean \"general\"?"};
  expect_refused(place({"--policy", "generale"}), parts);
  expect_refused(place({"-m", "auto:policy=generale"}), parts);
}

TEST_F(PolicyName, APathIsNeverTakenForAName) {
  for (const char* path : {"other.policy", "./other", "mine/other", "general.policy"}) {
    const ProcessResult refused = place({"--policy", path});
    expect_refused(refused, {std::string("\"") + path + "\""});
    EXPECT_EQ(refused.error.find("no policy"), std::string::npos) << refused.error;
  }
}

TEST_F(PolicyName, IsProtectedLikeAnyInputFile) {
  const std::string path = directory.file("mine/other.policy");
  const std::string before = directory.read("mine/other.policy");
  expect_refused(place({"--policy", "other", "-o", path}), {"other.policy"});
  EXPECT_EQ(directory.read("mine/other.policy"), before);
}

}  // namespace
}  // namespace berth::cli
