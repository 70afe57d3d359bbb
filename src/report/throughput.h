// How much a step does, so that plans for different batches can be compared: a step with twice
// the samples may take twice as long and be as good.
//
// The samples of a step are the size of the batch; tokens are samples times the length of a
// sequence, where the model has one. Which of a model's sizes these are is a guess from names
// (cli/step_size.h).
#pragma once

#include <optional>
#include <string>

#include "base/json_writer.h"

namespace berth::report {

struct StepSize {
  std::string batch_dim = {};  // the dimension or option; empty when it is not known
  double samples = 0;
  std::string sequence_dim = {};  // empty when there is none
  double length = 0;              // of a sequence

  bool known() const { return !batch_dim.empty(); }
  bool has_tokens() const { return known() && !sequence_dim.empty(); }
  double tokens() const { return samples * length; }
};

// Samples per second for this step time; nullopt when the batch is not known or the step takes no
// time.
std::optional<double> samples_per_second(const StepSize& size, double step_seconds);
std::optional<double> tokens_per_second(const StepSize& size, double step_seconds);

// "12,345", "3.21": three significant digits or all digits before the point.
std::string format_throughput(double throughput);

// "1,234 samples/s, 158,000 tokens/s (batch=128, seq=128)."; empty when nothing is known.
std::string throughput_sentence(const StepSize& size, double step_seconds);
// "128 samples (batch) of 40 tokens (seq)"
std::string step_size_text(const StepSize& size);

// Keys batch and tokens, those of a step; null where they are not known.
void write_step_size(JsonWriter& json, const StepSize& size);
// Keys samples_per_second and tokens_per_second.
void write_throughput(JsonWriter& json, const StepSize& size, double step_seconds);

}  // namespace berth::report
