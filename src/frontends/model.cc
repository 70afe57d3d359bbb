#include "frontends/model.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/file.h"
#include "base/options.h"
#include "base/sha256.h"
#include "frontends/graph_file.h"
#include "frontends/onnx/importer.h"
#include "frontends/onnx/parser.h"

namespace berth {
namespace {

constexpr std::string_view kZoo = "zoo:";
constexpr std::string_view kOnnx = ".onnx";
constexpr std::string_view kSupported =
    "a model is a graph file (.json), an ONNX file (.onnx) or a workload (zoo:NAME)";

// Formats people will try, and what they are called.
struct Foreign {
  std::string_view extension;
  std::string_view name;
};
constexpr std::array<Foreign, 6> kForeign = {{{".pt", "PyTorch"},
                                              {".pth", "PyTorch"},
                                              {".pb", "TensorFlow"},
                                              {".tflite", "TensorFlow Lite"},
                                              {".h5", "Keras"},
                                              {".safetensors", "safetensors"}}};

std::optional<FileVersion> file_version(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return FileVersion{.inode = static_cast<std::uint64_t>(status.st_ino),
                     .size = status.st_size,
                     .modified_seconds = status.st_mtim.tv_sec,
                     .modified_nanoseconds = status.st_mtim.tv_nsec};
}

bool exists(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0;
}

std::vector<std::string> workload_names() {
  std::vector<std::string> names;
  for (const Workload& workload : workloads()) names.push_back(std::string(kZoo) + workload.name);
  return names;
}

Model load_workload(const std::string& spec, Mode mode) {
  if (spec.size() == kZoo.size()) {
    throw InputError(fmt::format("{} lacks the name of a workload; the workloads are {}",
                                 quoted(spec), join_names(workload_names())));
  }
  const Call call = parse_call(std::string_view(spec).substr(kZoo.size()));
  const Workload& workload = find_workload(call.name);
  const Options options("workload " + quoted(workload.name), workload.options, call);
  return {.graph = workload.build(options, mode),
          .spec = spec,
          .warnings = {},
          .expert = workload.expert,
          .mode = mode,
          .file_version = {},
          .known_sha256 = {}};
}

void refuse_training(const std::string& path, std::optional<Mode> mode) {
  if (mode != Mode::training) return;
  throw InputError(fmt::format(
      "{} cannot be loaded for training: a graph file is run as it is, and training graphs of "
      "files are not made yet; leave --mode out, or say inference",
      quoted(path)));
}

Model file_model(const std::string& path) {
  return {.graph = {},
          .spec = path,
          .warnings = {},
          .expert = {},
          .mode = {},
          .path = path,
          .file_version = file_version(path),
          .known_sha256 = {}};
}

Model load_graph_file(const std::string& path, std::optional<Mode> mode) {
  refuse_training(path, mode);
  Model model = file_model(path);
  const InputFile file(path);
  model.graph = parse_graph(file.text(), path, &model.warnings);
  if (!model.file_version) model.known_sha256 = sha256_hex(file.text());
  return model;
}

// The bytes of a model and the sizes it was loaded with, as one hash.
std::string with_sizes(const std::string& file_sha256, const DimSizes& dims) {
  if (dims.empty()) return file_sha256;
  std::string text = file_sha256;
  for (const auto& [name, size] : dims) text += fmt::format("\n{}={}", name, size);
  return sha256_hex(text);
}

Model load_onnx_file(const std::string& path, std::optional<Mode> mode, const DimSizes& dims) {
  refuse_training(path, mode);
  Model model = file_model(path);
  model.dims = dims;
  for (const auto& [name, size] : dims) model.spec += fmt::format(" --dim {}={}", name, size);
  const InputFile file(path);
  const std::size_t slash = path.rfind('/');
  onnx::Imported imported = onnx::import_model(
      onnx::parse_model(file.text(), path), path,
      {.dims = dims, .directory = slash == std::string::npos ? "." : path.substr(0, slash + 1)});
  model.graph = std::move(imported.graph);
  model.warnings = std::move(imported.warnings);
  if (!model.file_version) model.known_sha256 = with_sizes(sha256_hex(file.text()), dims);
  return model;
}

void refuse_sizes(const std::string& spec, const DimSizes& dims) {
  if (dims.empty()) return;
  throw InputError(fmt::format(
      "--dim sets the dimensions that an ONNX file leaves open, and {} is {}", quoted(spec),
      spec.starts_with(kZoo) ? "a workload, which has options instead" : "no such file"));
}

// Why `spec`, which is neither a file nor a workload as written, names no model.
[[noreturn]] void fail_unknown(const std::string& spec) {
  const std::size_t name_end = std::min(spec.find_first_of("(:"), spec.size());
  const std::string name = spec.substr(0, name_end);
  const std::string workload = std::string(kZoo) + name;
  const std::vector<std::string> names = workload_names();
  if (std::find(names.begin(), names.end(), workload) != names.end()) {
    throw InputError(fmt::format("there is no file {}; did you mean the workload {}?", quoted(spec),
                                 quoted(std::string(kZoo) + spec)));
  }
  throw InputError(fmt::format("there is no file {}; {}, and the workloads are {}{}", quoted(spec),
                               kSupported, join_names(names), did_you_mean(workload, names)));
}

}  // namespace

Model load_model(const std::string& spec, std::optional<Mode> mode, const DimSizes& dims) {
  if (spec.ends_with(kOnnx) && !spec.starts_with(kZoo)) return load_onnx_file(spec, mode, dims);
  refuse_sizes(spec, dims);
  if (spec.starts_with(kZoo)) return load_workload(spec, mode.value_or(Mode::training));
  if (spec.ends_with(".json")) return load_graph_file(spec, mode);
  for (const Foreign& foreign : kForeign) {
    if (!spec.ends_with(foreign.extension)) continue;
    throw InputError(fmt::format("{} cannot be read: {} models are not supported yet; {}",
                                 quoted(spec), foreign.name, kSupported));
  }
  // A file of any other name may well be a graph: a pipe of the shell has no extension.
  if (exists(spec)) return load_graph_file(spec, mode);
  fail_unknown(spec);
}

std::string model_sha256(const Model& model) {
  if (!model.known_sha256.empty()) return model.known_sha256;
  if (model.mode) {
    if (model.graph.op_count() > 0) return sha256_hex(graph_to_json(model.graph));
    return sha256_hex(graph_to_json(load_workload(model.spec, *model.mode).graph));
  }
  if (!model.file_version || file_version(model.path) != model.file_version) return {};
  const InputFile file(model.path);
  return with_sizes(sha256_hex(file.text()), model.dims);
}

}  // namespace berth
