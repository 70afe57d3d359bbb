// Every error is one type that says what it is about and where it was found.
#include "api/small_problem.h"

namespace api_tests {
namespace {

using berth::ErrorCode;

TEST(ApiErrors, CarryCodeAndSubject) {
  const struct {
    std::function<void()> call;
    ErrorCode code;
    std::string subject;
    std::string sentence;  // a part of it
  } cases[] = {
      {[] { berth::Graph::load("zoo:rnlm"); }, ErrorCode::unknown_name, "rnlm", "rnnlm"},
      {[] { berth::Graph::load("/nowhere/model.onnx"); }, ErrorCode::bad_file,
       "/nowhere/model.onnx", "No such file"},
      {[] { berth::Graph::load("zoo:tiny", {.mode = "trian"}); }, ErrorCode::bad_option, "mode",
       "training"},
      {[] { berth::Graph::load("zoo:tiny", {.precision = "f7"}); }, ErrorCode::unknown_name, "f7",
       "bf16"},
      {[] { berth::Cluster::load("4xP1000"); }, ErrorCode::unknown_name, "4xP1000",
       "there is no cluster"},
      {[] { berth::Graph("mine", {op("a", 1, {"b"})}); }, ErrorCode::unknown_name, "b",
       "op \"a\": there is no op \"b\""},
      {[] {
         berth::Graph("mine", {op("a", 1), op("a", 1)});
       },
       ErrorCode::bad_input, "mine", "\"a\""},
      {[] { berth::Graph("mine", {op("a", -1)}); }, ErrorCode::bad_input, "a", "0 or more"},
      {[] {
         berth::Graph("mine", {op("a", 1, {"c"}), op("c", 1, {"a"})});
       },
       ErrorCode::bad_input, "mine", "\"a\""},
      {[] { berth::Graph("mine", {{.name = "a", .type = "MatMul", .outputs = {{}}}}); },
       ErrorCode::bad_input, "a", "needs bytes"},
      {[] { berth::Graph("mine", {{.name = "a", .type = "MatMul", .devices = {""}}}); },
       ErrorCode::bad_input, "a", "a name in devices is empty"},
      {[] {
         berth::Graph("mine", {{.name = "a", .type = "MatMul", .seconds = {{"", 1}}}});
       },
       ErrorCode::bad_input, "a", "empty name"},
      {[] {
         const std::int64_t large = std::int64_t{1} << 62;
         berth::Graph("mine", {{.name = "a",
                                .type = "MatMul",
                                .outputs = {{.shape = {{large, large}}, .dtype = "f32"}}}});
       },
       ErrorCode::too_large, "mine", "63 bits"},
      {[] { berth::Cluster("mine", {gpu("x")}, {}, {{.from = "x", .to = "y", .bandwidth = 1}}); },
       ErrorCode::unknown_name, "y", "\"y\""},
      {[] { berth::Problem(diamond(), two_gpus(), {.forbid = {"tpu"}}); }, ErrorCode::unknown_name,
       "tpu", "\"tpu\""},
      {[] {
         berth::Problem(diamond(), two_gpus(), {.pin = {{"a", {}}}});
       },
       ErrorCode::bad_input, "a", "has no devices"},
      {[] { berth::place(small_problem(), {.method = "atuo"}); }, ErrorCode::unknown_name, "atuo",
       "did you mean \"auto\"?"},
      {[] { berth::place(small_problem(), {.method = "auto:policy=nobody"}); },
       ErrorCode::unknown_name, "nobody", "there is no policy"},
      {[] { berth::place(small_problem(), {.method = "auto:skip=polish"}); }, ErrorCode::bad_option,
       "skip", "annealing"},
      {[] { berth::place(small_problem(), {.method = "expert"}); }, ErrorCode::does_not_apply,
       "expert", "expert"},
      {[] { berth::place(small_problem(), {.budget = {.seconds = 0}}); }, ErrorCode::bad_option,
       "budget", "above 0"},
      {[] { berth::place(small_problem(), {.gap = -1}); }, ErrorCode::bad_option, "gap",
       "the gap is -1"},
      {[] {
         small_problem().simulate({.placement = {0, 0}});
       },
       ErrorCode::invalid_plan, "plan", "one per op"},
      {[] {
         small_problem().simulate({.placement = {0, 0, 9, 0}});
       },
       ErrorCode::invalid_plan, "plan", "device 9"},
      {[] { small_problem().seconds(99, 0); }, ErrorCode::unknown_name, "op 99", "numbered from 0"},
  };
  for (const auto& [call, code, subject, sentence] : cases) {
    const berth::Error error = error_of(call);
    EXPECT_EQ(error.code(), code) << error.what();
    EXPECT_EQ(error.subject(), subject) << error.what();
    EXPECT_NE(std::string(error.what()).find(sentence), std::string::npos) << error.what();
  }
}

TEST(ApiErrors, TellThePlaceInAFile) {
  const berth::Error error =
      error_of([] { berth::Graph::parse("{\"format\": \"berth.graph\",\n oops", "my graph"); });
  EXPECT_EQ(error.code(), ErrorCode::bad_file);
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
