// --precision and what training keeps, on the command line.
#include <gtest/gtest.h>

#include <regex>

#include "cli/berth_process.h"

namespace berth::cli {
namespace {

using Words = std::vector<std::string>;

class PrecisionTest : public testing::Test {
 protected:
  std::string run(const Words& words, int status = 0) const {
    const ProcessResult result = run_berth(directory, words);
    EXPECT_EQ(result.status, status) << words.front() << ": " << result.error;
    return result.out;
  }
  // Wherever the lines of a paragraph end.
  static void expect_in(const std::string& text, const std::string& part) {
    const auto unwrapped = [](const std::string& lines) {
      return std::regex_replace(lines, std::regex("\\s+"), " ");
    };
    EXPECT_NE(unwrapped(text).find(unwrapped(part)), std::string::npos) << "no " << part << " in\n"
                                                                        << text;
  }

  TemporaryDirectory directory;
};

TEST_F(PrecisionTest, EveryAnswerSaysThatProductsRunInTf32) {
  const std::string line =
      "Precision: f32, products in TF32 on A100; --precision f32 turns it off.\n";
  const Words setting = {"zoo:tiny", "-c", "A100"};
  const auto with = [&](const char* command, const Words& more) {
    Words words = {command};
    words.insert(words.end(), setting.begin(), setting.end());
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  expect_in(run(with("place", {"-m", "etf", "-o", "p.json"})), line);
  expect_in(run(with("simulate", {"-p", "p.json"})), line);
  expect_in(run(with("compare", {"-m", "etf,single"})), line);
  expect_in(run(with("inspect", {})), line);
  for (const Words& words :
       {with("place", {"-m", "etf", "--json"}), with("simulate", {"-p", "p.json", "--json"}),
        with("compare", {"-m", "etf", "--json"}), with("inspect", {"--json"})}) {
    const std::string json = run(words);
    expect_in(json, "\"precision\": \"tf32\"");
    expect_in(json, "\"gpu:0\": \"tf32\"");
  }
  expect_in(directory.read("p.json"), "\"precision\": \"tf32\"");
  // A plan that was made for one precision and is used in another.
  EXPECT_EQ(run(with("lint", {"-p", "p.json"})).find("made for products"), std::string::npos);
  expect_in(
      run(with("lint", {"-p", "p.json", "--precision", "f32"})),
      "It was made for products in tf32, and here they run in f32; --precision changes that.");
}

TEST_F(PrecisionTest, EveryCommandThatTakesAModelTakesIt) {
  const Words setting = {"zoo:tiny", "-c", "A100", "--precision", "bf16"};
  for (const Words& more :
       {Words{"place", "-m", "etf", "-o", "p.json"}, Words{"simulate", "-p", "p.json"},
        Words{"lint", "-p", "p.json"}, Words{"compare", "-m", "etf"}, Words{"inspect"},
        Words{"convert", "-o", "m.json"}, Words{"sweep", "-m", "etf", "--dim", "batch=8"}}) {
    Words words = more;
    words.insert(words.begin() + 1, setting.begin(), setting.end());
    run(words);
  }
  expect_in(directory.read("p.json"), "zoo:tiny --precision bf16");
  expect_in(directory.read("m.json"), "\"precision\": \"bf16\"");
  expect_in(run({"place", "zoo:tiny", "-c", "A100", "--precision", "bf16", "-m", "etf", "-o", "p"}),
            "berth lint zoo:tiny --cluster A100 --precision bf16 --plan p");
}

TEST_F(PrecisionTest, ASweepSaysThePrecisionOfEveryPoint) {
  const std::string chosen = run({"sweep", "zoo:tiny", "-c", "A100", "-m", "single", "--dim",
                                  "batch=8", "--precision", "bf16"});
  expect_in(chosen, "zoo:tiny --precision bf16 (training), single");
  const std::string json =
      run({"sweep", "zoo:tiny", "-c", "A100,P100", "-m", "single", "--dim", "batch=8", "--json"});
  expect_in(json, "\"precision\": \"tf32\"");
  expect_in(json, "\"precision\": \"f32\"");
}

TEST_F(PrecisionTest, BadPrecisionsAreRefused) {
  const auto refused = [&](const Words& words, const Words& parts) {
    expect_refused(run_berth(directory, words), parts);
  };
  refused({"inspect", "zoo:tiny", "--precision", "fp16"},
          {"there is no precision \"fp16\"; valid are f32, tf32, f16, bf16 and i8"});
  refused({"sweep", "zoo:tiny", "-c", "A100", "--precision", "f64"}, {"there is no precision"});
  refused({"inspect", "zoo:gpt:dtype=f32", "--precision", "f16"},
          {"--precision: the precision f16 and dtype=f32 of zoo:gpt contradict each other"});
  refused({"inspect", "zoo:resnet", "--precision", "i8"},
          {"--precision: ", "cannot be trained in i8", "mode inference"});
  refused({"convert", "4xP100", "--as", "cluster", "--precision", "f16"}, {"is a cluster"});
}

TEST_F(PrecisionTest, SevenBillionParametersInMixedPrecisionDoNotFitOneH100) {
  const std::string model = "zoo:gpt:size=7b:batch=1:seq=2048";
  for (const std::string& optimizer : {std::string(), std::string(":optimizer=adam")}) {
    const std::string answer = run({"inspect", model + optimizer, "-c", "1xH100"});
    expect_in(answer,
              "Training memory: 16 bytes per parameter (adam): 16-bit weights and gradients,\n");
    expect_in(answer, "no, 36.1 GiB over");
  }
  const std::string json = run({"inspect", model + ":optimizer=adam16", "-c", "1xH100", "--json"});
  expect_in(json, "\"bytes_per_parameter\": 8");
  const std::string alone = run({"inspect", model, "--json"});
  expect_in(alone, "\"precision\": \"f16\"");
  expect_in(alone, "\"bytes_per_parameter\": 16");
  expect_in(json, "\"peak_bytes\": 69730861124, \"feasible\": true");
}

}  // namespace
}  // namespace berth::cli
