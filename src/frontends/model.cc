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

// The bytes of a file and how it was read, as one hash.
std::string with_choices(const std::string& file_sha256, const std::string& choices) {
  return choices.empty() ? file_sha256 : sha256_hex(file_sha256 + choices);
}

onnx::Imported import_onnx(std::string_view bytes, const std::string& path, const DimSizes& dims) {
  const std::size_t slash = path.rfind('/');
  return onnx::import_model(
      onnx::parse_model(bytes, path), path,
      {.dims = dims, .directory = slash == std::string::npos ? "." : path.substr(0, slash + 1)});
}

Model load_file(const std::string& path, const LoadOptions& options) {
  Model model{.graph = {},
              .spec = path,
              .warnings = {},
              .expert = {},
              .mode = {},
              .path = path,
              .file_version = file_version(path),
              .known_sha256 = {}};
  for (const auto& [name, size] : options.dims) {
    model.choices += fmt::format(" --dim {}={}", name, size);
  }
  const InputFile file(path);
  if (path.ends_with(kOnnx)) {
    onnx::Imported imported = import_onnx(file.text(), path, options.dims);
    model.graph = std::move(imported.graph);
    model.warnings = std::move(imported.warnings);
    for (const std::string& name : imported.open_dims) {
      model.open_dims.emplace_back(name, options.dims.at(name));
    }
  } else {
    model.graph = parse_graph(file.text(), path, &model.warnings);
  }
  if (options.mode == Mode::training) {
    const Optimizer optimizer = options.optimizer.value_or(Optimizer::sgd);
    model.choices += fmt::format(" --mode training --optimizer {}",
                                 optimizer_names()[static_cast<std::size_t>(optimizer)]);
    try {
      model.graph = make_training_graph(model.graph, {.optimizer = optimizer});
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}: {}", path, error.what()));
    }
  }
  model.spec += model.choices;
  if (!model.file_version) {
    model.known_sha256 = with_choices(sha256_hex(file.text()), model.choices);
  }
  return model;
}

// Options that only mean something for other kinds of models.
void refuse_misplaced(const std::string& spec, const LoadOptions& options) {
  const bool workload = spec.starts_with(kZoo);
  if (!options.dims.empty() && !spec.ends_with(kOnnx)) {
    throw InputError(fmt::format(
        "--dim sets the dimensions that an ONNX file leaves open or options of a workload, and {} "
        "is neither",
        quoted(spec)));
  }
  if (!options.optimizer) return;
  if (workload) {
    throw InputError(
        fmt::format("--optimizer is for files; a workload has an option instead, as in "
                    "zoo:nmt:optimizer=adam"));
  }
  if (options.mode != Mode::training) {
    throw InputError("--optimizer has no effect without --mode training; add that or leave it out");
  }
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

Model load_model(const std::string& spec, const LoadOptions& options) {
  refuse_misplaced(spec, options);
  if (spec.starts_with(kZoo)) return load_workload(spec, options.mode.value_or(Mode::training));
  if (spec.ends_with(".json") || spec.ends_with(kOnnx)) return load_file(spec, options);
  for (const Foreign& foreign : kForeign) {
    if (!spec.ends_with(foreign.extension)) continue;
    throw InputError(fmt::format("{} cannot be read: {} models are not supported yet; {}",
                                 quoted(spec), foreign.name, kSupported));
  }
  // A file of any other name may well be a graph: a pipe of the shell has no extension.
  if (exists(spec)) return load_file(spec, options);
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
  return with_choices(sha256_hex(file.text()), model.choices);
}

}  // namespace berth
