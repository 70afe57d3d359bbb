// Problems for tests of the public interface, made by that interface alone.
#pragma once

#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "berth/berth.h"
#include "gtest/gtest.h"

namespace api_tests {

inline berth::Device gpu(const std::string& name) {
  return {.name = name, .kind = "gpu", .memory_bytes = 1'000'000};
}

// Two GPUs and a switch; a tensor of 1000 bytes takes 1 ms over it.
inline berth::Cluster two_gpus() {
  return berth::Cluster("pair", {gpu("gpu:0"), gpu("gpu:1")}, {"switch"},
                        {{.from = "gpu:0", .to = "switch", .bandwidth = 1e6},
                         {.from = "gpu:1", .to = "switch", .bandwidth = 1e6}});
}

inline berth::Op op(const std::string& name, double seconds, std::vector<std::string> inputs = {}) {
  return {.name = name,
          .type = "MatMul",
          .inputs = std::move(inputs),
          .outputs = {{.bytes = 1000}},
          .param_bytes = 10'000,
          .seconds = {{"gpu", seconds}}};
}

// a, then b and c beside each other, then d: 14 ms on one device, 13 ms with c on another.
inline berth::Graph diamond() {
  return berth::Graph(
      "diamond",
      {op("a", 1e-3), op("b", 10e-3, {"a"}), op("c", 2e-3, {"a"}), op("d", 1e-3, {"b", "c"})},
      {"d"});
}

inline berth::Problem small_problem() { return {diamond(), two_gpus()}; }

// Large enough that a search does not end before it is stopped.
inline berth::Problem larger_problem() {
  return {berth::Graph::load("zoo:layered:ops=400"), berth::Cluster::load("4xP100")};
}

inline std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

inline std::string scratch(const std::string& name) {
  const auto* const test = testing::UnitTest::GetInstance()->current_test_info();
  const auto folder = std::filesystem::path(testing::TempDir()) / "berth_api";
  std::filesystem::create_directories(folder);
  return (folder / (std::string(test->test_suite_name()) + "." + test->name() + "." + name))
      .string();
}

// The error that the function throws; fails the test when it throws none.
inline berth::Error error_of(const std::function<void()>& function) {
  try {
    function();
  } catch (const berth::Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error was thrown";
  return {berth::ErrorCode::internal, "none"};
}

}  // namespace api_tests
