#include "frontends/model.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

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
  EXPECT_EQ(load_model(path, {.mode = Mode::inference}).graph.op_count(), 1u);
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

TEST_F(ModelTest, APipeIsReadOnce) {
  const std::string path = (folder_ / "pipe").string();
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  std::thread writer([&] { write_file(path, kGraph); });
  const Model model = load_model(path);
  writer.join();
  EXPECT_EQ(model.graph.op_count(), 1u);
  EXPECT_EQ(model_sha256(model), sha256_hex(kGraph));
}

TEST_F(ModelTest, LoadsAWorkloadInEitherSpelling) {
  const Model model = load_model("zoo:chain(ops=6,bytes=64)");
  EXPECT_EQ(model.graph.op_count(), 7u);
  const Model other = load_model("zoo:chain:ops=6:bytes=64", {.mode = Mode::inference});
  EXPECT_EQ(graph_to_json(other.graph), graph_to_json(model.graph));
  EXPECT_EQ(model_sha256(model), sha256_hex(graph_to_json(model.graph)));
  EXPECT_TRUE(load_model("zoo:tiny").expert);
}

TEST_F(ModelTest, TheHashOutlivesTheGraph) {
  Model model = load_model("zoo:chain(ops=6)");
  const std::string hash = model_sha256(model);
  const Graph taken = std::move(model.graph);
  model.graph = Graph();
  EXPECT_EQ(model_sha256(model), hash);
}

TEST_F(ModelTest, WhatIsNoModel) {
  const auto message = [](const std::string& spec, std::optional<Mode> mode = std::nullopt) {
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
  const Model training = load_model(path, {.mode = Mode::training});
  const Model adam = load_model(path, {.mode = Mode::training, .optimizer = Optimizer::adam});
  EXPECT_FALSE(forward.graph.find_op("w/update"));
  ASSERT_TRUE(training.graph.find_op("w/update"));
  EXPECT_EQ(adam.graph.param_bytes(*adam.graph.find_op("w/update")), 128);
  EXPECT_EQ(adam.spec, path + " --mode training --optimizer adam");
  // Three models, three identities.
  EXPECT_NE(model_sha256(forward), model_sha256(training));
  EXPECT_NE(model_sha256(training), model_sha256(adam));
}

TEST_F(ModelTest, WhatCannotBeTrainedIsSaid) {
  const std::string path = file("g.json", kGraph);
  const auto message = [](const std::string& spec, const LoadOptions& options) {
    return thrown([&] { load_model(spec, options); });
  };
  EXPECT_NE(message(path, {.mode = Mode::training}).find("cannot be trained"), std::string::npos);
  EXPECT_EQ(message(path, {.optimizer = Optimizer::adam}),
            "--optimizer has no effect without --mode training; add that or leave it out");
  EXPECT_EQ(message("zoo:tiny", {.optimizer = Optimizer::adam}),
            "--optimizer is for files; a workload has an option instead, as in "
            "zoo:nmt:optimizer=adam");
}

}  // namespace
}  // namespace berth
