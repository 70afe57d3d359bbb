// What `berth sweep --dim` ranges over: options of a workload, open dimensions of an ONNX file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/setting.h"

namespace berth::cli {

struct SweptDim {
  std::string name;
  std::vector<std::string> values;  // each once, in the order given
};

// "batch=8,16,64", "batch=8..256" (doubling), or both mixed. Throws InputError.
std::vector<SweptDim> parse_swept_dims(const std::vector<std::string>& words);

// Throws InputError when a dimension is none of the model's (listing its options), is set in the
// model's own name already, or has a value that no such model can take.
void check_swept_dims(const std::string& model, const std::vector<SweptDim>& dims);

// The arguments with a value for every dimension.
SettingArguments with_dims(const SettingArguments& arguments, const std::vector<SweptDim>& dims,
                           const std::vector<std::string>& values);

// The option of the workload that is its batch, with the value it has; nullopt where there is none.
struct BatchOption {
  std::string name;
  std::int64_t value = 1;
  std::int64_t most = 1;
};
std::optional<BatchOption> batch_option(const std::string& model, const std::string& name);
// The same workload, that option left open.
std::string without_option(const std::string& workload, const std::string& name);

}  // namespace berth::cli
