#include "learn/agents/parts.h"

namespace berth::learn {

SequenceSettings parse_sequence(const Options& options) {
  return {.inputs = 0,
          .hidden = options.integer("hidden"),
          .both_ways = false,
          .aligned = options.boolean("aligned"),
          .additive = options.text("attention") == "additive",
          .attention = options.text("attention") != "none",
          .full = options.text("features") == "full",
          .segment = options.has("segment") ? options.integer("segment") : 0,
          .limit = LogitLimit::parse(options)};
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
