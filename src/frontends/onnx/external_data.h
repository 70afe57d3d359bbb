// Weights that are stored in files next to the model. Berth never opens these files: the sizes of
// weights follow from their shapes. It checks that the files exist, and refuses paths that lead out
// of the directory of the model.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "frontends/onnx/model.h"

namespace berth::onnx {

class ExternalData {
 public:
  // `directory` of the model; empty: files are not looked for.
  ExternalData(std::string directory, std::string source)
      : directory_(std::move(directory)), source_(std::move(source)) {}

  // Throws InputError when the location is absolute or leads out of the model's folder.
  void check(const Tensor& tensor);
  std::optional<std::string> warning() const;  // about files that are not there

 private:
  std::string directory_, source_;
  std::set<std::string> seen_;
  std::vector<std::string> missing_;
};

// A number among the entries of a tensor's external data.
std::optional<std::int64_t> external_number(const Tensor& tensor, std::string_view key);

}  // namespace berth::onnx
