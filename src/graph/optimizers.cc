// What the optimizers of training.h keep per parameter: one table for cost, help and answers.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "graph/training.h"
#include "graph/training_builder.h"

namespace berth {
namespace {

// `adam` on 16-bit weights is mixed precision as it is usually run (Micikevicius et al. 2018, and
// the 16 bytes of ZeRO, Rajbhandari et al. 2020). The others keep no master weights, to save
// memory. adam8bit is that of Dettmers et al. 2022, without the scales of its blocks (0.03 bytes);
// adafactor that of Shazeer and Stern 2018 without a first moment.
constexpr std::array<OptimizerFacts, 6> kOptimizers = {{
    {"sgd", "SGD", 0, 0, false, false, 2, ""},
    {"momentum", "Momentum", 1, 0, false, false, 4, "a momentum of the same width"},
    {"adam", "Adam", 2, 32, true, false, 12, "two 32-bit moments"},
    {"adam16", "Adam", 2, 16, false, false, 12, "two 16-bit moments"},
    {"adam8bit", "Adam", 2, 8, false, false, 16, "two 8-bit moments"},
    {"adafactor", "Adafactor", 1, 32, false, true, 12, "32-bit moments per row and per column"},
}};
constexpr int kMasterBits = 32;

const OptimizerFacts& facts_of(Optimizer optimizer) {
  return kOptimizers[static_cast<std::size_t>(optimizer)];
}

// f64 weights have f64 moments under adam.
int moment_bits(const OptimizerFacts& facts, int weight_bits) {
  if (facts.moment_bits == 0) return weight_bits;
  return facts.moment_bits == 32 ? std::max(32, weight_bits) : facts.moment_bits;
}

bool has_master(const OptimizerFacts& facts, int weight_bits) {
  return facts.master_weights && weight_bits < kMasterBits;
}

// The width of most bytes of trainable weights.
int weight_bits(const Graph& graph) {
  std::array<double, 129> bytes_by_bits{};
  const auto add = [&](std::int64_t bytes, DType dtype) {
    bytes_by_bits[static_cast<std::size_t>(element_bits(dtype))] += static_cast<double>(bytes);
  };
  for (std::size_t i = 0; i < graph.op_count(); ++i) {
    const OpId op(i);
    if (graph.output_count(op) == 0 || is_update(graph.op_type(op))) continue;
    const TensorId first = graph.first_output(op);
    if (!has_slope(graph.dtype(first))) continue;  // quantized, so it is not trained
    const bool variable = graph.op_type(op) == "Variable";
    add(variable ? graph.bytes(first) : graph.param_bytes(op), graph.dtype(first));
  }
  const auto most = std::max_element(bytes_by_bits.begin(), bytes_by_bits.end());
  return *most > 0 ? static_cast<int>(most - bytes_by_bits.begin()) : 32;
}

}  // namespace

std::span<const OptimizerFacts> optimizers() { return kOptimizers; }

std::vector<std::string> optimizer_names() {
  std::vector<std::string> names;
  for (const OptimizerFacts& optimizer : kOptimizers) names.emplace_back(optimizer.name);
  return names;
}

Optimizer parse_optimizer(std::string_view name) {
  for (std::size_t i = 0; i < kOptimizers.size(); ++i) {
    if (kOptimizers[i].name == name) return static_cast<Optimizer>(i);
  }
  throw InputError(
      fmt::format("there is no optimizer {}; valid are {}{}", quoted(name),
                  join_names(optimizer_names()), did_you_mean(name, optimizer_names())),
      {.code = ErrorCode::unknown_name, .subject = std::string(name)});
}

bool is_update(std::string_view op_type) {
  return std::ranges::any_of(
      kOptimizers, [&](const OptimizerFacts& facts) { return facts.update_type == op_type; });
}

Optimizer default_optimizer(const Graph& graph) {
  return weight_bits(graph) < 32 ? Optimizer::adam : Optimizer::sgd;
}

TrainingMemory training_memory(Optimizer optimizer, int weight_bits) {
  const OptimizerFacts& facts = facts_of(optimizer);
  const int moments = facts.factored ? 0 : facts.moments;
  return {.optimizer = optimizer,
          .weight_bytes = weight_bits / 8,
          .gradient_bytes = weight_bits / 8,
          .master_bytes = has_master(facts, weight_bits) ? kMasterBits / 8 : 0,
          .moment_bytes = moments * moment_bits(facts, weight_bits) / 8};
}

TrainingMemory training_memory(Optimizer optimizer, const Graph& graph) {
  return training_memory(optimizer, weight_bits(graph));
}

std::string training_memory_text(const TrainingMemory& memory) {
  const OptimizerFacts& facts = facts_of(memory.optimizer);
  std::vector<std::string> kept = {
      fmt::format("{}-bit weights and gradients", 8 * memory.weight_bytes)};
  if (memory.master_bytes > 0) kept.emplace_back("32-bit master weights");
  if (!facts.state.empty()) kept.emplace_back(facts.state);
  return fmt::format("{} bytes per parameter ({}): {}", memory.total_bytes(), facts.name,
                     join_names(kept));
}

// Bytes of the optimizer's state for weights of that size: moments, and master weights where they
// are kept. Tensors with fewer than two dimensions are not factored.
std::int64_t TrainingBuilder::state_bytes(std::int64_t bytes, DType dtype,
                                          std::span<const std::int64_t> shape) const {
  const int bits = element_bits(dtype);
  const std::int64_t columns = shape.size() < 2 ? 0 : shape.back();
  const std::int64_t rows = shape.size() < 2 ? 0 : shape[shape.size() - 2];
  const bool factored = optimizer_.factored && rows > 0 && columns > 0;
  const int wide = moment_bits(optimizer_, bits);
  std::int64_t kept = has_master(optimizer_, bits) ? bytes_of_width(bytes, bits, kMasterBits) : 0;
  if (factored) {
    // One sum per row and one per column, in every matrix of the last two dimensions.
    kept = sum_of_bytes(kept, bytes_of_width(bytes / columns, bits, wide));
    return sum_of_bytes(kept, bytes_of_width(bytes / rows, bits, wide));
  }
  for (int i = 0; i < optimizer_.moments; ++i) {
    kept = sum_of_bytes(kept, bytes_of_width(bytes, bits, wide));
  }
  return kept;
}

}  // namespace berth
