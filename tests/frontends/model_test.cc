#include "frontends/model.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "base/file.h"
#include "base/sha256.h"
#include "base/thrown.h"
#include "frontends/graph_file.h"

namespace berth {
namespace {

constexpr std::string_view kGraph =
    R"({"format": "berth.graph", "version": 1, "name": "g", "extra": 1,
 "ops": [{"name": "a", "type": "T"}]})";

// A folder of its own for every test, gone afterwards.
class ModelTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              fmt::format("berth-model-{}-{}", ::getpid(),
                          ::testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string file(const std::string& name, std::string_view content) {
    std::string path = (folder_ / name).string();
    write_file(path, content);
    return path;
  }

  std::filesystem::path folder_;
};

TEST_F(ModelTest, LoadsAFile) {
  const std::string path = file("g.json", kGraph);
  const Model model = load_model(path);
  EXPECT_EQ(model.graph.name(), "g");
  EXPECT_EQ(model.spec, path);
  EXPECT_FALSE(model.expert);
  ASSERT_EQ(model.warnings.size(), 1u);
  EXPECT_EQ(model.warnings[0], path + ":1:54: the key \"extra\" of a graph is unknown and ignored");
  EXPECT_EQ(model_sha256(model), sha256_hex(kGraph));
  EXPECT_EQ(load_model(path, {.mode = zoo::Mode::inference}).graph.op_count(), 1u);
}

TEST_F(ModelTest, AFileNeedsNoExtension) {
  EXPECT_EQ(load_model(file("graph", kGraph)).graph.op_count(), 1u);
}

TEST_F(ModelTest, NoHashOfAFileThatHasChanged) {
  const std::string path = file("g.json", kGraph);
  const Model model = load_model(path);
  file("g.json", std::string(kGraph) + "\n");
  EXPECT_EQ(model_sha256(model), "");
  std::filesystem::remove(path);
  EXPECT_EQ(model_sha256(model), "");
}

TEST_F(ModelTest, AnOnnxFileIsToldByWhatIsInIt) {
  const InputFile onnx(BERTH_TEST_DATA "/onnx/opset18.onnx");
  const Model named = load_model(BERTH_TEST_DATA "/onnx/opset18.onnx");
  const Model told = load_model(file("model", onnx.text()));
  EXPECT_EQ(graph_to_json(told.graph), graph_to_json(named.graph));
  EXPECT_EQ(model_sha256(told), sha256_hex(onnx.text()));
  const std::string graph = file("graph", kGraph);
  EXPECT_EQ(thrown([&] {
              load_model(graph, {.dims = {{"batch", 8}}});
            }),
            fmt::format("sizes are for the open dimensions of an ONNX file or the options of a "
                        "workload, and \"{}\" is neither",
                        graph));
}

TEST_F(ModelTest, LoadsAWorkloadInEitherSpelling) {
  const Model model = load_model("zoo:chain(ops=6,bytes=64)");
  EXPECT_EQ(model.graph.op_count(), 7u);
  const Model other = load_model("zoo:chain:ops=6:bytes=64", {.mode = zoo::Mode::inference});
  EXPECT_EQ(graph_to_json(other.graph), graph_to_json(model.graph));
  EXPECT_EQ(model_sha256(model), sha256_hex(graph_to_json(model.graph)));
  EXPECT_TRUE(load_model("zoo:tiny").expert);
}

TEST_F(ModelTest, WhatIsNoModel) {
  const auto message = [](const std::string& spec, std::optional<zoo::Mode> mode = std::nullopt) {
    return thrown([&] { load_model(spec, {.mode = mode}); });
  };
  EXPECT_EQ(message("none.json"), "cannot open \"none.json\": No such file or directory");
  EXPECT_EQ(message("net.onnx"), "cannot open \"net.onnx\": No such file or directory");
  EXPECT_EQ(message("net.pt"),
            "\"net.pt\" cannot be read: PyTorch models are not supported yet; a model is a graph "
            "file (.json), an ONNX file (.onnx) or a workload (zoo:NAME)");
  EXPECT_EQ(message("chain"),
            "there is no file \"chain\"; did you mean the workload \"zoo:chain\"?");
  EXPECT_EQ(message("chain(ops=3)"),
            "there is no file \"chain(ops=3)\"; did you mean the workload \"zoo:chain(ops=3)\"?");
  EXPECT_EQ(message("chian").find(
                "there is no file \"chian\"; a model is a graph file (.json), an "
                "ONNX file (.onnx) or a workload (zoo:NAME), and the workloads are zoo:"),
            0u);
  EXPECT_NE(message("chian").find("; did you mean \"zoo:chain\"?"), std::string::npos);
  EXPECT_EQ(message("zoo:chian").find("there is no workload \"chian\"; the workloads are "), 0u);
  EXPECT_NE(message("zoo:chain(opps=3)").find("opps"), std::string::npos);
  EXPECT_EQ(message("zoo:").find("\"zoo:\" lacks the name of a workload; the workloads are zoo:"),
            0u);
  EXPECT_NE(message(folder_.string()).find("Is a directory"), std::string::npos);
}

TEST_F(ModelTest, AFileIsTrainedWhenAskedTo) {
  const std::string path = file("g.json", R"({"format": "berth.graph", "version": 1, "ops": [
    {"name": "x", "type": "Input", "outputs": [{"shape": [4, 4], "dtype": "f32"}]},
    {"name": "w", "type": "Variable", "param_bytes": 64,
     "outputs": [{"shape": [4, 4], "dtype": "f32", "resident": true}]},
    {"name": "y", "type": "MatMul", "inputs": ["x", "w"], "flops": 128,
     "outputs": [{"shape": [4, 4], "dtype": "f32"}]}], "outputs": ["y"]})");
  const Model forward = load_model(path);
  const Model training = load_model(path, {.mode = zoo::Mode::training});
  const Model adam = load_model(path, {.mode = zoo::Mode::training, .optimizer = Optimizer::adam});
  EXPECT_FALSE(forward.graph.find_op("w/update"));
  ASSERT_TRUE(training.graph.find_op("w/update"));
  EXPECT_EQ(adam.graph.param_bytes(*adam.graph.find_op("w/update")), 128);
  EXPECT_EQ(adam.spec, path + " --mode training --optimizer adam");
  // Three models, three identities.
  EXPECT_NE(model_sha256(forward), model_sha256(training));
  EXPECT_NE(model_sha256(training), model_sha256(adam));
}

// One product of f32 with a weight, and an index that is no number to compute with.
constexpr std::string_view kProduct = R"({"format": "berth.graph", "version": 1, "ops": [
    {"name": "x", "type": "Input", "outputs": [{"shape": [4, 4], "dtype": "f32"}]},
    {"name": "ids", "type": "Input", "outputs": [{"shape": [4], "dtype": "i64"}]},
    {"name": "w", "type": "Variable", "param_bytes": 64,
     "outputs": [{"shape": [4, 4], "dtype": "f32", "resident": true}]},
    {"name": "y", "type": "MatMul", "inputs": ["x", "w"], "flops": 128,
     "outputs": [{"shape": [4, 4], "dtype": "f32"}]}], "outputs": ["y"]})";

TEST_F(ModelTest, AFileIsReadInThePrecisionAskedFor) {
  const std::string path = file("g.json", kProduct);
  const Model plain = load_model(path);
  const Model half = load_model(path, {.precision = DType::f16});
  EXPECT_EQ(half.spec, path + " --precision f16");
  EXPECT_EQ(half.graph.param_bytes(*half.graph.find_op("w")), 32);
  EXPECT_EQ(half.graph.bytes(*half.graph.find_tensor("ids")), 32);
  EXPECT_NE(model_sha256(half), model_sha256(plain));
  EXPECT_TRUE(half.warnings.empty());
  // What was chosen is in the file that is written of it.
  const Graph again = parse_graph(graph_to_json(half.graph), "again");
  EXPECT_EQ(again.precision(), DType::f16);
  EXPECT_EQ(plain.graph.precision(), DType::unknown);
  EXPECT_EQ(graph_to_json(plain.graph).find("precision"), std::string::npos);
}

TEST_F(ModelTest, SixteenBitTrainingKeepsMasterWeights) {
  const std::string path = file("g.json", kProduct);
  const Model half = load_model(path, {.mode = zoo::Mode::training, .precision = DType::f16});
  EXPECT_EQ(half.spec, path + " --precision f16 --mode training --optimizer adam");
  EXPECT_EQ(half.graph.param_bytes(*half.graph.find_op("w/update")), 16 * 12);
  ASSERT_TRUE(half.training_memory);
  EXPECT_EQ(half.training_memory->total_bytes(), 16);
  const Model single = load_model(path, {.mode = zoo::Mode::training});
  EXPECT_EQ(single.training_memory->optimizer, Optimizer::sgd);
  EXPECT_FALSE(load_model(path).training_memory);
  EXPECT_EQ(
      thrown([&] { load_model(path, {.mode = zoo::Mode::training, .precision = DType::i8}); }),
      path +
          ": \"\" cannot be trained in i8, which is a precision for inference only; train it in "
          "f16 or bf16, or use the mode inference");
}

TEST_F(ModelTest, TensorsWithoutATypeKeepTheirBytesAndThatIsSaid) {
  const std::string path = file("g.json", R"({"format": "berth.graph", "version": 1, "ops": [
    {"name": "x", "type": "MatMul", "flops": 128, "outputs": [{"bytes": 64}]}]})");
  const Model half = load_model(path, {.precision = DType::f16});
  EXPECT_EQ(half.graph.bytes(*half.graph.find_tensor("x")), 64);
  EXPECT_EQ(half.warnings,
            (std::vector<std::string>{path + ": 1 of 1 tensors have no \"dtype\", so the precision "
                                             "f16 leaves their bytes as they are"}));
  EXPECT_TRUE(load_model(path, {.precision = DType::tf32}).warnings.empty());
}

TEST_F(ModelTest, PrecisionAndTheDtypeOfAWorkloadAreOne) {
  const LoadOptions half{.precision = DType::bf16};
  const Model flag = load_model("zoo:gpt:size=small:batch=1", half);
  const Model option = load_model("zoo:gpt:size=small:batch=1:dtype=bf16");
  EXPECT_EQ(graph_to_json(flag.graph), graph_to_json(option.graph));
  EXPECT_EQ(flag.spec, "zoo:gpt:size=small:batch=1 --precision bf16");
  EXPECT_EQ(graph_to_json(load_model("zoo:tiny:dtype=bf16", half).graph),
            graph_to_json(load_model("zoo:tiny", half).graph));
  EXPECT_EQ(graph_to_json(load_model("zoo:tiny:dtype=auto", half).graph),
            graph_to_json(load_model("zoo:tiny", half).graph));
  EXPECT_EQ(thrown([&] { load_model("zoo:gpt:dtype=f16", half); }),
            "the precision bf16 and dtype=f16 of zoo:gpt contradict each other; leave one of them "
            "out");
  EXPECT_NE(model_sha256(load_model("zoo:tiny", half)), model_sha256(load_model("zoo:tiny")));
}

TEST_F(ModelTest, EveryWorkloadTakesEveryPrecision) {
  for (const zoo::Workload& workload : zoo::workloads()) {
    SCOPED_TRACE(workload.name);
    const auto bytes = [&](DType precision) {
      const Model model = load_model("zoo:" + workload.name,
                                     {.mode = zoo::Mode::inference, .precision = precision});
      EXPECT_EQ(model.graph.precision(), precision);
      std::int64_t total = 0;
      for (std::size_t i = 0; i < model.graph.op_count(); ++i) {
        total += model.graph.param_bytes(OpId(i));
      }
      return total;
    };
    const std::int64_t single = bytes(DType::f32);
    EXPECT_EQ(bytes(DType::tf32), single);
    // But for what is no weight: the counter of tiny.
    EXPECT_NEAR(static_cast<double>(bytes(DType::bf16)), static_cast<double>(single) / 2, 64);
    EXPECT_NEAR(static_cast<double>(bytes(DType::i8)), static_cast<double>(single) / 4, 64);
  }
}

TEST_F(ModelTest, WhatCannotBeTrainedIsSaid) {
  const std::string path = file("g.json", kGraph);
  const auto message = [](const std::string& spec, const LoadOptions& options) {
    return thrown([&] { load_model(spec, options); });
  };
  EXPECT_NE(message(path, {.mode = zoo::Mode::training}).find("cannot be trained"),
            std::string::npos);
  EXPECT_EQ(message(path, {.optimizer = Optimizer::adam}),
            "an optimizer has no effect without the mode training; choose that or leave it out");
  EXPECT_EQ(message("zoo:tiny", {.optimizer = Optimizer::adam}),
            "an optimizer is chosen this way for files only; a workload has an option instead, as "
            "in zoo:nmt:optimizer=adam");
}

}  // namespace
}  // namespace berth
