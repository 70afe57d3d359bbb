// The models that the ONNX project tests backends with (Debian's libonnx-testdata): one or more for
// every operator in every form. Each comes with inputs and the outputs that are right for them, so
// what inference says about shapes and types can be held to the truth.
//
// Dimensions that a model leaves open, and lengths of sequences, are taken from the inputs. The
// list of models that are not imported cleanly, with the reason, is docs/results/onnx-testdata.txt;
// BERTH_WRITE_RESULTS=1 writes it anew.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "base/error.h"
#include "base/file.h"
#include "frontends/onnx/importer.h"
#include "frontends/onnx/parser.h"
#include "frontends/onnx/sizes.h"

namespace berth {
namespace {

namespace fs = std::filesystem;
#ifdef BERTH_ONNX_DATA
constexpr const char* kFolder = BERTH_ONNX_DATA;
#else
constexpr const char* kFolder = "";  // the build was configured without
#endif

std::vector<fs::path> model_files() {
  std::vector<fs::path> files;
  if (!fs::exists(kFolder)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(kFolder)) {
    if (entry.path().filename() == "model.onnx") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string test_file(const fs::path& model, const char* kind, std::size_t index) {
  return (model.parent_path() / "test_data_set_0" / fmt::format("{}_{}.pb", kind, index)).string();
}

// Of several tensors in a sequence the largest counts.
void set_sizes(const onnx::Type& type, std::string_view input, const onnx::Tensor& tensor,
               std::map<std::string, std::int64_t>& dims) {
  for (std::size_t k = 0; k < std::min(tensor.dims.size(), type.dims.size()); ++k) {
    const onnx::Dim& dim = type.dims[k];
    if (dim.value > 0) continue;
    std::int64_t& size =
        dims[dim.param.empty() ? fmt::format("{}_{}", input, k) : std::string(dim.param)];
    size = std::max(size, tensor.dims[k]);
  }
}

// What the inputs say about dimensions the model leaves open.
std::map<std::string, std::int64_t> sizes_from_inputs(const onnx::Graph& graph,
                                                      const fs::path& path) {
  std::map<std::string, std::int64_t> dims;
  for (std::size_t i = 0; i < graph.inputs.size(); ++i) {
    const onnx::ValueInfo& info = graph.inputs[i];
    const std::string file = test_file(path, "input", i);
    if (!fs::exists(file)) continue;
    const InputFile bytes(file);
    const onnx::Type* type = &info.type;
    std::vector<onnx::Tensor> tensors;
    if (type->kind == onnx::Type::Kind::tensor) {
      tensors.push_back(onnx::parse_tensor(bytes.text(), file));
    } else {
      tensors = onnx::parse_sequence(bytes.text(), file);
    }
    for (; !type->inner.empty(); type = &type->inner.front()) {
      if (type->kind != onnx::Type::Kind::sequence) continue;
      dims[fmt::format("{}_length", info.name)] = static_cast<std::int64_t>(tensors.size());
    }
    for (const onnx::Tensor& tensor : tensors) set_sizes(*type, info.name, tensor, dims);
  }
  return dims;
}

struct Verdict {
  std::string reason;                 // why it is not clean; empty when it is
  std::string lie;                    // what contradicts the truth
  std::size_t exact = 0, bounds = 0;  // outputs whose shape is right, or the most there can be
};

// Holds the graph's outputs to the files of right ones.
void check_outputs(const onnx::Graph& model, const Graph& graph, const fs::path& path,
                   Verdict& verdict) {
  for (std::size_t i = 0; i < model.outputs.size(); ++i) {
    const onnx::ValueInfo& info = model.outputs[i];
    const std::string file = test_file(path, "output", i);
    if (!fs::exists(file) || info.type.kind != onnx::Type::Kind::tensor) continue;
    if (i >= graph.graph_outputs().size()) continue;
    const InputFile bytes(file);
    const onnx::Tensor right = onnx::parse_tensor(bytes.text(), file);
    const TensorId tensor = graph.graph_outputs()[i];
    if (!graph.has_shape(tensor)) continue;
    const auto shape = graph.shape(tensor);
    // A number that depends on the data is given as the most there can be.
    bool bounds = shape.size() == right.dims.size();
    for (std::size_t k = 0; bounds && k < shape.size(); ++k) bounds = shape[k] >= right.dims[k];
    // The right outputs of type bfloat16 are stored as what holds their bits.
    const bool same_type =
        graph.dtype(tensor) == onnx::dtype_of(right.element) ||
        (graph.dtype(tensor) == DType::bf16 && right.element == onnx::ElementType::uint16);
    const bool exact = bounds && std::equal(shape.begin(), shape.end(), right.dims.begin());
    if (bounds) ++(exact ? verdict.exact : verdict.bounds);
    if (!bounds || !same_type) {
      verdict.lie = fmt::format("{}: output {} is [{}], inferred as [{}]",
                                path.parent_path().filename().string(), i,
                                fmt::join(right.dims, ", "), fmt::join(shape, ", "));
    }
  }
}

Verdict judge(const fs::path& path) {
  Verdict verdict;
  const InputFile file(path.string());
  try {
    const onnx::Model model = onnx::parse_model(file.text(), "it");
    const onnx::Imported imported = onnx::import_model(
        model, "it", {.dims = sizes_from_inputs(model.graph, path), .directory = {}});
    if (!imported.warnings.empty()) verdict.reason = imported.warnings.front();
    // What the file says of its outputs is right, of course; what counts is what is found without.
    onnx::Model silent = model;
    silent.graph.values.clear();
    for (onnx::ValueInfo& output : silent.graph.outputs) output.type = {};
    check_outputs(
        model.graph,
        onnx::import_model(silent, "it",
                           {.dims = sizes_from_inputs(silent.graph, path), .directory = {}})
            .graph,
        path, verdict);
  } catch (const InputError& error) {
    verdict.reason = error.what();
  }
  return verdict;
}

bool is_clean_as_it_is(const fs::path& path) {
  const InputFile file(path.string());
  try {
    return onnx::import_model(onnx::parse_model(file.text(), "it"), "it").warnings.empty();
  } catch (const InputError&) {
    return false;
  }
}

TEST(OnnxTestdata, NearlyAllIsImportedCleanlyAndNothingIsWrong) {
  const std::vector<fs::path> files = model_files();
  if (files.empty()) {
    GTEST_SKIP()
        << "the models of the ONNX project are not there (BERTH_ONNX_DATA; Debian has them "
           "in libonnx-testdata)";
  }
  std::string list;
  std::size_t clean = 0;
  std::size_t exact = 0;
  std::size_t plain = 0;
  std::size_t bounds = 0;
  for (const fs::path& path : files) {
    const Verdict verdict = judge(path);
    EXPECT_EQ(verdict.lie, "");
    plain += is_clean_as_it_is(path);
    exact += verdict.exact;
    bounds += verdict.bounds;
    clean += verdict.reason.empty();
    if (!verdict.reason.empty()) {
      list += fmt::format("{}: {}\n", path.parent_path().filename().string(), verdict.reason);
    }
  }
  const std::string text = fmt::format(
      "Models of libonnx-testdata: {} of {} are imported cleanly (every size known, no warning) "
      "when open dimensions and lengths of sequences are set to those of the "
      "test inputs; {} are without setting any.\n"
      "With what the files say of their outputs taken away, inference gives the right shape and "
      "type of {} outputs and a bound of {} that depend on data.\n"
      "The models that are not clean, and why:\n\n{}",
      clean, files.size(), plain, exact, bounds, list);
  EXPECT_GE(exact, 1000u);
  EXPECT_GE(static_cast<double>(clean), 0.98 * static_cast<double>(files.size())) << text;
  if (std::getenv("BERTH_WRITE_RESULTS")) {
    write_file(BERTH_TEST_DATA "/../../docs/results/onnx-testdata.txt", text);
  }
}

}  // namespace
}  // namespace berth
