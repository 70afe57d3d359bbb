// ONNX files on the command line: every command takes them, and --dim.
#include <gtest/gtest.h>

#include "cli/berth_process.h"
#include "frontends/onnx/onnx_writer.h"

namespace berth::cli {
namespace {

using namespace onnx_writer;

class OnnxFiles : public testing::Test {
 protected:
  OnnxFiles() {
    directory.write("m.onnx", model({node("MatMul", {"x", "w"}, {"h"}, "/layers.0/MatMul"),
                                     node("Relu", {"h"}, {"a"}, "/layers.0/Relu"),
                                     node("MatMul", {"a", "v"}, {"y"}, "/layers.1/MatMul"),
                                     weight("w", {16, 16}), weight("v", {16, 16}),
                                     input("x", {"batch", 16}), output("y", {"batch", 16})}));
  }
  ProcessResult berth(const std::vector<std::string>& words) const {
    return run_berth(directory, words);
  }
  void expect_refusal(const std::vector<std::string>& words, const std::string& sentence) const {
    const ProcessResult result = berth(words);
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.error, "berth: error: " + sentence + "\n");
  }

  TemporaryDirectory directory;
};

TEST_F(OnnxFiles, EveryCommandTakesThem) {
  const ProcessResult inspect = berth({"inspect", "m.onnx", "--dim", "batch=8", "--json"});
  EXPECT_EQ(inspect.status, 0) << inspect.error;
  EXPECT_NE(inspect.out.find("\"model\": \"m.onnx --dim batch=8\""), std::string::npos)
      << inspect.out;
  EXPECT_NE(inspect.out.find("\"param_bytes\": 2048"), std::string::npos) << inspect.out;
  EXPECT_NE(inspect.out.find("\"warnings\": []"), std::string::npos) << inspect.out;

  const std::vector<std::string> setting = {"m.onnx", "--dim", "batch=8", "-c", "2xP100"};
  const auto run = [&](const std::string& command, const std::vector<std::string>& more) {
    std::vector<std::string> words = {command};
    words.insert(words.end(), setting.begin(), setting.end());
    words.insert(words.end(), more.begin(), more.end());
    const ProcessResult result = berth(words);
    EXPECT_EQ(result.status, 0) << command << ": " << result.error;
    return result.out;
  };
  const std::string placed = run("place", {"-m", "etf", "-o", "p.json"});
  EXPECT_NE(placed.find("berth lint m.onnx --cluster 2xP100 --dim batch=8 --plan p.json"),
            std::string::npos)
      << placed;
  EXPECT_NE(directory.read("p.json").find("m.onnx --dim batch=8"), std::string::npos);
  run("simulate", {"-p", "p.json"});
  run("compare", {"-m", "etf,single"});
  EXPECT_EQ(run("lint", {"-p", "p.json"}).find("another version"), std::string::npos);
}

// The plan was made for another size of batch, so its figures no longer hold.
TEST_F(OnnxFiles, SizesArePartOfWhatAPlanWasMadeFor) {
  ASSERT_EQ(
      berth({"place", "m.onnx", "--dim", "batch=8", "-c", "2xP100", "-m", "etf", "-o", "p.json"})
          .status,
      0);
  const ProcessResult lint =
      berth({"lint", "m.onnx", "--dim", "batch=16", "-c", "2xP100", "-p", "p.json"});
  EXPECT_NE(lint.out.find("another version of the model (m.onnx --dim batch=8)"), std::string::npos)
      << lint.out;
}

TEST_F(OnnxFiles, AreConvertedToGraphs) {
  ASSERT_EQ(berth({"convert", "m.onnx", "--dim", "batch=8", "-o", "g.json"}).status, 0);
  const ProcessResult result = berth({"inspect", "g.json", "--json"});
  EXPECT_NE(result.out.find("\"param_bytes\": 2048"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("\"layers\": 2"), std::string::npos) << result.out;
}

TEST_F(OnnxFiles, SizesPast63BitsAreRefused) {
  for (const char* size : {"9223372036854775807", "1e18"}) {
    const ProcessResult result =
        berth({"place", "m.onnx", "--dim", std::string("batch=") + size, "-c", "2xP100"});
    EXPECT_EQ(result.status, 2) << result.out;
    EXPECT_EQ(result.out, "");
    EXPECT_NE(result.error.find("\"m.onnx\": the tensor \"x\" of shape ["), std::string::npos)
        << result.error;
  }
  // Every tensor fits, and one of them on every device does not.
  const ProcessResult result =
      berth({"place", "m.onnx", "--dim", "batch=2e16", "-c", "8xP100", "-m", "etf"});
  EXPECT_EQ(result.status, 2) << result.out;
  EXPECT_EQ(result.error,
            "berth: error: m.onnx on 8xP100: the sizes of model \"g\" add up, over 9 devices, to "
            "more bytes than fit in 63 bits; the largest is the tensor \"x:0\" with "
            "1280000000000000000 bytes\n");
}

TEST_F(OnnxFiles, ADimensionIsSetOnce) {
  directory.write("p.json", "{}");
  const std::vector<std::vector<std::string>> commands = {
      {"place", "m.onnx", "-c", "2xP100"},
      {"simulate", "m.onnx", "-c", "2xP100", "-p", "p.json"},
      {"compare", "m.onnx", "-c", "2xP100", "-m", "etf,single"},
      {"lint", "m.onnx", "-c", "2xP100", "-p", "p.json"},
      {"inspect", "m.onnx"},
      {"convert", "m.onnx", "-o", "g.json"}};
  for (std::vector<std::string> words : commands) {
    SCOPED_TRACE(words.front());
    words.insert(words.end(), {"--dim", "batch=1", "--dim", "batch=2"});
    expect_refusal(words, "--dim \"batch\" is given twice; give each dimension one size");
  }
  const ProcessResult sweep =
      berth({"sweep", "m.onnx", "-c", "2xP100", "--dim", "batch=1", "--dim", "batch=2"});
  EXPECT_EQ(sweep.status, 2);
  EXPECT_NE(sweep.error.find("--dim batch is given twice"), std::string::npos) << sweep.error;
}

TEST_F(OnnxFiles, ADimensionMayBeZeroOrWrittenWithAnExponent) {
  const ProcessResult none = berth({"inspect", "m.onnx", "--dim", "batch=0", "--json"});
  EXPECT_EQ(none.status, 0) << none.error;
  EXPECT_NE(none.out.find("\"flops\": 0"), std::string::npos) << none.out;
  const ProcessResult many = berth({"inspect", "m.onnx", "--dim", "batch=1e3", "--json"});
  EXPECT_NE(many.out.find("\"model\": \"m.onnx --dim batch=1000\""), std::string::npos) << many.out;
}

TEST_F(OnnxFiles, Refusals) {
  expect_refusal({"inspect", "m.onnx"},
                 "\"m.onnx\" leaves a dimension of its inputs open: \"batch\" (axis 0 of \"x\"); "
                 "add --dim batch=8, with the size you want");
  expect_refusal({"inspect", "m.onnx", "--dim", "bach=8"},
                 "\"m.onnx\" has no dimension \"bach\"; its only open dimension is \"batch\"; did "
                 "you mean \"batch\"?");
  for (const char* wrong : {"batch", "batch=-1", "batch=x", "=8", "batch=8x", "batch=1.5",
                            "batch=9223372036854775808", "batch=1e19"}) {
    expect_refusal({"inspect", "m.onnx", "--dim", wrong},
                   std::string("--dim takes NAME=SIZE with a whole number from 0 to "
                               "9223372036854775807, as in --dim batch=8, not \"") +
                       wrong + "\"");
  }
  ASSERT_EQ(berth({"convert", "zoo:tiny", "-o", "t.json"}).status, 0);
  expect_refusal(
      {"inspect", "t.json", "--dim", "batch=8"},
      "--dim: sizes are for the open dimensions of an ONNX file or the options of a workload, "
      "and \"t.json\" is neither");
  directory.write("cut.onnx", directory.read("m.onnx").substr(0, 300));
  const ProcessResult cut = berth({"inspect", "cut.onnx"});
  EXPECT_EQ(cut.status, 2);
  EXPECT_NE(cut.error.find("the file is damaged, cut off or not an ONNX model"), std::string::npos);
}

}  // namespace
}  // namespace berth::cli
