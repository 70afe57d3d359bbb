// Any model the user can name, as a graph: a file (`.json`, `.onnx`) or a workload
// (`zoo:NAME:option=value`).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "graph/graph.h"
#include "graph/training.h"
#include "zoo/workload.h"

namespace berth {

// Sizes of the dimensions that an ONNX file leaves open, by name.
using DimSizes = std::map<std::string, std::int64_t>;

// Which state of a file was read: enough to tell whether it has been written to since.
struct FileVersion {
  std::uint64_t inode = 0;
  std::int64_t size = 0;
  std::int64_t modified_seconds = 0;
  std::int64_t modified_nanoseconds = 0;
  bool operator==(const FileVersion&) const = default;
};

struct Model {
  Graph graph;
  std::string spec;  // as the user wrote it, with the choices below
  std::vector<std::string> warnings;
  // Of an ONNX file: the dimensions its inputs leave open, in order of appearance, with the sizes
  // they were given.
  std::vector<std::pair<std::string, std::int64_t>> open_dims = {};
  std::function<std::optional<Plan>(const Problem&)> expert = {};

  // What model_sha256() needs, kept so that nobody pays for a hash that no plan records.
  std::optional<Mode> mode;                 // of a workload
  std::string path = {};                    // of a file
  std::string choices = {};                 // how the file was read, as flags: sizes, training
  std::optional<FileVersion> file_version;  // of a file that can be read again
  std::string known_sha256;                 // of a pipe, which cannot
};

struct LoadOptions {
  std::optional<Mode> mode = {};            // unset: training for workloads, inference for files
  DimSizes dims = {};                       // of an ONNX file
  std::optional<Optimizer> optimizer = {};  // of a file in training; workloads have an option
};
// Throws InputError.
Model load_model(const std::string& spec, const LoadOptions& options = {});

// Of the file's bytes (with choices made, of that hash and the choices), or of the workload's graph
// written as a file; also after the graph was moved out of the model. Empty when the file has
// changed since it was loaded, for then nobody can tell.
std::string model_sha256(const Model& model);

}  // namespace berth
