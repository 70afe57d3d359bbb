// The assumptions behind the figures of an answer, besides the model and the cluster: the precision
// of products on each device, and the bytes that training keeps per parameter.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json_writer.h"
#include "cost/problem.h"
#include "graph/training.h"

namespace berth::report {

// The rate of a device for products whose time is modelled: that of the dtype with the most flops.
struct ProductRate {
  DType wanted = DType::unknown;  // what they should run in; unknown: they have no dtype
  DType used = DType::unknown;    // another where the device has no such rate
};

struct PrecisionFacts {
  DType chosen = DType::unknown;    // by the user or the file
  DType products = DType::unknown;  // what most flops of products run in; unknown: no products
  std::vector<ProductRate> rates;   // by device
  std::vector<std::uint8_t> has_products;  // by device: is the time of any modelled there?
  bool given_seconds = false;              // the time of a product was given, so it stays
};
PrecisionFacts precision_facts(const Problem& problem);

// Sentences for the answer, each a paragraph of its own; none for f32 products at the f32 rate.
// `tf32_off` is what users of the caller type to turn off TF32; empty: it is not mentioned.
std::vector<std::string> assumptions(const Problem& problem,
                                     const std::optional<TrainingMemory>& memory,
                                     const std::string& tf32_off = "");
std::string training_sentence(const TrainingMemory& memory);

// "precision", "product_rates"{device} and, in training, "training_memory"{...}.
void write_assumptions(JsonWriter& json, const Problem& problem,
                       const std::optional<TrainingMemory>& memory);
void write_training_memory(JsonWriter& json, const TrainingMemory& memory);

}  // namespace berth::report
