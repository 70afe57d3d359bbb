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

namespace berth {
namespace {

constexpr std::string_view kZoo = "zoo:";
constexpr std::string_view kSupported = "a model is a graph file (.json) or a workload (zoo:NAME)";

// Formats people will try, and what they are called.
struct Foreign {
  std::string_view extension;
  std::string_view name;
};
constexpr std::array<Foreign, 7> kForeign = {{{".onnx", "ONNX"},
                                              {".pt", "PyTorch"},
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

Model load_graph_file(const std::string& path, std::optional<Mode> mode) {
  if (mode == Mode::training) {
    throw InputError(fmt::format(
        "{} cannot be loaded for training: a graph file is run as it is, and training graphs of "
        "files are not made yet; leave --mode out, or say inference",
        quoted(path)));
  }
  Model model{.graph = {},
              .spec = path,
              .warnings = {},
              .expert = {},
              .mode = {},
              .file_version = file_version(path),
              .known_sha256 = {}};
  const InputFile file(path);
  model.graph = parse_graph(file.text(), path, &model.warnings);
  if (!model.file_version) model.known_sha256 = sha256_hex(file.text());
  return model;
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

Model load_model(const std::string& spec, std::optional<Mode> mode) {
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
  if (!model.file_version || file_version(model.spec) != model.file_version) return {};
  const InputFile file(model.spec);
  return sha256_hex(file.text());
}

}  // namespace berth
