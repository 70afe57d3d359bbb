// Loads any model the user can name as a graph: a file (`.json`, `.onnx`, or any other name,
// recognized by its contents), standard input (`-`) or a workload (`zoo:NAME:option=value`).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
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
  std::vector<std::string> empty_dims = {};  // that the file says are 0, and may be set as well
  std::function<std::optional<Plan>(const Problem&)> expert = {};
  std::optional<TrainingMemory> training_memory = {};  // where Berth made the training step

  // What model_sha256() needs, kept so that nobody pays for a hash that no plan records.
  std::optional<zoo::Mode> mode;            // of a workload
  std::string path = {};                    // of a file
  std::string choices = {};                 // how it was read, as flags: sizes, precision, training
  std::optional<FileVersion> file_version;  // of a file that can be read again
  std::string known_sha256;                 // of standard input, which cannot

  // What the user named, without the choices.
  std::string named() const { return spec.substr(0, spec.size() - choices.size()); }
};

struct LoadOptions {
  std::optional<zoo::Mode> mode = {};       // unset: training for workloads, inference for files
  DimSizes dims = {};                       // of an ONNX file
  std::optional<Optimizer> optimizer = {};  // of a file in training; workloads have an option
  std::optional<DType> precision = {};      // unset: as the file or the workload has it
};
// Throws InputError.
Model load_model(const std::string& spec, const LoadOptions& options = {});

// Whether it is binary and so no JSON: the first bytes of an ONNX file hold some that no text has.
bool looks_like_onnx(std::string_view content);

// Of the file's bytes (with choices made, of that hash and the choices), or of the workload's graph
// written as a file. Empty when the file has changed since it was loaded, for then nobody can tell.
std::string model_sha256(const Model& model);

}  // namespace berth
