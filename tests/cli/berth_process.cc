#include "cli/berth_process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace berth::cli {
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

BerthOnTerminal::BerthOnTerminal(const TemporaryDirectory& directory,
                                 const std::vector<std::string>& words, int columns, int rows)
    : master_(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)) {
  if (master_ < 0 || ::grantpt(master_) != 0 || ::unlockpt(master_) != 0) return;
  const int slave = ::open(::ptsname(master_), O_RDWR | O_NOCTTY);
  if (slave < 0) return;
  winsize size{};
  size.ws_col = static_cast<unsigned short>(columns);
  size.ws_row = static_cast<unsigned short>(rows);
  ::ioctl(slave, TIOCSWINSZ, &size);
  std::vector<std::string> line = {BERTH_BINARY};
  line.insert(line.end(), words.begin(), words.end());
  pid_ = ::fork();
  if (pid_ != 0) {
    ::close(slave);
    return;
  }
  ::dup2(slave, STDOUT_FILENO);
  ::dup2(slave, STDERR_FILENO);
  if (::chdir(directory.path().c_str()) != 0) ::_exit(126);
  ::setenv("TERM", "xterm", 1);
  std::vector<char*> arguments;
  for (std::string& word : line) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::execv(arguments[0], arguments.data());
  ::_exit(127);
}

BerthOnTerminal::~BerthOnTerminal() {
  if (master_ >= 0) ::close(master_);
}

void BerthOnTerminal::signal(int number) const { ::kill(pid_, number); }

bool BerthOnTerminal::read_more() {
  char buffer[4096];
  const ssize_t count = ::read(master_, buffer, sizeof buffer);  // fails at the end
  if (count > 0) output_.append(buffer, static_cast<std::size_t>(count));
  return count > 0;
}

bool BerthOnTerminal::await(const std::string& text) {
  while (output_.find(text) == std::string::npos) {
    if (!read_more()) return false;
  }
  return true;
}

ProcessResult BerthOnTerminal::wait() {
  while (read_more()) {
  }
  int status = 0;
  ::waitpid(pid_, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), output_, ""};
}

std::string screen_of(const std::string& output, std::size_t rows) {
  std::vector<std::string> lines(1);
  std::size_t top = 0;
  std::size_t row = 0;
  std::size_t column = 0;  // in bytes, which will do for text that is cleared before it is written
  for (std::size_t at = 0; at < output.size(); ++at) {
    const char c = output[at];
    if (c == '\r') {
      column = 0;
    } else if (c == '\n') {
      row += 1;
      if (row == lines.size()) lines.emplace_back();
      if (row == top + rows) top += 1;
    } else if (c == '\x1b') {
      const std::size_t end = output.find_first_of("AJKm", at);
      const std::string number = output.substr(at + 2, end - at - 2);
      if (output[end] == 'A')
        row -= std::min(row - top, static_cast<std::size_t>(std::stoi(number)));
      if (output[end] == 'J') lines.resize(row + 1);
      if (output[end] == 'J' || output[end] == 'K') lines[row].resize(column);
      at = end;
    } else {
      lines[row].resize(std::max(lines[row].size(), column + 1), ' ');
      lines[row][column++] = c;
    }
  }
  std::string screen;
  for (const std::string& line : lines) screen += line + '\n';
  return screen;
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

}  // namespace berth::cli
