// No line of an answer is wider than a small terminal, whatever the names in the files.
#include <gtest/gtest.h>

#include "base/terminal.h"
#include "cli/berth_process.h"

namespace berth::cli {
namespace {

constexpr int kColumns = 80;
const char* const kLong =
    "a_name_that_goes_on_and_on_and_on_until_nobody_can_read_it_on_a_terminal";

// The text with the long name wherever it says NAME, and the memory of its devices.
std::string named(std::string text, const std::string& memory = "") {
  for (const auto& [word, value] : {std::pair<std::string, std::string>{"NAME", kLong},
                                    std::pair<std::string, std::string>{"MEMORY", memory}}) {
    for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at)) {
      text.replace(at, word.size(), value);
    }
  }
  return text;
}

constexpr const char* kLongModel =
    R"({"format": "berth.graph", "version": 1, "name": "long", "ops": [
  {"name": "NAME/a", "type": "NAME", "param_bytes": 1000, "outputs": [{"bytes": 100}],
   "seconds": {"gpu": 2}},
  {"name": "NAME/b", "type": "B", "inputs": ["NAME/a"], "outputs": [{"bytes": 200}],
   "seconds": {"gpu": 3}}]})";

constexpr const char* kLongCluster = R"({"format": "berth.cluster", "version": 1, "name": "NAME",
  "devices": [{"name": "NAME:0", "kind": "gpu", "memory": MEMORY},
              {"name": "NAME:1", "kind": "gpu", "memory": MEMORY}],
  "links": [{"between": ["NAME:0", "NAME:1"], "bandwidth": 50}]})";

class Width : public testing::Test {
 protected:
  Width() {
    directory.write("model.json", named(kLongModel));
    directory.write("ample.json", named(kLongCluster, "10000"));
    directory.write("tight.json", named(kLongCluster, "1000"));
  }
  void expect_narrow(const std::vector<std::string>& words) const {
    const ProcessResult result = run_berth(directory, words);
    std::string line = "berth";
    for (const std::string& word : words) line.append(" ").append(word);
    EXPECT_NE(result.out, "") << line << '\n' << result.error;
    for (std::size_t at = 0; at < result.out.size();) {
      const std::size_t end = result.out.find('\n', at);
      const std::string text = result.out.substr(at, end - at);
      at = end + 1;
      // A command to paste is one line.
      if (text.starts_with("next: berth ") || text.starts_with("  berth ")) continue;
      EXPECT_LE(display_width(text), kColumns) << line << '\n' << text;
    }
  }

  TemporaryDirectory directory;
};

TEST_F(Width, Listings) {
  expect_narrow({});
  for (const char* name : {"methods", "zoo", "clusters", "bench"}) expect_narrow({name});
  for (const char* name : {"auto", "random", "go", "colocrl", "exact"}) {
    expect_narrow({"methods", name});
  }
  for (const char* name : {"nmt", "gpt", "bert", "layered", "wavenet"})
    expect_narrow({"zoo", name});
  for (const char* name : {"2x8xA100-ib", "laptop", "4x8xV100-ib"}) {
    expect_narrow({"clusters", name});
  }
  expect_narrow({"bench", "search", "--list"});
}

TEST_F(Width, Help) {
  for (const char* command : {"place", "simulate", "compare", "sweep", "train", "inspect", "bench",
                              "lint", "convert", "methods", "zoo", "clusters"}) {
    expect_narrow({command, "--help"});
  }
  for (const char* name : {"hdp", "search", "generalize", "learn"})
    expect_narrow({"bench", name, "--help"});
}

TEST_F(Width, APlanThatDoesNotFit) {
  expect_narrow({"place", "zoo:gpt:size=7b", "-c", "1xRTX3060", "-m", "single"});
}

TEST_F(Width, AnswersAboutAModel) {
  for (const char* cluster : {"ample.json", "tight.json"}) {
    expect_narrow(
        {"place", "model.json", "-c", cluster, "-b", "20evals", "-o", named("NAME.json")});
    expect_narrow({"simulate", "model.json", "-c", cluster, "-p", named("NAME.json")});
    expect_narrow({"lint", "model.json", "-c", cluster, "-p", named("NAME.json")});
    expect_narrow({"compare", "model.json", "-c", cluster, "-b", "20evals"});
    expect_narrow({"inspect", "model.json", "-c", cluster});
    expect_narrow({"sweep", "model.json", "-c", cluster, "-b", "20evals"});
  }
  expect_narrow({"inspect", "zoo:nmt:layers=2:seq=4", "-c", "4xP100"});
  expect_narrow({"compare", "zoo:nmt:layers=2:seq=4", "-c", "4xP100-12GB", "-b", "20evals"});
  expect_narrow({"place", "zoo:nmt:layers=2:seq=4", "-c", "4xP100", "-b", "20evals"});
  expect_narrow({"sweep", "zoo:nmt:layers=2", "-c", "4xP100-12GB,4xV100-nvlink", "--without",
                 "cpu:0,gpu:3", "--dim", "seq=2,4", "--dim", "batch=64..4096", "-m", "single"});
}

TEST_F(Width, Benchmarks) {
  std::vector<std::string> first = {"bench",   "search",      "--all", "--only",  "zoo:tiny",
                                    "--evals", "200,400,800", "-o",    "run.json"};
  std::vector<std::string> second = first;
  second.resize(second.size() - 2);
  second.insert(second.end(), {"--against", "run.json"});
  expect_narrow(first);
  expect_narrow(second);
}

}  // namespace
}  // namespace berth::cli
