#include "base/file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

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
      } catch (const InputError&) {
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

TEST_F(FileTest, ReadsAPipe) {
  const std::string pipe = path("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const std::string sent(300'000, 'p');
  std::thread writer([&] { std::ofstream(pipe) << sent; });
  EXPECT_EQ(content(pipe), sent);
  writer.join();
}

TEST_F(FileTest, WritesAPipeDirectly) {
  const std::string pipe = path("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::string received;
  std::thread reader([&] { received = content(pipe); });
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

TEST_F(FileTest, WhatKilledProcessesLeaveDoesNotPileUp) {
  for (int i = 0; i < 5; ++i) {
    if (i == 2) write_file(path("a"), "old");
    const int status = write_with_little_room(path("a"), SIG_DFL);
    ASSERT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(files(), i < 2 ? 1u : 2u);
  }
  EXPECT_EQ(content(path("a")), "old");
  write_file(path("a"), "new");
  EXPECT_EQ(content(path("a")), "new");
  EXPECT_EQ(files(), 1u);
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
