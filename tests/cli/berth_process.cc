#include "cli/berth_process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace berth {
namespace {

namespace fs = std::filesystem;

std::string read_whole(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

void redirect(const std::string& path, int descriptor) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0 || ::dup2(file, descriptor) < 0) ::_exit(126);
  ::close(file);
}

// Beside the temporary directory, so that a test sees only the program's own files in it.
std::string capture_path(const TemporaryDirectory& directory, const char* kind) {
  static std::atomic<int> number{0};
  return directory.path() + "-" + kind + std::to_string(++number);
}

}  // namespace

TemporaryDirectory::TemporaryDirectory() {
  std::string pattern = (fs::temp_directory_path() / "berth-test-XXXXXX").string();
  if (!::mkdtemp(pattern.data())) throw std::runtime_error("no temporary directory");
  path_ = pattern;
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void TemporaryDirectory::write(const std::string& name, const std::string& text) const {
  std::ofstream(file(name), std::ios::binary) << text;
}

std::string TemporaryDirectory::read(const std::string& name) const {
  return read_whole(file(name));
}

bool TemporaryDirectory::has(const std::string& name) const { return fs::exists(file(name)); }

std::vector<std::string> TemporaryDirectory::names() const {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(path_)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

BerthProcess::BerthProcess(const TemporaryDirectory& directory,
                           const std::vector<std::string>& words, const Surroundings& surroundings)
    : out_path_(capture_path(directory, "out")), error_path_(capture_path(directory, "error")) {
  std::vector<std::string> line = {BERTH_BINARY};
  line.insert(line.end(), words.begin(), words.end());
  pid_ = ::fork();
  if (pid_ != 0) return;
  const int input = ::open(surroundings.input.c_str(), O_RDONLY);
  if (input < 0 || ::dup2(input, STDIN_FILENO) < 0) ::_exit(126);
  ::close(input);
  redirect(out_path_, STDOUT_FILENO);
  redirect(error_path_, STDERR_FILENO);
  if (::chdir(directory.path().c_str()) != 0) ::_exit(126);
  std::vector<char*> arguments;
  for (std::string& word : line) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  if (surroundings.address_bytes > 0) {
    const rlimit limit{.rlim_cur = surroundings.address_bytes,
                       .rlim_max = surroundings.address_bytes};
    ::setrlimit(RLIMIT_AS, &limit);
  }
  ::execv(arguments[0], arguments.data());
  ::_exit(127);
}

void BerthProcess::signal(int number) const { ::kill(pid_, number); }

ProcessResult BerthProcess::wait() {
  int status = 0;
  ::waitpid(pid_, &status, 0);
  ProcessResult result;
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.out = read_whole(out_path_);
  result.error = read_whole(error_path_);
  fs::remove(out_path_);
  fs::remove(error_path_);
  return result;
}

ProcessResult run_berth(const TemporaryDirectory& directory, const std::vector<std::string>& words,
                        const Surroundings& surroundings) {
  return BerthProcess(directory, words, surroundings).wait();
}

void expect_refused(const ProcessResult& result, const std::vector<std::string>& parts) {
  expect_failed(result, 2, parts);
}

void expect_failed(const ProcessResult& result, int status, const std::vector<std::string>& parts) {
  EXPECT_EQ(result.status, status) << result.out;
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.error.find("berth: error: "), 0u) << result.error;
  EXPECT_EQ(std::count(result.error.begin(), result.error.end(), '\n'), 1) << result.error;
  for (const std::string& part : parts) {
    EXPECT_NE(result.error.find(part), std::string::npos) << part << " in " << result.error;
  }
}

}  // namespace berth
