// berth sweep as a user and a script see it.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/json_reader.h"
#include "cli/berth_process.h"
#include "frontends/onnx/onnx_writer.h"

namespace berth::cli {
namespace {

class SweepCommand : public testing::Test {
 protected:
  ProcessResult sweep(std::vector<std::string> words) const {
    words.insert(words.begin(), "sweep");
    return run_berth(directory, words);
  }
  static std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
    return found;
  }
  void expect_refusal(const std::vector<std::string>& words, const std::string& part) const {
    const ProcessResult result = sweep(words);
    EXPECT_EQ(result.status, 2) << result.out;
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(std::count(result.error.begin(), result.error.end(), '\n'), 1) << result.error;
    EXPECT_NE(result.error.find(part), std::string::npos) << part << " in " << result.error;
  }
  void write_cluster(const std::string& name, const std::string& memory) const {
    directory.write(name, R"({"format": "berth.cluster", "version": 1, "name": ")" + name +
                              R"(", "devices": [
      {"name": "gpu:0", "kind": "gpu", "memory": ")" +
                              memory + R"(", "flops": "1TFLOPS", "bandwidth": "100GB/s"},
      {"name": "gpu:1", "kind": "gpu", "memory": ")" +
                              memory + R"(", "flops": "1TFLOPS", "bandwidth": "100GB/s"}],
      "links": [{"between": ["gpu:0", "gpu:1"], "bandwidth": "10GB/s"}]})");
  }

  TemporaryDirectory directory;
};

TEST_F(SweepCommand, TriesEveryCombinationTheSameEachTime) {
  const std::vector<std::string> words = {"zoo:tiny",      "-c",    "2xP100,4xP100", "--dim",
                                          "batch=64..256", "--dim", "width=512,700", "-b",
                                          "40evals",       "-o",    "s.html"};
  const ProcessResult first = sweep(words);
  EXPECT_EQ(first.status, 0) << first.error;
  EXPECT_NE(first.out.find("zoo:tiny (training), auto, 40evals per point"), std::string::npos)
      << first.out;
  EXPECT_EQ(count(first.out, "  yes, "), 12u) << first.out;
  EXPECT_EQ(count(first.out, "largest batch that fits: 256, the largest tried"), 4u) << first.out;
  EXPECT_EQ(sweep(words).out, first.out);
  EXPECT_NE(directory.read("s.html").find("<svg"), std::string::npos);
}

TEST_F(SweepCommand, JsonHasAllPoints) {
  const ProcessResult result =
      sweep({"zoo:tiny", "-c", "2xP100", "--dim", "batch=8,32", "-m", "single", "--json"});
  EXPECT_EQ(result.status, 0) << result.error;
  JsonReader reader(result.out, "stdout");
  reader.skip();
  reader.expect_end();
  EXPECT_EQ(count(result.out, "\"throughput\":"), 2u) << result.out;
  EXPECT_NE(result.out.find("\"model\": \"zoo:tiny:batch=32\""), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("\"throughput_unit\": \"samples/s\""), std::string::npos);
}

TEST_F(SweepCommand, FindsTheLargestBatchThatFits) {
  write_cluster("c.json", "40MiB");
  const std::vector<std::string> words = {"zoo:tiny:width=512", "-c", "c.json", "-m", "single"};
  const ProcessResult found = sweep(words);
  EXPECT_EQ(found.status, 0) << found.error << found.out;
  const std::string key = "largest batch that fits: ";
  const std::size_t at = found.out.find(key);
  ASSERT_NE(at, std::string::npos) << found.out;
  const int largest = std::stoi(found.out.substr(at + key.size()));
  // It fits, and a little more does not: the same method says so.
  const auto status = [&](int batch) {
    return run_berth(directory, {"place", "zoo:tiny:width=512:batch=" + std::to_string(batch), "-c",
                                 "c.json", "-m", "single"})
        .status;
  };
  EXPECT_EQ(status(largest), 0) << largest;
  EXPECT_EQ(status(largest + largest / 32 + 1), 3) << largest;
  // From a batch that does not fit the way is down.
  std::vector<std::string> from_above = words;
  from_above[0] += ":batch=" + std::to_string(8 * largest);
  const ProcessResult again = sweep(from_above);
  EXPECT_EQ(again.status, 0);
  EXPECT_NE(again.out.find(key), std::string::npos) << again.out;
}

TEST_F(SweepCommand, NothingThatFitsIsStatusThreeAndProvenWhereItIs) {
  write_cluster("c.json", "1MiB");
  const ProcessResult result =
      sweep({"zoo:tiny", "-c", "c.json", "--dim", "batch=8,16", "-b", "20evals"});
  EXPECT_EQ(result.status, 3) << result.error;
  EXPECT_NE(result.out.find("no batch that was tried fits; at 8 no plan can fit: at least"),
            std::string::npos)
      << result.out;
}

TEST_F(SweepCommand, APointThatCannotBeBuiltSaysSoInItsRow) {
  const ProcessResult result =
      sweep({"zoo:tiny", "-c", "2xP100", "--dim", "batch=8,0", "-m", "single"});
  EXPECT_EQ(result.status, 0) << result.error;
  EXPECT_NE(result.out.find("no plan"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("option \"batch\" of workload \"tiny\" must be a"), std::string::npos)
      << result.out;
  expect_refusal({"zoo:tiny", "-c", "2xP100", "--dim", "batch=0"}, "but is \"0\"");
}

TEST_F(SweepCommand, Refusals) {
  expect_refusal({"zoo:tiny", "-c", "2xP100", "--dim", "bach=8"},
                 "its options are batch, width and dtype; did you mean \"batch\"?");
  expect_refusal({"zoo:tiny:batch=8", "-c", "2xP100", "--dim", "batch=8"}, "leave one of them out");
  expect_refusal({"zoo:tiny", "-c", "2xP100", "--dim", "batch=8", "--dim", "batch=9"}, "twice");
  expect_refusal({"zoo:tiny", "-c", "2xP100", "--dim", "batch=9..8"}, "\"9..8\" is not a range");
  expect_refusal({"zoo:tiny", "-c", "2xP100", "--dim", "batch"}, "batch=8..256, which doubles");
  expect_refusal({"zoo:tiny", "-c", "2xP100,2xP1000", "--dim", "batch=8"}, "2xP1000");
  expect_refusal({"zoo:tinny", "-c", "2xP100"}, "tinny");
  expect_refusal({"zoo:tiny", "-c", "2xP100", "--dim", "batch=8", "-o", "no/s.html"}, "no/s.html");
}

TEST_F(SweepCommand, FilesHaveOpenDimensionsOrNone) {
  using namespace onnx_writer;
  directory.write("m.onnx",
                  model({node("MatMul", {"x", "w"}, {"y"}, "/MatMul"), weight("w", {16, 16}),
                         input("x", {"batch", 16}), output("y", {"batch", 16})}));
  const ProcessResult onnx =
      sweep({"m.onnx", "-c", "2xP100", "--dim", "batch=8,16", "-m", "single", "--json"});
  EXPECT_EQ(onnx.status, 0) << onnx.error;
  EXPECT_NE(onnx.out.find("\"model\": \"m.onnx --dim batch=16\""), std::string::npos) << onnx.out;
  EXPECT_NE(onnx.out.find("\"batch\": 16"), std::string::npos);
  expect_refusal({"m.onnx", "-c", "2xP100", "--dim", "batch=8,x"}, "\"x\" is not a size");
  expect_refusal({"m.onnx", "-c", "2xP100", "--dim", "size=8"}, "size");

  ASSERT_EQ(run_berth(directory, {"convert", "zoo:tiny", "-o", "m.json"}).status, 0);
  const ProcessResult graph = sweep({"m.json", "-c", "2xP100,4xP100", "-m", "single"});
  EXPECT_EQ(graph.status, 0) << graph.error;
  EXPECT_NE(graph.out.find("steps/s"), std::string::npos) << graph.out;
  expect_refusal({"m.json", "-c", "2xP100", "--dim", "batch=8"}, "ONNX");
}

// PyTorch's exports often call the batch N; steps a second would fall as it grows.
TEST_F(SweepCommand, TheBatchOfAFileIsItsFirstOpenDimension) {
  using namespace onnx_writer;
  directory.write("m.onnx",
                  model({node("MatMul", {"x", "w"}, {"y"}, "/MatMul"), weight("w", {16, 16}),
                         input("x", {"N", "seq_len", 16}), output("y", {"N", "seq_len", 16})}));
  const std::vector<std::string> words = {"m.onnx", "-c",       "2xP100", "--dim", "seq_len=128",
                                          "--dim",  "N=8,1024", "-m",     "single"};
  const auto with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all = words;
    all.insert(all.end(), more.begin(), more.end());
    return sweep(all);
  };
  const ProcessResult guessed = with({"--json", "-o", "s.html"});
  EXPECT_EQ(guessed.status, 0) << guessed.error;
  EXPECT_NE(guessed.out.find("\"throughput_unit\": \"samples/s\""), std::string::npos);
  EXPECT_NE(guessed.out.find("\"batch_dim\": \"N\""), std::string::npos) << guessed.out;
  EXPECT_NE(guessed.out.find("\"batch\": 1024"), std::string::npos) << guessed.out;
  EXPECT_NE(guessed.out.find("\"tokens\": 131072"), std::string::npos) << guessed.out;
  EXPECT_NE(guessed.out.find("\"dim\": \"N\""), std::string::npos) << guessed.out;
  EXPECT_NE(directory.read("s.html").find("Throughput, tokens/s"), std::string::npos);
  EXPECT_NE(directory.read("s.html").find("<h2>Over N</h2>"), std::string::npos);
  const ProcessResult given = with({"--json", "--batch-dim", "seq_len"});
  EXPECT_NE(given.out.find("\"batch\": 128"), std::string::npos) << given.out;
  EXPECT_EQ(given.out.find("\"tokens\": 1"), std::string::npos) << given.out;
  expect_refused(
      with({"--batch-dim", "M"}),
      {"--batch-dim M", "m.onnx", "no such open dimension; its open dimensions are N and seq_len"});
}

TEST_F(SweepCommand, InterruptedKeepsWhatIsDone) {
  BerthProcess process(
      directory, {"sweep", "zoo:layered:ops=300", "-c", "4xP100", "--dim", "batch=8,16,32,64", "-m",
                  "random:tries=1000000", "-b", "3s", "-o", "s.html"});
  std::this_thread::sleep_for(std::chrono::milliseconds(700));
  process.signal(SIGINT);
  const ProcessResult result = process.wait();
  EXPECT_EQ(result.status, 0) << result.error;
  EXPECT_EQ(count(result.out, "  yes, "), 1u) << result.out;
  EXPECT_NE(result.out.find("interrupted; this is what was done so far"), std::string::npos);
  EXPECT_TRUE(directory.has("s.html"));
}

}  // namespace
}  // namespace berth::cli
