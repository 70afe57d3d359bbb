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
#include "graph/precision.h"

namespace berth {
namespace {

constexpr std::string_view kZoo = "zoo:";
constexpr std::string_view kOnnx = ".onnx";
constexpr std::string_view kJson = ".json";
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
  if (is_standard_input(path)) return std::nullopt;
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
  for (const zoo::Workload& workload : zoo::workloads())
    names.push_back(std::string(kZoo) + workload.name);
  return names;
}

std::string precision_choice(std::optional<DType> precision) {
  return precision ? fmt::format(" --precision {}", dtype_name(*precision)) : "";
}

// The precision asked for and the option `dtype` of a workload are one and the same.
void choose_precision(Call& call, DType precision) {
  for (const auto& [name, value] : call.options) {
    if (name != "dtype" || value == zoo::kAutomatic || value == dtype_name(precision)) continue;
    throw InputError(
        fmt::format("the precision {} and dtype={} of {}{} contradict each other; leave one of "
                    "them out",
                    dtype_name(precision), value, kZoo, call.name),
        {.code = ErrorCode::bad_option, .subject = "precision"});
  }
  std::erase_if(call.options, [](const auto& option) { return option.first == "dtype"; });
  call.options.emplace_back("dtype", dtype_name(precision));
}

// Of a workload whose step is made for training; tiny and its like are the same in either mode.
std::optional<TrainingMemory> memory_of(const Graph& graph, const Options& options,
                                        zoo::Mode mode) {
  if (mode != zoo::Mode::training || !options.has("optimizer")) return std::nullopt;
  const std::string& optimizer = options.text("optimizer");
  return training_memory(
      optimizer == zoo::kAutomatic ? default_optimizer(graph) : parse_optimizer(optimizer), graph);
}

Model load_workload(const std::string& spec, zoo::Mode mode, std::optional<DType> precision) {
  if (spec.size() == kZoo.size()) {
    throw InputError(fmt::format("{} lacks the name of a workload; the workloads are {}",
                                 quoted(spec), join_names(workload_names())));
  }
  Call call = parse_call(std::string_view(spec).substr(kZoo.size()));
  const zoo::Workload& workload = zoo::find_workload(call.name);
  if (precision) choose_precision(call, *precision);
  const Options options("workload " + quoted(workload.name), workload.options, call);
  Graph graph = workload.build(options, mode);
  const std::optional<TrainingMemory> memory = memory_of(graph, options, mode);
  const std::string choices = precision_choice(precision);
  return {.graph = std::move(graph),
          .spec = spec + choices,
          .warnings = {},
          .expert = workload.expert,
          .training_memory = memory,
          .mode = mode,
          .choices = choices,
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

void set_precision(Model& model, DType precision) {
  const std::size_t untyped = count_untyped(model.graph);
  if (untyped > 0 && dtype_bits(precision) != 32) {
    model.warnings.push_back(fmt::format(
        "{}: {} of {} tensors have no \"dtype\", so the precision {} leaves their bytes as they "
        "are",
        input_name(model.path), untyped, model.graph.tensor_count(), dtype_name(precision)));
  }
  model.graph = in_precision(std::move(model.graph), precision);
  model.choices += precision_choice(precision);
}

void train(Model& model, std::optional<Optimizer> chosen) {
  const Optimizer optimizer = chosen.value_or(default_optimizer(model.graph));
  model.choices += fmt::format(" --mode training --optimizer {}",
                               optimizer_names()[static_cast<std::size_t>(optimizer)]);
  model.graph = make_training_graph(model.graph, {.optimizer = optimizer});
  model.training_memory = training_memory(optimizer, model.graph);
}

bool has_open_name(std::string_view path) {
  return !path.ends_with(kJson) && !path.ends_with(kOnnx);
}

// By its name, or where that says nothing by what is in it.
bool is_onnx(std::string_view content, std::string_view path) {
  return has_open_name(path) ? looks_like_onnx(content) : path.ends_with(kOnnx);
}

// The graph as the file has it.
void read_graph(std::string_view content, const DimSizes& dims, Model& model) {
  const std::string source = input_name(model.path);
  if (is_onnx(content, model.path)) {
    onnx::Imported imported = import_onnx(content, source, dims);
    model.graph = std::move(imported.graph);
    model.warnings = std::move(imported.warnings);
    model.empty_dims = std::move(imported.empty_dims);
    for (const std::string& name : imported.open_dims) {
      model.open_dims.emplace_back(name, dims.at(name));
    }
    return;
  }
  if (!dims.empty()) {
    throw InputError(fmt::format("sizes are for the open dimensions of an ONNX file or the options "
                                 "of a workload, and {} is neither",
                                 quoted(source)),
                     {.code = ErrorCode::bad_option, .subject = "dims"});
  }
  model.graph = parse_graph(content, source, &model.warnings);
}

Model load_file(const std::string& path, const LoadOptions& options) {
  Model model{.graph = {},
              .spec = input_name(path),
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
  read_graph(file.text(), options.dims, model);
  try {
    if (options.precision) set_precision(model, *options.precision);
    if (options.mode == zoo::Mode::training) train(model, options.optimizer);
  } catch (const InputError& error) {
    throw error.in(input_name(path));
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
  if (!options.dims.empty() && workload) {
    throw InputError(
        fmt::format("{} is a workload, which has options instead of open dimensions", quoted(spec)),
        {.code = ErrorCode::bad_option, .subject = "dims"});
  }
  if (!options.optimizer) return;
  if (workload) {
    throw InputError(
        "an optimizer is chosen this way for files only; a workload has an option instead, as in "
        "zoo:nmt:optimizer=adam",
        {.code = ErrorCode::bad_option, .subject = "optimizer"});
  }
  if (options.mode != zoo::Mode::training) {
    throw InputError(
        "an optimizer has no effect without the mode training; choose that or leave it out",
        {.code = ErrorCode::bad_option, .subject = "optimizer"});
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
                                 quoted(std::string(kZoo) + spec)),
                     {.code = ErrorCode::unknown_name, .subject = spec});
  }
  throw InputError(fmt::format("there is no file {}; {}, and the workloads are {}{}", quoted(spec),
                               kSupported, join_names(names), did_you_mean(workload, names)),
                   {.code = ErrorCode::unknown_name, .subject = spec});
}

}  // namespace

Model load_model(const std::string& spec, const LoadOptions& options) {
  refuse_misplaced(spec, options);
  if (spec.starts_with(kZoo)) {
    return load_workload(spec, options.mode.value_or(zoo::Mode::training), options.precision);
  }
  if (is_standard_input(spec) || !has_open_name(spec)) return load_file(spec, options);
  for (const Foreign& foreign : kForeign) {
    if (!spec.ends_with(foreign.extension)) continue;
    throw InputError(fmt::format("{} cannot be read: {} models are not supported yet; {}",
                                 quoted(spec), foreign.name, kSupported));
  }
  // A file of any other name may well be a graph.
  if (exists(spec)) return load_file(spec, options);
  fail_unknown(spec);
}

bool looks_like_onnx(std::string_view content) {
  constexpr std::size_t kLookedAt = 256;
  const std::string_view beginning = content.substr(0, kLookedAt);
  return std::any_of(beginning.begin(), beginning.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\r' && c != '\t';
  });
}

std::string model_sha256(const Model& model) {
  if (!model.known_sha256.empty()) return model.known_sha256;
  if (model.mode) return sha256_hex(graph_to_json(model.graph));
  const auto unchanged = [&] {
    return model.file_version && file_version(model.path) == model.file_version;
  };
  Sha256 sum;
  if (!unchanged()) return {};
  if (!read_in_pieces(model.path, [&](std::string_view piece) { sum.add(piece); })) return {};
  return unchanged() ? with_choices(sum.hex(), model.choices) : "";
}

}  // namespace berth
