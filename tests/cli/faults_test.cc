// What the world does to a program: too little memory, inputs that are no files, change or have no
// end, names made to deceive.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "base/file.h"
#include "base/utf8.h"
#include "cli/berth_process.h"

namespace berth::cli {
namespace {

constexpr const char* kOnnx = BERTH_TEST_DATA "/onnx/opset18.onnx";

class Faults : public testing::Test {
 protected:
  ProcessResult run(const std::vector<std::string>& words, const std::string& input = "/dev/null") {
    return run_berth(directory, words, {.input = input});
  }
  void write_model() { ASSERT_EQ(run({"convert", "zoo:tiny", "-o", "m.json"}).status, 0); }
  void write_cluster() { ASSERT_EQ(run({"convert", "2xP100", "-o", "c.json"}).status, 0); }
  void write_plan() {
    write_model();
    write_cluster();
    ASSERT_EQ(run({"place", "m.json", "-c", "c.json", "-m", "single", "-o", "p.json"}).status, 0);
  }

  // But for the lines where it stands alone or with a cluster behind it.
  static std::string without_name(const std::string& text, const std::string& name) {
    std::string out;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      const bool names = line == name || line == fmt::format("On {} (2xP100)", name);
      if (!names) out += line + '\n';
    }
    return out;
  }

  TemporaryDirectory directory;
};

#ifndef __SANITIZE_ADDRESS__
// Somewhere on the way from 20 MB to 100 MB nearly everything fails once.
TEST_F(Faults, TooLittleMemoryIsOneSentence) {
  bool any_failed = false;
  for (const std::size_t kilobytes : {40'000, 60'000, 75'000}) {
    const ProcessResult result =
        run_berth(directory, {"place", "zoo:gnmt", "-c", "4xP100", "-b", "200evals"},
                  {.address_bytes = kilobytes << 10});
    if (result.status == 0) continue;
    any_failed = true;
    expect_failed(result, 1, {"there is not enough memory"});
  }
  EXPECT_TRUE(any_failed);
}

TEST_F(Faults, FewerThreadsMakeTheSamePlan) {
  const std::vector<std::string> words = {
      "place", "zoo:layered:ops=60", "-c", "4xP100", "-b", "600evals",
      "-m",    "auto:threads=64",    "-o", "p.json"};
  ASSERT_EQ(run(words).status, 0);
  const std::string plan = directory.read("p.json");
  // Sixty-four stacks of 8 MB do not fit.
  const ProcessResult result =
      run_berth(directory, words, {.address_bytes = std::size_t{150'000} << 10});
  EXPECT_EQ(result.status, 0) << result.error;
  EXPECT_EQ(directory.read("p.json"), plan);
}
#endif

TEST_F(Faults, DevicesAndPipesAreNoInputs) {
  write_plan();
  ASSERT_EQ(::mkfifo(directory.file("pipe").c_str(), 0600), 0);
  for (const std::string name : {"/dev/zero", "pipe"}) {
    const std::string refused =
        fmt::format("\"{}\" is a {}; name a regular file, or - for standard input (at most 1 GiB)",
                    name, name == "pipe" ? "pipe" : "device");
    expect_refused(run({"inspect", name}), {refused});
    expect_refused(run({"inspect", "m.json", "-c", name}), {refused});
    expect_refused(run({"simulate", "m.json", "-c", "c.json", "-p", name}), {refused});
    expect_refused(run({"place", "m.json", "-c", "c.json", "--constraints", name}), {refused});
    expect_refused(run({"place", "m.json", "-c", "c.json", "--from", name}), {refused});
    expect_refused(run({"place", "m.json", "-c", "c.json", "--policy", name}), {refused});
  }
  expect_refused(run({"inspect", "-"}, "/dev/zero"),
                 {"standard input is larger than 1 GiB, the limit for standard input"});
}

TEST_F(Faults, StandardInputIsAModelAClusterAPlanOrConstraints) {
  write_plan();
  const std::string model = directory.file("m.json");
  const auto same = [&](const std::vector<std::string>& words, const std::string& input,
                        const std::string& name) {
    std::vector<std::string> named = words;
    std::replace(named.begin(), named.end(), std::string("-"), name);
    const ProcessResult piped = run(words, input);
    EXPECT_EQ(piped.status, 0) << piped.error;
    const std::string wanted = run(named).out;
    EXPECT_EQ(without_name(piped.out, "standard input"), without_name(wanted, name));
  };
  same({"inspect", "-"}, model, "m.json");
  same({"inspect", "-"}, kOnnx, kOnnx);
  same({"convert", "-"}, kOnnx, kOnnx);
  same({"convert", "-"}, model, "m.json");
  same({"convert", "-"}, directory.file("c.json"), "c.json");
  same({"clusters", "-"}, directory.file("c.json"), "c.json");
  same({"inspect", "m.json", "-c", "-"}, directory.file("c.json"), "c.json");
  same({"lint", "m.json", "-c", "c.json", "-p", "-"}, directory.file("p.json"), "p.json");
  directory.write("k.json", R"({"format": "berth.constraints", "version": 1})");
  same({"inspect", "m.json", "-c", "c.json", "--constraints", "-"}, directory.file("k.json"),
       "k.json");
  // Read once, used for every point.
  EXPECT_EQ(run({"sweep", "-", "-c", "1xP100,2xP100", "-b", "5evals"}, model).status, 0);
  expect_refused(run({"inspect", "-"}), {"standard input:1:1: expected an object"});
}

TEST_F(Faults, OnlyOneInputIsStandardInput) {
  expect_refused(run({"place", "-", "-c", "-"}),
                 {"MODEL and --cluster are both standard input (-); only one can be"});
  expect_refused(run({"simulate", "-", "-c", "2xP100", "-p", "/dev/stdin"}),
                 {"MODEL and --plan are both standard input"});
  expect_refused(run({"place", "zoo:tiny", "-c", "-", "--constraints", "-"}),
                 {"--cluster and --constraints are both"});
  expect_refused(run({"sweep", "zoo:tiny", "-c", "-,-"}),
                 {"--cluster names standard input (-) twice"});
}

// Cut short once the program is seen to have it mapped, with the program stopped meanwhile.
TEST_F(Faults, AFileThatShrinksWhileItIsReadIsOneSentence) {
  ASSERT_EQ(run({"convert", "zoo:chain:ops=200000", "-o", "m.json"}).status, 0);
  const std::string whole = directory.read("m.json");
  ASSERT_GT(whole.size(), std::size_t{17} << 20) << "too small to be mapped";
  BerthProcess process(directory, {"inspect", "m.json"});
  const std::string maps = fmt::format("/proc/{}/maps", process.id());
  const auto is_mapped = [&] {
    std::ifstream stream(maps);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    return text.find("/m.json") != std::string::npos;
  };
  while (!is_mapped() && ::kill(process.id(), 0) == 0) ::usleep(100);
  process.signal(SIGSTOP);
  ASSERT_EQ(::truncate(directory.file("m.json").c_str(), 0), 0);
  process.signal(SIGCONT);
  expect_failed(process.wait(), 1, {"\"m.json\" became shorter while it was read"});
}

std::size_t controls_in(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = decode_utf8(text, at);
    count += point.length == 0 || (is_control(point.value) && point.value != '\n') ? 1 : 0;
    at += std::max<std::size_t>(point.length, 1);
  }
  return count;
}

// Colours, a turned line, a quote: nothing of it reaches the terminal or a file as it is.
TEST_F(Faults, NamesMadeToDeceiveAreShownPlainly) {
  const std::string bad =
      "a\x7f\xc2\x9b"
      "31m\xe2\x80\xae\xe2\x81\xa6\xef\xbb\xbf'b";
  directory.write(bad + ".json",
                  fmt::format(R"({{"format": "berth.graph", "version": 1, "name": "{0}",
"ops": [{{"name": "{0}", "type": "{0}", "layer": "{0}", "outputs": [{{"bytes": 8}}]}}]}})",
                              bad));
  directory.write("c" + bad, fmt::format(
                                 R"({{"format": "berth.cluster", "version": 1, "name": "{0}",
"devices": [{{"name": "{0}", "kind": "gpu", "model": "{0}", "memory": "1GiB", "flops": "1TFLOPS"}}]}})",
                                 bad));
  const std::string model = bad + ".json";
  const std::vector<std::vector<std::string>> commands = {
      {"place", model, "-c", "c" + bad, "-m", "single", "-o", "p" + bad, "--report", "r", "--trace",
       "t", "--dot", "d"},
      {"lint", model, "-c", "c" + bad, "-p", "p" + bad},
      {"inspect", model, "-c", "c" + bad},
      {"clusters", "c" + bad},
      {"inspect", "no" + model}};
  for (std::vector<std::string> words : commands) {
    for (const bool json : {false, true}) {
      if (json) words.emplace_back("--json");
      const ProcessResult result = run(words);
      EXPECT_EQ(result.status, words[1] == "no" + model ? 2 : 0) << result.error;
      EXPECT_EQ(controls_in(result.out), 0u) << result.out;
      EXPECT_EQ(controls_in(result.error), 0u) << result.error;
      const std::size_t next = result.out.find("next: berth lint 'a31m'\\''b.json' --cluster ");
      EXPECT_EQ(next != std::string::npos, words[0] == "place" && !json) << result.out;
    }
  }
  for (const std::string& name :
       {std::string("r"), std::string("t"), std::string("d"), "p" + bad}) {
    EXPECT_EQ(controls_in(directory.read(name)), 0u) << name;
  }
}

}  // namespace
}  // namespace berth::cli
