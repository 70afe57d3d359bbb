#include "base/file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "base/map_guard.h"
#include "base/outside_error.h"
#include "base/sha256.h"
#include "base/thrown.h"

namespace berth {
namespace {

namespace fs = std::filesystem;

class FileTest : public testing::Test {
 protected:
  FileTest() {
    std::string pattern = (fs::temp_directory_path() / "berth-file-test-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~FileTest() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ / name; }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), {}));
  }
  std::set<std::string> names() const {
    std::set<std::string> all;
    for (const auto& entry : fs::directory_iterator(folder_)) all.insert(entry.path().filename());
    return all;
  }
  static std::string content(const std::string& path) {
    const InputFile file(path);
    return std::string(file.text());
  }

  // In a process of its own, which may write 1000 bytes; the signal of that limit, unless ignored,
  // kills it half way. Returns what waitpid has to say of it.
  static int write_with_little_room(const std::string& path, sighandler_t at_limit) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::signal(SIGXFSZ, at_limit);
      const rlimit no_core{.rlim_cur = 0, .rlim_max = 0};
      ::setrlimit(RLIMIT_CORE, &no_core);
      const rlimit limit{.rlim_cur = 1000, .rlim_max = 1000};
      ::setrlimit(RLIMIT_FSIZE, &limit);
      try {
        write_file(path, std::string(100'000, 'n'));
      } catch (const OutsideError&) {
        ::_exit(7);
      }
      ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return status;
  }

  fs::path folder_;
};

TEST_F(FileTest, RoundTripsAnyBytes) {
  std::string bytes;
  for (int i = 0; i < 100'000; ++i) bytes += static_cast<char>(i * 7);
  write_file(path("a"), bytes);
  EXPECT_EQ(content(path("a")), bytes);
  write_file(path("a"), "");
  EXPECT_EQ(content(path("a")), "");
  EXPECT_EQ(files(), 1u);
}

TEST_F(FileTest, MissingFileAndFolderAreErrors) {
  EXPECT_EQ(thrown([&] { InputFile file("no/such/file"); }),
            "cannot open \"no/such/file\": No such file or directory");
  EXPECT_EQ(thrown([&] { write_file("no/such/file", "x"); }),
            "cannot write \"no/such/file\": No such file or directory");
  EXPECT_NE(thrown([&] { InputFile file(folder_); }).find("Is a directory"), std::string::npos);
  EXPECT_NE(thrown([&] { write_file(folder_, "x"); }).find("Is a directory"), std::string::npos);
  EXPECT_THROW(write_file("", "x"), InputError);
  EXPECT_THROW(InputFile(""), InputError);
}

TEST_F(FileTest, OnlyRegularFilesAreRead) {
  const std::string pipe = path("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(
      thrown([&] { InputFile file(pipe); }),
      "\"" + pipe + "\" is a pipe; name a regular file, or - for standard input (at most 1 GiB)");
  EXPECT_NE(thrown([&] { InputFile file("/dev/zero"); }).find("\"/dev/zero\" is a device; "),
            std::string::npos);
}

TEST_F(FileTest, LargeFilesAreMappedAndSmallOnesAreNot) {
  const std::string large(20 << 20, 'l');
  write_file(path("large"), large);
  write_file(path("small"), "old");
  const InputFile small(path("small"));
  {
    std::ofstream(path("small")) << "new";  // in place: a map would show it
  }
  EXPECT_EQ(small.text(), "old");
  EXPECT_EQ(content(path("large")), large);
}

TEST_F(FileTest, AMapThatLosesItsFileEndsInASentence) {
  write_file(path("large"), std::string(20 << 20, 'l'));
  const std::string told = path("told");
  const pid_t child = ::fork();
  if (child == 0) {
    (void)!::freopen(told.c_str(), "w", stderr);
    install_map_guard();
    const InputFile file(path("large"));
    (void)!::truncate(path("large").c_str(), 0);
    const volatile char lost = file.text()[10 << 20];
    ::_exit(lost == 'l' ? 50 : 51);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status)) << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 1);
  EXPECT_EQ(
      content(told),
      "berth: error: \"" + path("large") +
          "\" became shorter while it was read; try again when no other program writes to it\n");
}

TEST_F(FileTest, WritesAPipeDirectly) {
  const std::string pipe = path("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::string received;
  std::thread reader([&] {
    std::ifstream stream(pipe);
    std::getline(stream, received);
  });
  write_file(pipe, "through");
  reader.join();
  EXPECT_EQ(received, "through");
  EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST_F(FileTest, ReaderOfTheOldFileKeepsIt) {
  write_file(path("a"), "old");
  const InputFile old(path("a"));
  write_file(path("a"), "newer");
  EXPECT_EQ(old.text(), "old");
  EXPECT_EQ(content(path("a")), "newer");
}

TEST_F(FileTest, FailureLeavesTheOldFileAndNoRubbish) {
  write_file(path("a"), "old");
  // The limit makes the write of the temporary file fail half way, as a full disk would.
  const int status = write_with_little_room(path("a"), SIG_IGN);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 7);
  EXPECT_EQ(content(path("a")), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(FileTest, APipeThatNobodyReadsIsNotWaitedForForever) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_THROW(write_file(path("pipe"), "x"), InputError);
}

TEST_F(FileTest, WhatKilledProcessesLeaveGoesByAge) {
  for (std::size_t i = 0; i < 3; ++i) {
    ASSERT_TRUE(WIFSIGNALED(write_with_little_room(path("a"), SIG_DFL)));
  }
  const std::set<std::string> left = names();
  EXPECT_EQ(left.size(), 3u) << "two processes chose one name";
  const std::string& young = *left.begin();
  write_file(path(".berth-notes.tmp"), "nobody's leavings");
  for (const std::string& name : names()) {
    if (name == young) continue;
    fs::last_write_time(path(name), fs::file_time_type::clock::now() - std::chrono::hours(25));
  }
  write_file(path("a"), "new");
  EXPECT_EQ(names(), (std::set<std::string>{".berth-notes.tmp", young, "a"}));
}

TEST_F(FileTest, AFilePlantedUnderAGuessedNameIsNotTaken) {
  // The name temporary files had when it followed from that of the target.
  const std::string planted = path(fmt::format(".berth-{}.tmp", sha256_hex("a").substr(0, 16)));
  std::ofstream(planted) << "planted";
  struct stat before {};
  struct stat after {};
  ASSERT_EQ(::stat(planted.c_str(), &before), 0);
  write_file(path("a"), "mine");
  ASSERT_EQ(::stat(path("a").c_str(), &after), 0);
  EXPECT_NE(before.st_ino, after.st_ino);
  EXPECT_EQ(content(planted), "planted");
}

TEST_F(FileTest, NewFilesHaveTheModeOfTheUmask) {
  const mode_t before = ::umask(027);
  write_file(path("a"), "x");
  ::umask(before);
  EXPECT_EQ(static_cast<unsigned>(fs::status(path("a")).permissions()), 0640u);
}

TEST_F(FileTest, SeveralWritersAtOnceLeaveOneWholeFile) {
  const auto write = [&](char letter) {
    for (int i = 0; i < 50; ++i) write_file(path("a"), std::string(20'000, letter));
  };
  write('a');
  std::thread others[] = {std::thread(write, 'b'), std::thread(write, 'c')};
  for (int i = 0; i < 200; ++i) {
    const std::string text = content(path("a"));
    EXPECT_EQ(text, std::string(20'000, text[0]));
  }
  for (std::thread& other : others) other.join();
  EXPECT_EQ(files(), 1u);
}

TEST_F(FileTest, SymbolicLinkStaysALink) {
  write_file(path("target"), "old");
  fs::create_symlink("target", path("link"));
  write_file(path("link"), "new");
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(content(path("target")), "new");
}

TEST_F(FileTest, KeepsThePermissionsOfTheOldFile) {
  write_file(path("a"), "old");
  fs::permissions(path("a"), fs::perms::owner_read | fs::perms::owner_write);
  write_file(path("a"), "new");
  EXPECT_EQ(fs::status(path("a")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(FileTest, LongNamesNeedNoLongerTemporaryName) {
  const std::string name(255, 'x');
  write_file(path(name), "x");
  EXPECT_EQ(content(path(name)), "x");
}

}  // namespace
}  // namespace berth
