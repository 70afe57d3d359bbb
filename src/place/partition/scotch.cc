#include "place/partition/scotch.h"

#include <scotch.h>

#include <algorithm>
#include <cmath>
#include <cstdio>  // before scotch.h, which needs FILE
#include <mutex>

#include "place/partition/partition.h"

namespace berth::place {
namespace {

static_assert(sizeof(SCOTCH_Num) == sizeof(std::int32_t),
              "PartitionInput's weights are 32 bits wide");

// The sum of edge weights is at most about 2^25 (partition_input.h), and bytes x distance must stay
// below 2^31.
constexpr double kMostDistance = 31;
constexpr double kShareScale = 10000;
// An architecture with distances takes memory and time quadratic in the devices.
constexpr std::size_t kMostDevicesWithDistances = 256;

// Scotch's objects are plain structs with init and exit functions. `ok` gathers the status of every
// call, 0 being success.
class Handles {
 public:
  Handles() {
    check(SCOTCH_contextInit(&context));
    check(SCOTCH_graphInit(&source));
    check(SCOTCH_graphInit(&bound_source));
    check(SCOTCH_graphInit(&target));
    check(SCOTCH_archInit(&architecture));
    check(SCOTCH_stratInit(&strategy));
  }
  ~Handles() {
    SCOTCH_stratExit(&strategy);
    SCOTCH_archExit(&architecture);
    SCOTCH_graphExit(&target);
    SCOTCH_graphExit(&bound_source);
    SCOTCH_graphExit(&source);
    SCOTCH_contextExit(&context);
  }
  Handles(const Handles&) = delete;
  Handles& operator=(const Handles&) = delete;

  void check(int status) { ok = ok && status == 0; }

  SCOTCH_Context context;
  SCOTCH_Graph source, bound_source, target;
  SCOTCH_Arch architecture;
  SCOTCH_Strat strategy;
  bool ok = true;
};

// Rows of a complete graph over the devices.
struct TargetGraph {
  std::vector<SCOTCH_Num> begins = {0}, neighbours, distances;
};

TargetGraph distances_between(const Cluster& cluster, const std::vector<DeviceId>& devices) {
  double fastest = 0;
  for (const DeviceId from : devices) {
    for (const DeviceId to : devices) {
      if (from != to) fastest = std::max(fastest, cluster.route(from, to).bandwidth);
    }
  }
  TargetGraph graph;
  for (const DeviceId from : devices) {
    for (std::size_t place = 0; place < devices.size(); ++place) {
      if (devices[place] == from) continue;
      // Scotch needs the same distance in both directions. A missing route gets the largest
      // distance.
      const double bandwidth = std::min(cluster.route(from, devices[place]).bandwidth,
                                        cluster.route(devices[place], from).bandwidth);
      const double distance = bandwidth > 0 ? std::round(fastest / bandwidth) : kMostDistance;
      graph.neighbours.push_back(static_cast<SCOTCH_Num>(place));
      graph.distances.push_back(static_cast<SCOTCH_Num>(std::clamp(distance, 1.0, kMostDistance)));
    }
    graph.begins.push_back(static_cast<SCOTCH_Num>(graph.neighbours.size()));
  }
  return graph;
}

std::vector<SCOTCH_Num> scaled_shares(const PartitionInput& input) {
  std::vector<SCOTCH_Num> shares;
  for (const double share : input.shares) {
    shares.push_back(std::max(1, static_cast<SCOTCH_Num>(std::round(share * kShareScale))));
  }
  return shares;
}

// `graph` and `shares` must outlive the architecture.
void build_architecture(Handles& scotch, const TargetGraph& graph,
                        const std::vector<SCOTCH_Num>& shares) {
  const auto count = static_cast<SCOTCH_Num>(shares.size());
  const bool all_alike =
      std::ranges::all_of(graph.distances, [](SCOTCH_Num distance) { return distance == 1; });
  if (all_alike) {
    scotch.check(SCOTCH_archCmpltw(&scotch.architecture, count, shares.data()));
    return;
  }
  scotch.check(SCOTCH_graphBuild(&scotch.target, 0, count, graph.begins.data(), nullptr,
                                 shares.data(), nullptr,
                                 static_cast<SCOTCH_Num>(graph.neighbours.size()),
                                 graph.neighbours.data(), graph.distances.data()));
  SCOTCH_Strat strategy;
  scotch.check(SCOTCH_stratInit(&strategy));
  scotch.check(SCOTCH_archBuild0(&scotch.architecture, &scotch.target, 0, nullptr, &strategy));
  SCOTCH_stratExit(&strategy);
}

// One thread and one seed, in the context that the mapping runs in and in the library's own.
void make_repeatable(Handles& scotch, std::uint64_t seed) {
  const auto number = static_cast<SCOTCH_Num>(seed & 0x7fffffff);
  SCOTCH_randomSeed(number);
  SCOTCH_randomReset();
  scotch.check(
      SCOTCH_contextOptionSetNum(&scotch.context, SCOTCH_OPTIONNUMDETERMINISTIC, SCOTCH_Num{1}));
  scotch.check(
      SCOTCH_contextOptionSetNum(&scotch.context, SCOTCH_OPTIONNUMRANDOMFIXEDSEED, SCOTCH_Num{1}));
  scotch.check(SCOTCH_contextRandomClone(&scotch.context));
  SCOTCH_contextRandomSeed(&scotch.context, number);
  SCOTCH_contextRandomReset(&scotch.context);
  scotch.check(SCOTCH_contextThreadSpawn(&scotch.context, 1, nullptr));
}

struct Settings {
  double imbalance;
  SCOTCH_Num strategy;
  bool links;
};

std::optional<Parts> partition(const Cluster& cluster, const PartitionInput& input,
                               const Settings& settings) {
  const bool distances = settings.links && input.part_count() <= kMostDevicesWithDistances;
  const TargetGraph target = distances ? distances_between(cluster, input.devices) : TargetGraph();
  const std::vector<SCOTCH_Num> shares = scaled_shares(input);
  const auto part_count = static_cast<SCOTCH_Num>(input.part_count());
  Parts parts = input.only_part;  // -1 is Scotch's own mark of a free vertex

  static std::mutex mutex;  // see scotch.h
  const std::lock_guard lock(mutex);
  Handles scotch;
  make_repeatable(scotch, input.seed);
  scotch.check(SCOTCH_graphBuild(&scotch.source, 0, static_cast<SCOTCH_Num>(input.vertex_count()),
                                 input.begins.data(), nullptr, input.work.data(), nullptr,
                                 static_cast<SCOTCH_Num>(input.neighbours.size()),
                                 input.neighbours.data(), input.bytes.data()));
  scotch.check(SCOTCH_contextBindGraph(&scotch.context, &scotch.source, &scotch.bound_source));
  build_architecture(scotch, target, shares);
  scotch.check(SCOTCH_stratGraphMapBuild(&scotch.strategy, settings.strategy, part_count,
                                         settings.imbalance));
  if (!scotch.ok) return std::nullopt;
  const bool any_fixed =
      std::ranges::any_of(parts, [](SCOTCH_Num part) { return part != PartitionInput::kAnyPart; });
  const auto map = any_fixed ? SCOTCH_graphMapFixed : SCOTCH_graphMap;
  scotch.check(map(&scotch.bound_source, &scotch.architecture, &scotch.strategy, parts.data()));
  const bool in_range =
      std::ranges::all_of(parts, [&](SCOTCH_Num part) { return part >= 0 && part < part_count; });
  if (!scotch.ok || !in_range) return std::nullopt;
  return parts;
}

SCOTCH_Num strategy_flag(const std::string& name) {
  if (name == "quality") return SCOTCH_STRATQUALITY;
  if (name == "speed") return SCOTCH_STRATSPEED;
  if (name == "balance") return SCOTCH_STRATBALANCE;
  if (name == "recursive") return SCOTCH_STRATRECURSIVE;
  return SCOTCH_STRATDEFAULT;
}

Placed place_by_scotch(const Problem& problem, const Request& request, const Options& options) {
  const Settings settings{.imbalance = options.real("imbalance"),
                          .strategy = strategy_flag(options.text("strategy")),
                          .links = options.boolean("links")};
  return place_by_partition(problem, request, options, [&](const PartitionInput& input) {
    return partition(problem.cluster(), input, settings);
  });
}

std::vector<OptionSpec> scotch_options() {
  std::vector<OptionSpec> options = partition_options("0.05");
  options.push_back({.name = "links",
                     .type = OptionSpec::Type::boolean,
                     .default_value = "on",
                     .sentence = "Tell Scotch which devices have fast links between them."});
  options.push_back({.name = "strategy",
                     .type = OptionSpec::Type::choice,
                     .default_value = "default",
                     .sentence = "What Scotch should favour.",
                     .choices = {"default", "quality", "speed", "balance", "recursive"}});
  return options;
}

}  // namespace

Placer scotch_placer() {
  return {.name = "scotch",
          .summary = "static mapping by Scotch: balanced work, few bytes over slow links",
          .reference = "Pellegrini and Roman, HPCN Europe 1996",
          .options = scotch_options(),
          .place = place_by_scotch};
}

}  // namespace berth::place
