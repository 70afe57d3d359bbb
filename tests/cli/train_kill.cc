#include "cli/train_kill.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "base/random.h"
#include "cli/berth_process.h"
#include "learn/policy_file.h"

namespace berth::cli {
namespace {

namespace fs = std::filesystem;
using std::chrono::microseconds;

constexpr const char* kPolicy = "x.policy";
constexpr const char* kCurve = "x.policy.jsonl";

// A second or two, and a policy large enough that writing it takes a while.
std::vector<std::string> words() {
  return {"train",
          "-m",
          "colocrl:units=8:hidden=32",
          "--on",
          "zoo:layered:ops=60",
          "-c",
          "2xP100",
          "-b",
          "2500evals",
          "-o",
          kPolicy,
          "--resume"};
}

bool is_temporary(const std::string& name) { return name.starts_with(".berth-"); }

std::vector<std::string> temporaries(const TemporaryDirectory& directory) {
  std::vector<std::string> names = directory.names();
  std::erase_if(names, [](const std::string& name) { return !is_temporary(name); });
  return names;
}

// They go by age, and in a test nothing is old.
std::vector<std::string> names_of_others(const TemporaryDirectory& directory) {
  std::vector<std::string> names = directory.names();
  std::erase_if(names, is_temporary);
  return names;
}

// Tells when temporary files in a directory are opened.
class WriteWatch {
 public:
  explicit WriteWatch(const TemporaryDirectory& directory) : descriptor_(::inotify_init()) {
    ::inotify_add_watch(descriptor_, directory.path().c_str(), IN_OPEN);
  }
  ~WriteWatch() { ::close(descriptor_); }
  WriteWatch(const WriteWatch&) = delete;
  WriteWatch& operator=(const WriteWatch&) = delete;

  // Until it has happened `times` times, or for five seconds.
  void wait(int times) const {
    while (times > 0) {
      pollfd watched{.fd = descriptor_, .events = POLLIN, .revents = 0};
      if (::poll(&watched, 1, 5000) <= 0) return;
      alignas(inotify_event) char events[4096];
      const ssize_t length = ::read(descriptor_, events, sizeof events);
      for (ssize_t at = 0; at < length;) {
        const auto* const event = reinterpret_cast<const inotify_event*>(events + at);
        if (event->len > 0 && is_temporary(event->name)) --times;
        at += static_cast<ssize_t>(sizeof *event + event->len);
      }
    }
  }

 private:
  int descriptor_;
};

// What the run was about when it is to be killed: anything, its first checkpoint or its second.
void wait_for_a_moment(Random& random, const WriteWatch& watch) {
  const auto kind = random.below(5);
  if (kind == 0) {
    std::this_thread::sleep_for(microseconds(random.below(1'500'000)));
    return;
  }
  watch.wait(kind < 3 ? 1 : 2);
  std::this_thread::sleep_for(microseconds(random.chance(0.5) ? 0 : random.below(3000)));
}

// The clock's share left out.
learn::PolicyFile policy_in(const TemporaryDirectory& directory) {
  learn::PolicyFile file = learn::read_policy(directory.file(kPolicy));
  file.train_seconds = 0;
  file.curve_bytes = 0;
  return file;
}

// One line an update, each as that of the run never killed but for the seconds.
std::vector<std::string> curve_in(const TemporaryDirectory& directory) {
  std::vector<std::string> lines;
  std::string text = directory.read(kCurve);
  while (!text.empty()) {
    std::string line = text.substr(0, text.find('\n'));
    text.erase(0, line.size() + 1);
    const std::string number = fmt::format("\"updates\": {},", lines.size() + 1);
    EXPECT_NE(line.find(number), std::string::npos) << number << " is not in " << line;
    const std::size_t begin = line.find("\"seconds\"");
    line.erase(begin, line.find(',', begin) - begin);
    lines.push_back(std::move(line));
  }
  return lines;
}

void expect_same_training(const TemporaryDirectory& left, const TemporaryDirectory& right) {
  EXPECT_TRUE(policy_in(left) == policy_in(right)) << "the policies differ";
  EXPECT_EQ(curve_in(left), curve_in(right));
  EXPECT_EQ(names_of_others(left), (std::vector<std::string>{kPolicy, kCurve}));
}

}  // namespace

KillRecord kill_training(int kills, std::uint64_t seed) {
  const TemporaryDirectory straight;
  const ProcessResult never_killed = run_berth(straight, words());
  EXPECT_EQ(never_killed.status, 0) << never_killed.error;
  const TemporaryDirectory directory;
  Random random(seed);
  KillRecord record;
  while (record.kills < kills && !testing::Test::HasFailure()) {
    const WriteWatch watch(directory);
    const std::size_t left_before = temporaries(directory).size();
    record.resumptions += directory.has(kPolicy) ? 1 : 0;
    BerthProcess process(directory, words());
    wait_for_a_moment(random, watch);
    process.signal(SIGKILL);
    const ProcessResult result = process.wait();
    const std::size_t left = temporaries(directory).size();
    EXPECT_LE(left, left_before + 1);
    if (result.status == 0) {  // it was done first
      expect_same_training(directory, straight);
      fs::remove(directory.file(kPolicy));
      continue;
    }
    EXPECT_EQ(result.status, 128 + SIGKILL) << result.error;
    ++record.kills;
    record.while_writing += left > left_before ? 1 : 0;
    if (directory.has(kPolicy)) {
      EXPECT_NO_THROW(policy_in(directory));
    }
  }
  const ProcessResult last = run_berth(directory, words());
  EXPECT_EQ(last.status, 0) << last.error;
  expect_same_training(directory, straight);
  return record;
}

}  // namespace berth::cli
