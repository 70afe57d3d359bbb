#include "learn/agents/parts.h"

namespace berth {

SequenceSettings sequence_settings(const Options& settings) {
  return {.inputs = 0,
          .hidden = settings.integer("hidden"),
          .both_ways = false,
          .aligned = settings.boolean("aligned"),
          .additive = settings.text("attention") == "additive",
          .full = settings.text("features") == "full",
          .limit = settings.real("tanh"),
          .temperature = settings.real("temperature")};
}

}  // namespace berth
