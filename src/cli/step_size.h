// How many samples and tokens a step of a model has, guessed from the names of its sizes.
//
// The batch of a workload is its option `batch`. That of an ONNX file is the first open dimension
// of its inputs with "batch" in its name, else the first open one that is not a sequence.
// --batch-dim names another. The length of a sequence is the first other size with "seq", "length"
// or "tokens" in its name; what was computed before ("past") does not count.
#pragma once

#include <string>

#include "frontends/model.h"
#include "report/throughput.h"

namespace berth::cli {

inline constexpr const char* kUsualBatch = "batch";  // the option of workloads

// `batch_dim` as the user gave it, or empty. Throws InputError when the model has no such size.
report::StepSize step_size(const Model& model, const std::string& batch_dim);

}  // namespace berth::cli
