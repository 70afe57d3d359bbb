#include <fmt/format.h>

#include <deque>
#include <mutex>

#include "base/error.h"
#include "place/auto.h"
#include "place/baselines/balanced_layers.h"
#include "place/baselines/cpu.h"
#include "place/baselines/expert.h"
#include "place/baselines/random.h"
#include "place/baselines/round_robin.h"
#include "place/baselines/single.h"
#include "place/baselines/topo.h"
#include "place/exact.h"
#include "place/learned/module.h"
#include "place/learned/policy_path.h"
#include "place/list/etf.h"
#include "place/list/heft.h"
#include "place/list/sct.h"
#include "place/partition/metis.h"
#include "place/partition/mincut.h"
#include "place/partition/scotch.h"
#include "place/placer.h"
#include "place/sequence/contiguous.h"

namespace berth::place {

namespace {

// Baselines, partitioners, cuts of the sequence of ops, list schedulers, search, learned: the order
// of listings.
std::deque<Placer> own_placers() {
  std::deque<Placer> all = {
      single_placer(),     cpu_placer(),
      random_placer(),     round_robin_placer(),
      expert_placer(),     scotch_placer(),
      metis_placer(),      mincut_placer(),
      topo_placer(),       balanced_layers_placer(),
      contiguous_placer(), etf_placer(),
      sct_placer(),        heft_placer(),
      auto_placer(),       exact_placer(),
  };
  for (Placer& learned : learned_placers()) all.push_back(std::move(learned));
  return all;
}

// A deque, because a Method points at its placer and adding one must not move the others.
struct Registry {
  std::mutex mutex;
  std::deque<Placer> placers = own_placers();
};

Registry& registry() {
  static Registry registry;
  return registry;
}

}  // namespace

std::vector<std::reference_wrapper<const Placer>> placers() {
  Registry& all = registry();
  // Placers may be registered from any thread at any time, so the list is copied under the lock.
  const std::lock_guard lock(all.mutex);
  return {all.placers.begin(), all.placers.end()};
}

void register_placer(Placer placer) {
  const Call call = parse_call(placer.name);
  if (call.name != placer.name) {
    throw InputError(
        fmt::format("{} cannot be the name of a method: it contains options", quoted(placer.name)));
  }
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  for (const Placer& known : all.placers) {
    if (known.name != placer.name) continue;
    throw InputError(
        fmt::format("there is a method {} already; choose another name", quoted(placer.name)));
  }
  all.placers.push_back(std::move(placer));
}

std::vector<std::string> Method::input_files() const {
  if (!options.has("policy") || options.text("policy") == kNoPolicy) return {};
  return {find_policy(options.text("policy"))};
}

Placed Method::place(const Problem& problem, const Request& request) const {
  Placed placed = try_place(problem, request);
  if (placed.applies()) return placed;
  throw InputError(placed.not_applicable,
                   {.code = ErrorCode::does_not_apply, .subject = placer->name});
}

Method parse_method(std::string_view text) {
  const Call call = parse_call(text);
  for (const Placer& placer : placers()) {
    if (placer.name == call.name) return {&placer, Options(placer.name, placer.options, call)};
  }
  std::vector<std::string> names;
  for (const Placer& placer : placers()) names.push_back(placer.name);
  throw InputError(fmt::format("there is no method {}; the methods are {}{}", quoted(call.name),
                               join_names(names, names.size()), did_you_mean(call.name, names)),
                   {.code = ErrorCode::unknown_name, .subject = call.name});
}

}  // namespace berth::place
