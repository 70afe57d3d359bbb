#include "place/partition/metis.h"

#include <metis.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <mutex>

#include "place/partition/metis_signals.h"
#include "place/partition/partition.h"

namespace berth::place {
namespace {

static_assert(sizeof(idx_t) == sizeof(std::int32_t), "PartitionInput's weights are 32 bits wide");

// Memory is estimated; balancing it to the byte would only spoil the cut.
constexpr double kMemoryImbalance = 0.1;

struct Settings {
  double imbalance;
  bool volume;
  bool memory;
  std::int64_t tries;
};

// Discards what the library prints: only the command line may write to stdout.
class QuietStdout {
 public:
  QuietStdout() : saved_(stdout) {
    // Never closed: another thread of the program may be printing to it when this ends.
    static std::FILE* const nowhere = std::fopen("/dev/null", "w");
    if (nowhere != nullptr) stdout = nowhere;
  }
  ~QuietStdout() { stdout = saved_; }
  QuietStdout(const QuietStdout&) = delete;
  QuietStdout& operator=(const QuietStdout&) = delete;

 private:
  std::FILE* saved_;
};

// Weights by vertex, one after the other: work, then memory where it counts.
std::vector<idx_t> vertex_weights(const PartitionInput& input, bool memory) {
  std::vector<idx_t> weights;
  for (std::size_t vertex = 0; vertex < input.vertex_count(); ++vertex) {
    weights.push_back(input.work[vertex]);
    if (memory) weights.push_back(input.memory[vertex]);
  }
  return weights;
}

std::vector<real_t> part_weights(const PartitionInput& input, bool memory) {
  std::vector<real_t> weights;
  for (std::size_t part = 0; part < input.part_count(); ++part) {
    weights.push_back(static_cast<real_t>(input.shares[part]));
    if (memory) weights.push_back(static_cast<real_t>(input.memory_shares[part]));
  }
  return weights;
}

// For the volume: what a vertex sends to each part that reads it, assumed to be its largest edge.
std::vector<idx_t> vertex_sizes(const PartitionInput& input) {
  std::vector<idx_t> sizes(input.vertex_count(), 1);
  for (std::size_t vertex = 0; vertex < sizes.size(); ++vertex) {
    for (std::int32_t at = input.begins[vertex]; at < input.begins[vertex + 1]; ++at) {
      sizes[vertex] = std::max(sizes[vertex], input.bytes[at]);
    }
  }
  return sizes;
}

std::optional<Parts> partition(const PartitionInput& input, const Settings& settings) {
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  // idx_t is a signed 32-bit number, and -1 would mean the default seed.
  options[METIS_OPTION_SEED] = static_cast<idx_t>(input.seed & 0x7fffffff);
  options[METIS_OPTION_NCUTS] = static_cast<idx_t>(settings.tries);
  options[METIS_OPTION_OBJTYPE] = settings.volume ? METIS_OBJTYPE_VOL : METIS_OBJTYPE_CUT;

  // The interface takes everything by pointer to non-const.
  auto vertex_count = static_cast<idx_t>(input.vertex_count());
  auto part_count = static_cast<idx_t>(input.part_count());
  idx_t constraints = settings.memory ? 2 : 1;
  std::vector<idx_t> begins(input.begins), neighbours(input.neighbours), bytes(input.bytes);
  std::vector<idx_t> weights = vertex_weights(input, settings.memory);
  std::vector<idx_t> sizes = settings.volume ? vertex_sizes(input) : std::vector<idx_t>();
  std::vector<real_t> targets = part_weights(input, settings.memory);
  real_t tolerances[2] = {static_cast<real_t>(1 + settings.imbalance),
                          static_cast<real_t>(1 + std::max(kMemoryImbalance, settings.imbalance))};
  idx_t objective = 0;
  Parts parts(input.vertex_count(), 0);

  static std::mutex mutex;  // the library's random state is global
  const std::lock_guard lock(mutex);
  const QuietStdout quiet;
  const MetisWithoutSignals without_signals;
  const int status = METIS_PartGraphKway(
      &vertex_count, &constraints, begins.data(), neighbours.data(), weights.data(),
      settings.volume ? sizes.data() : nullptr, bytes.data(), &part_count, targets.data(),
      tolerances, options, &objective, parts.data());
  const bool in_range =
      std::ranges::all_of(parts, [&](idx_t part) { return part >= 0 && part < part_count; });
  if (status != METIS_OK || !in_range) return std::nullopt;
  return parts;
}

Placed place_by_metis(const Problem& problem, const Request& request, const Options& options) {
  const Settings settings{.imbalance = options.real("imbalance"),
                          .volume = options.text("objective") == "volume",
                          .memory = options.boolean("memory"),
                          .tries = options.integer("tries")};
  return place_by_partition(problem, request, options, [&](const PartitionInput& input) {
    return partition(input, settings);
  });
}

std::vector<OptionSpec> metis_options() {
  std::vector<OptionSpec> options = partition_options("0.03");
  options.push_back({.name = "memory",
                     .type = OptionSpec::Type::boolean,
                     .default_value = "off",
                     .sentence = "Balance bytes as well as work."});
  options.push_back({.name = "objective",
                     .type = OptionSpec::Type::choice,
                     .default_value = "cut",
                     .sentence = "Minimise the bytes on cut edges, or the volume sent.",
                     .choices = {"cut", "volume"}});
  options.push_back({.name = "tries",
                     .type = OptionSpec::Type::integer,
                     .default_value = "1",
                     .sentence = "Number of partitions that METIS makes; it returns the best.",
                     .low = 1,
                     .high = 1000});
  return options;
}

}  // namespace

Placer metis_placer() {
  return {.name = "metis",
          .summary = "k-way partitioning by METIS: balanced work, few bytes between devices",
          .reference = "Karypis and Kumar, J. Parallel Distrib. Comput. 1998",
          .options = metis_options(),
          .place = place_by_metis};
}

}  // namespace berth::place
