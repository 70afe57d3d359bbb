#include "base/file_lock.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "base/thrown.h"

namespace berth {
namespace {

namespace fs = std::filesystem;

class FileLockTest : public testing::Test {
 protected:
  FileLockTest() {
    std::string pattern = (fs::temp_directory_path() / "berth-lock-test-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    path_ = folder_ / "x";
    lock_ = folder_ / "x.lock";
  }
  ~FileLockTest() override { fs::remove_all(folder_); }

  std::string refusal() const {
    return thrown([&] { FileLock(path_, "the output"); });
  }

  fs::path folder_;
  std::string path_, lock_;
};

TEST_F(FileLockTest, KeepsOthersAwayAndIsGoneAfterwards) {
  {
    const FileLock lock(path_, "the output");
    EXPECT_EQ(refusal(), fmt::format("the output is being written by process {}; wait until it "
                                     "ends, or choose another name",
                                     ::getpid()));
    fs::create_symlink(path_, folder_ / "link");
    std::ofstream(path_) << "x";
    EXPECT_NE(thrown([&] { FileLock(folder_ / "link", "the link"); }).find("process"),
              std::string::npos);
  }
  EXPECT_FALSE(fs::exists(lock_));
  EXPECT_EQ(refusal(), "(nothing was thrown)");
}

TEST_F(FileLockTest, WhatAKilledProcessLeavesKeepsNobodyAway) {
  const pid_t child = ::fork();
  if (child == 0) {
    const FileLock lock(path_, "the output");
    ::raise(SIGKILL);
  }
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(fs::exists(lock_));
  EXPECT_EQ(refusal(), "(nothing was thrown)");
  EXPECT_FALSE(fs::exists(lock_));
}

TEST_F(FileLockTest, AFileOfThatNameThatIsNoLockIsLeftAlone) {
  std::ofstream(lock_) << "my thesis";
  EXPECT_EQ(refusal(),
            fmt::format("the output cannot be locked: \"{}\" exists and is not a lock file; "
                        "move it",
                        lock_));
  std::string text;
  std::ifstream stream(lock_);
  std::getline(stream, text);
  EXPECT_EQ(text, "my thesis");
}

TEST_F(FileLockTest, DevicesAreNotLocked) {
  const FileLock first("/dev/null", "the output");
  EXPECT_EQ(thrown([] { FileLock("/dev/null", "the output"); }), "(nothing was thrown)");
  EXPECT_FALSE(fs::exists("/dev/null.lock"));
}

}  // namespace
}  // namespace berth
