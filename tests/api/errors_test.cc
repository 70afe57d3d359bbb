// Every error is one type that says what it is about and where it was found.
#include "api/small_problem.h"

namespace api_tests {
namespace {

using berth::ErrorCode;

TEST(ApiErrors, CarryCodeAndSubject) {
  const struct {
    std::function<void()> call;
    std::string subject;
    std::string sentence;  // a part of it
  } cases[] = {
      {[] { berth::Graph::load("zoo:rnlm"); }, "zoo:rnlm", "rnnlm"},
      {[] { berth::Graph::load("/nowhere/model.onnx"); }, "/nowhere/model.onnx", "No such file"},
      {[] { berth::Graph::load("zoo:tiny", {.mode = "trian"}); }, "zoo:tiny", "training"},
      {[] { berth::Cluster::load("4xP1000"); }, "4xP1000", "there is no cluster"},
      {[] { berth::Graph("mine", {op("a", 1, {"b"})}); }, "mine", "there is no op \"b\""},
      {[] {
         berth::Graph("mine", {op("a", 1), op("a", 1)});
       },
       "mine", "\"a\""},
      {[] { berth::Graph("mine", {op("a", -1)}); }, "mine", "0 or more"},
      {[] {
         berth::Graph("mine", {op("a", 1, {"c"}), op("c", 1, {"a"})});
       },
       "mine", "\"a\""},
      {[] { berth::Graph("mine", {{.name = "a", .type = "MatMul", .outputs = {{}}}}); }, "mine",
       "needs bytes"},
      {[] { berth::Cluster("mine", {gpu("x")}, {}, {{.from = "x", .to = "y", .bandwidth = 1}}); },
       "mine", "\"y\""},
      {[] { berth::Problem(diamond(), two_gpus(), {.forbid = {"tpu"}}); }, "diamond on pair",
       "\"tpu\""},
      {[] { berth::place(small_problem(), {.method = "atuo"}); }, "atuo", "did you mean \"auto\"?"},
      {[] { berth::place(small_problem(), {.budget = {.seconds = 0}}); }, "auto", "above 0"},
      {[] { berth::place(small_problem(), {.gap = -1}); }, "auto", "the gap is -1"},
      {[] {
         small_problem().simulate({.placement = {0, 0}});
       },
       "plan", "one per op"},
      {[] {
         small_problem().simulate({.placement = {0, 0, 9, 0}});
       },
       "plan", "device 9"},
      {[] { small_problem().seconds(99, 0); }, "op 99", "numbered from 0"},
  };
  for (const auto& [call, subject, sentence] : cases) {
    const berth::Error error = error_of(call);
    EXPECT_EQ(error.code(), ErrorCode::bad_input) << error.what();
    EXPECT_EQ(error.subject(), subject) << error.what();
    EXPECT_NE(std::string(error.what()).find(sentence), std::string::npos) << error.what();
  }
}

TEST(ApiErrors, TellThePlaceInAFile) {
  const berth::Error error =
      error_of([] { berth::Graph::parse("{\"format\": \"berth.graph\",\n oops", "my graph"); });
  EXPECT_EQ(error.subject(), "my graph");
  EXPECT_EQ(error.place(), "my graph:2:2") << error.what();
}

TEST(ApiErrors, AFullDiskIsOutside) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP();
  const berth::Error error = error_of([] { diamond().save("/dev/full"); });
  EXPECT_EQ(error.code(), ErrorCode::outside) << error.what();
  EXPECT_EQ(error.subject(), "/dev/full");
}

TEST(ApiErrors, ViolationsAreAnAnswerAndNoError) {
  const berth::Problem problem(diamond(), two_gpus(), {.colocate = {{"b", "c"}}});
  EXPECT_TRUE(problem.violations({.placement = {0, 1, 1, 0}}).empty());
  EXPECT_EQ(problem.violations({.placement = {0, 0, 1, 0}}).size(), 1u);
  EXPECT_EQ(problem.violations({.placement = {}}).size(), 1u);
}

}  // namespace
}  // namespace api_tests
