#include "learn/agents/parts.h"

namespace berth::learn {

SequenceSettings sequence_settings(const Options& settings) {
  return {.inputs = 0,
          .hidden = settings.integer("hidden"),
          .both_ways = false,
          .aligned = settings.boolean("aligned"),
          .additive = settings.text("attention") == "additive",
          .full = settings.text("features") == "full",
          .segment = settings.has("segment") ? settings.integer("segment") : 0,
          .limit = settings.real("tanh"),
          .temperature = settings.real("temperature")};
}

Plan plan_from(const Case& of, const Tensor& devices) {
  const auto chosen = devices.accessor<std::int64_t, 1>();
  std::vector<DeviceId> by_unit;
  for (std::int64_t unit = 0; unit < of.unit_count(); ++unit) {
    by_unit.emplace_back(static_cast<std::size_t>(chosen[unit]));
  }
  return place::plan_of_units(of.units, by_unit);
}

}  // namespace berth::learn
