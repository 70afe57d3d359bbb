#include "report/assumptions.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "report/text.h"

namespace berth::report {
namespace {

using FlopsByDtype = std::map<DType, double>;

DType most(const FlopsByDtype& flops) {
  return std::ranges::max_element(flops, {}, [](const auto& entry) { return entry.second; })->first;
}

// What Device::flops_for() uses where there is no such rate. A single rate for everything is not a
// substitute: it is right by the decision of the author of the cluster.
DType rate_used(const Device& device, DType wanted) {
  if (device.flops.empty() || device.has_rate(wanted) || device.has_rate(DType::unknown)) {
    return wanted;
  }
  return device.has_rate(DType::f32) ? DType::f32 : device.flops.front().first;
}

std::string label_of(const Device& device) {
  return plain_name(device.model.empty() ? device.kind : device.model, 24);
}

// The devices for which `is` holds, each model once.
template <class Is>
std::vector<std::string> labels(const Problem& problem, const PrecisionFacts& facts, const Is& is) {
  std::vector<std::string> names;
  for (std::size_t d = 0; d < problem.device_count(); ++d) {
    if (!facts.has_products[d] || !is(facts.rates[d])) continue;
    std::string label = label_of(problem.cluster().device(DeviceId(d)));
    if (std::ranges::find(names, label) == names.end()) names.push_back(std::move(label));
  }
  return names;
}

// "; products at the f32 rate on P100, which has no bf16 rate", for every rate taken instead.
std::string fallbacks(const Problem& problem, const PrecisionFacts& facts) {
  std::map<std::pair<DType, DType>, std::vector<std::string>> without;  // by rate used and wanted
  for (const ProductRate& rate : facts.rates) {
    if (rate.used == rate.wanted || rate.wanted == DType::unknown) continue;
    if (without.contains({rate.used, rate.wanted})) continue;
    without[{rate.used, rate.wanted}] = labels(problem, facts, [&](const ProductRate& other) {
      return other.used == rate.used && other.wanted == rate.wanted;
    });
  }
  std::string text;
  for (const auto& [rates, names] : without) {
    text += fmt::format("; products at the {} rate on {}, which {} no {} rate",
                        dtype_name(rates.first), join_names(names),
                        names.size() == 1 ? "has" : "have", dtype_name(rates.second));
  }
  return text;
}

std::string precision_sentence(const Problem& problem, const PrecisionFacts& facts,
                               const std::string& tf32_off) {
  if (facts.chosen == DType::unknown) {
    const auto in_tf32 =
        labels(problem, facts, [](const ProductRate& rate) { return rate.used == DType::tf32; });
    if (!in_tf32.empty()) {
      return fmt::format("Precision: f32, products in TF32 on {}{}.", join_names(in_tf32),
                         tf32_off.empty() ? "" : fmt::format("; {} turns it off", tf32_off));
    }
    const bool plain = facts.products == DType::f32 || facts.products == DType::unknown;
    if (plain) return "";
  }
  std::string text = fmt::format(
      "Precision: {}", dtype_name(facts.chosen == DType::unknown ? facts.products : facts.chosen));
  const bool off = facts.chosen == DType::f32 &&
                   std::ranges::any_of(problem.cluster().devices(), [](const Device& device) {
                     return device.has_rate(DType::tf32);
                   });
  if (off) text += ", TF32 off";
  text += fallbacks(problem, facts);
  if (facts.given_seconds) text += "; times given in the graph stay as they are";
  return text + ".";
}

}  // namespace

PrecisionFacts precision_facts(const Problem& problem) {
  const Graph& graph = problem.graph();
  PrecisionFacts facts{.chosen = graph.precision(),
                       .rates = std::vector<ProductRate>(problem.device_count()),
                       .has_products = std::vector<std::uint8_t>(problem.device_count(), 0)};
  FlopsByDtype all;
  for (std::size_t d = 0; d < problem.device_count(); ++d) {
    const DeviceId device(d);
    const DeviceId alike = problem.class_representative(problem.device_class(device));
    if (alike < device) {
      facts.rates[d] = facts.rates[alike.index()];
      facts.has_products[d] = facts.has_products[alike.index()];
      continue;
    }
    FlopsByDtype here;
    const Device& described = problem.cluster().device(device);
    for (std::size_t i = 0; i < problem.op_count(); ++i) {
      const OpId op(i);
      if (!is_heavy(problem.op_class(op)) || graph.flops(op) == 0) continue;
      const bool possible =
          problem.class_seconds(op, problem.device_class(device)) < Problem::kImpossible;
      if (!possible) continue;
      if (!graph.given_seconds(op).empty() && problem.has_given_seconds(op, device)) {
        facts.given_seconds = true;
        continue;
      }
      here[rate_dtype(graph, op, problem.op_class(op), described)] += graph.flops(op);
    }
    if (here.empty()) continue;
    facts.has_products[d] = 1;
    facts.rates[d] = {.wanted = most(here), .used = rate_used(described, most(here))};
    for (const auto& [dtype, flops] : here) all[dtype] += flops;
  }
  if (all.empty()) return facts;
  // Without a choice, TF32 on any device is worth mentioning; otherwise what most of the flops use.
  const bool any_tf32 = all.contains(DType::tf32) && facts.chosen == DType::unknown;
  facts.products = facts.chosen != DType::unknown ? facts.chosen
                   : any_tf32                     ? DType::tf32
                                                  : most(all);
  if (facts.products == DType::unknown) facts.products = DType::f32;
  return facts;
}

std::string training_sentence(const TrainingMemory& memory) {
  return fmt::format("Training memory: {}; gradients count while they are alive.",
                     training_memory_text(memory));
}

std::vector<std::string> assumptions(const Problem& problem,
                                     const std::optional<TrainingMemory>& memory,
                                     const std::string& tf32_off) {
  std::vector<std::string> sentences;
  if (memory) sentences.push_back(training_sentence(*memory));
  std::string precision = precision_sentence(problem, precision_facts(problem), tf32_off);
  if (!precision.empty()) sentences.push_back(std::move(precision));
  return sentences;
}

void write_training_memory(JsonWriter& json, const TrainingMemory& memory) {
  json.key("training_memory").begin_object();
  json.field("optimizer", optimizer_names()[static_cast<std::size_t>(memory.optimizer)]);
  json.field("bytes_per_parameter", memory.total_bytes());
  json.field("weight_bytes", memory.weight_bytes).field("gradient_bytes", memory.gradient_bytes);
  json.field("master_weight_bytes", memory.master_bytes).field("moment_bytes", memory.moment_bytes);
  json.end_object();
}

void write_assumptions(JsonWriter& json, const Problem& problem,
                       const std::optional<TrainingMemory>& memory) {
  const PrecisionFacts facts = precision_facts(problem);
  json.key("precision");
  facts.products == DType::unknown ? json.null() : json.value(dtype_name(facts.products));
  json.key("product_rates").begin_object();
  for (std::size_t d = 0; d < problem.device_count(); ++d) {
    if (!facts.has_products[d]) continue;
    const DType used = facts.rates[d].used == DType::unknown ? DType::f32 : facts.rates[d].used;
    json.field(problem.cluster().device(DeviceId(d)).name, dtype_name(used));
  }
  json.end_object();
  if (memory) write_training_memory(json, *memory);
}

}  // namespace berth::report
