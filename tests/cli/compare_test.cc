// berth compare as it runs: rows as they come, and what Ctrl-C leaves.
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <thread>

#include "base/json_reader.h"
#include "cli/berth_process.h"

namespace berth::cli {
namespace {

class CompareCommand : public testing::Test {
 protected:
  static std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
    return found;
  }
  static void expect_in_order(const std::string& text, const std::vector<std::string>& parts) {
    std::size_t at = 0;
    for (const std::string& part : parts) {
      const std::size_t found = text.find(part, at);
      EXPECT_NE(found, std::string::npos) << part << " in\n" << text;
      if (found != std::string::npos) at = found;
    }
  }

  TemporaryDirectory directory;
};

TEST_F(CompareCommand, RowsShowAsTheyAreDoneOnATerminal) {
  BerthOnTerminal process(directory, {"compare", "zoo:tiny", "-c", "2xP100", "-m",
                                      "random:tries=50,single,etf", "-b", "100evals"});
  if (!process.works()) GTEST_SKIP() << "no pseudo terminals here";
  const ProcessResult result = process.wait();
  EXPECT_EQ(result.status, 0) << result.out;
  // What needs no search comes first, whatever the order given.
  const std::size_t first = result.out.find("1 of 3 done");
  ASSERT_NE(first, std::string::npos) << result.out;
  EXPECT_EQ(result.out.substr(0, first).find("random"), std::string::npos) << result.out;
  expect_in_order(result.out, {"single", "1 of 3 done", "etf", "2 of 3 done", "3 of 3 done"});
  // In the end the table stands there once, in that order.
  const std::string screen = screen_of(result.out);
  EXPECT_EQ(count(screen, "zoo:tiny (training) on 2xP100"), 1u) << screen;
  EXPECT_EQ(count(screen, " done"), 0u) << screen;
  expect_in_order(screen, {"method", "random(tries=50)", "single", "etf", "add -o plan.json"});
}

TEST_F(CompareCommand, TheTableIsTheSameWithoutATerminal) {
  const std::vector<std::string> words = {"compare", "zoo:tiny", "-c",    "2xP100",
                                          "-m",      "cpu,etf",  "--sort"};
  const ProcessResult plain = run_berth(directory, words);
  EXPECT_EQ(plain.status, 0);
  EXPECT_EQ(plain.error, "");
  EXPECT_EQ(plain.out.find('\x1b'), std::string::npos);
  EXPECT_EQ(plain.out.find(" done"), std::string::npos);
  EXPECT_EQ(count(plain.out, "etf"), 1u) << plain.out;
}

// A terminal with fewer lines than the table has.
TEST_F(CompareCommand, AShortTerminalIsNoMess) {
  BerthOnTerminal process(directory, {"compare", "zoo:tiny", "-c", "2xP100", "-b", "20evals"}, 80,
                          8);
  if (!process.works()) GTEST_SKIP() << "no pseudo terminals here";
  const std::string screen = screen_of(process.wait().out, 8);
  EXPECT_EQ(count(screen, "zoo:tiny (training) on 2xP100"), 1u) << screen;
  EXPECT_EQ(count(screen, "balanced_layers"), 1u) << screen;
}

TEST_F(CompareCommand, InterruptedKeepsTheRowsThatAreDone) {
  const std::vector<std::string> words = {"compare", "zoo:layered:ops=300",
                                          "-c",      "4xP100",
                                          "-b",      "60s",
                                          "-m",      "auto,random:tries=1000000000,single"};
  BerthOnTerminal terminal(directory, words);
  if (!terminal.works()) GTEST_SKIP() << "no pseudo terminals here";
  ASSERT_TRUE(terminal.await("2 of 3  auto"));  // the progress line
  terminal.signal(SIGINT);
  const ProcessResult shown = terminal.wait();
  EXPECT_EQ(shown.status, 0) << shown.out;
  const std::string screen = screen_of(shown.out);
  expect_in_order(screen, {"auto ", "single ", "interrupted after 2 of 3 methods; auto with its"});
  EXPECT_EQ(screen.find("random"), std::string::npos) << screen;

  std::vector<std::string> for_scripts = words;
  for_scripts.insert(for_scripts.end(), {"--json", "-o", "p.json"});
  BerthProcess process(directory, for_scripts);
  std::this_thread::sleep_for(std::chrono::milliseconds(700));
  process.signal(SIGINT);
  const ProcessResult result = process.wait();
  EXPECT_EQ(result.status, 0) << result.error;
  JsonReader reader(result.out, "stdout");
  reader.skip();
  reader.expect_end();
  EXPECT_NE(result.out.find("\n  \"interrupted\": true"), std::string::npos) << result.out;
  EXPECT_LE(count(result.out, "\"method\":"), 2u) << result.out;
  EXPECT_TRUE(directory.has("p.json"));
}

TEST_F(CompareCommand, AWrongOptionIsBadInputAndNoRow) {
  const auto compare = [&](const char* methods) {
    return run_berth(directory,
                     {"compare", "zoo:tiny", "-c", "2xP100", "-b", "50evals", "-m", methods});
  };
  expect_refused(compare("etf,auto:chains=no"), {"chains", "\"no\""});
  expect_refused(compare("etf,auto:skip=polish"), {"skip", "\"polish\"", "annealing"});
  // That a method does not apply is a row.
  const ProcessResult result =
      run_berth(directory, {"compare", "zoo:layered:ops=40", "-c", "2xP100", "-m", "etf,expert"});
  EXPECT_EQ(result.status, 0) << result.error;
  EXPECT_NE(result.out.find("no plan"), std::string::npos) << result.out;
}

}  // namespace
}  // namespace berth::cli
