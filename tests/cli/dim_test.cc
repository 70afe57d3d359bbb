// --dim on workloads, and what the commands say of the throughput.
#include <gtest/gtest.h>

#include "cli/berth_process.h"
#include "frontends/onnx/onnx_writer.h"

namespace berth::cli {
namespace {

class Dims : public testing::Test {
 protected:
  ProcessResult berth(const std::vector<std::string>& words) const {
    return run_berth(directory, words);
  }
  void expect_parts(const std::vector<std::string>& words,
                    const std::vector<std::string>& parts) const {
    const ProcessResult result = berth(words);
    EXPECT_EQ(result.status, 0) << result.error;
    for (const std::string& part : parts) {
      EXPECT_NE(result.out.find(part), std::string::npos) << part << " in\n" << result.out;
    }
  }

  TemporaryDirectory directory;
};

TEST_F(Dims, SetOptionsOfWorkloads) {
  expect_parts(
      {"place", "zoo:tiny", "--dim", "batch=8", "-c", "2xP100", "-m", "etf", "-o", "p.json"},
      {"zoo:tiny:batch=8 (training) on 2xP100",
       "next: berth lint zoo:tiny --cluster 2xP100 --dim batch=8 --plan p.json"});
  // The same model under its other name.
  expect_parts({"lint", "zoo:tiny:batch=8", "-c", "2xP100", "--plan", "p.json"}, {"Valid"});
  EXPECT_EQ(berth({"lint", "zoo:tiny:batch=8", "-c", "2xP100", "--plan", "p.json"})
                .out.find("another version"),
            std::string::npos);
  expect_parts({"simulate", "zoo:tiny", "--dim", "batch=8", "-c", "2xP100", "-p", "p.json"},
               {"zoo:tiny:batch=8"});
  expect_parts({"compare", "zoo:tiny", "--dim", "batch=8", "-c", "2xP100", "-m", "etf"},
               {"zoo:tiny:batch=8"});
  expect_parts({"inspect", "zoo:nmt:layers=2", "--dim", "seq=4", "--dim", "optimizer=adam"},
               {"zoo:nmt:layers=2:seq=4:optimizer=adam"});
  EXPECT_EQ(berth({"convert", "zoo:tiny", "--dim", "batch=8", "-o", "a.json"}).status, 0);
  EXPECT_EQ(berth({"convert", "zoo:tiny:batch=8", "-o", "b.json"}).status, 0);
  EXPECT_EQ(directory.read("a.json"), directory.read("b.json"));
}

TEST_F(Dims, OfWorkloadsAreRefusedInOneWay) {
  const std::vector<std::vector<std::string>> commands = {
      {"place"}, {"simulate", "-p", "p.json"}, {"compare"}, {"lint", "-p", "p.json"}, {"sweep"}};
  for (const std::vector<std::string>& command : commands) {
    const auto refused = [&](const std::vector<std::string>& more,
                             const std::vector<std::string>& parts) {
      std::vector<std::string> words = command;
      words.insert(words.end(), {"-c", "2xP100"});
      words.insert(words.end(), more.begin(), more.end());
      expect_refused(berth(words), parts);
    };
    refused({"zoo:tiny", "--dim", "bach=8"}, {"--dim bach: workload \"tiny\" has no such option; "
                                              "its options are batch, width and dtype; "
                                              "did you mean \"batch\"?"});
    refused({"zoo:tiny:batch=4", "--dim", "batch=8"},
            {"batch is set in \"zoo:tiny:batch=4\" and by --dim; leave one of them out"});
    refused({"zoo:tiny", "--dim", "batch=8", "--dim", "batch=9"}, {"--dim batch is given twice"});
    refused({"zoo:tiny", "--dim", "batch"}, {"--dim", "batch=8"});
  }
  expect_refused(berth({"inspect", "zoo:tiny", "--dim", "batch=x"}), {"batch", "whole number"});
}

TEST_F(Dims, ThroughputIsTold) {
  expect_parts({"place", "zoo:bert:seq=64", "--dim", "batch=8", "-c", "2xP100", "-m", "single"},
               {" samples/s, ", " tokens/s (batch=8, seq=64)."});
  expect_parts({"place", "zoo:tiny", "-c", "2xP100", "-m", "single", "-o", "p.json", "--json"},
               {"\"batch\": 256", "\"samples_per_second\": ", "\"tokens_per_second\": null"});
  expect_parts({"simulate", "zoo:tiny", "-c", "2xP100", "-p", "p.json"},
               {" samples/s (batch=256)."});
  expect_parts({"simulate", "zoo:tiny", "-c", "2xP100", "-p", "p.json", "--json"},
               {"\"samples_per_second\": "});
  expect_parts({"inspect", "zoo:nmt:layers=2:seq=4", "-c", "2xP100"},
               {"per step      64 samples (batch) of 4 tokens (seq)", "samples/s  tokens/s"});
  // Of a graph file nobody knows.
  ASSERT_EQ(berth({"convert", "zoo:tiny", "-o", "t.json"}).status, 0);
  const ProcessResult file = berth({"place", "t.json", "-c", "2xP100", "-m", "single"});
  EXPECT_EQ(file.out.find("samples/s"), std::string::npos) << file.out;
  expect_refused(berth({"place", "t.json", "-c", "2xP100", "--batch-dim", "batch"}),
                 {"--batch-dim batch: \"t.json\" has no open dimension"});
}

TEST_F(Dims, TheBatchOfAFileIsGuessedOrNamed) {
  using namespace onnx_writer;
  // Time comes first, as recurrent networks have it, and the past is no part of a step.
  directory.write("m.onnx",
                  model({node("MatMul", {"x", "w"}, {"y"}, "/MatMul"), weight("w", {16, 16}),
                         input("x", {"past_length", "Sequence", "B", 16}),
                         output("y", {"past_length", "Sequence", "B", 16})}));
  const std::vector<std::string> words = {"place", "m.onnx",        "-c",    "2xP100",
                                          "--dim", "Sequence=5",    "--dim", "B=3",
                                          "--dim", "past_length=2", "-m",    "single"};
  const auto with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all = words;
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  expect_parts(with({"--batch-dim", "B"}), {"tokens/s (B=3, Sequence=5)."});
  expect_parts(with({}), {"tokens/s (past_length=2, Sequence=5)."});
  expect_refused(berth(with({"--batch-dim", "b"})),
                 {"its open dimensions are past_length, Sequence and B; did you mean \"B\"?"});
}

}  // namespace
}  // namespace berth::cli
