#include "learn/case_settings.h"

namespace berth::learn {

CaseSettings CaseSettings::parse(const Options& options) {
  return {.units = options.text("units"),
          .adjacency = options.has("adjacency") ? options.integer("adjacency") : 0,
          .reachability = options.has("rounds"),
          .convolution = options.has("encoder_layers"),
          .decisions = options.has("passes") && options.text("features") == "full",
          .listed = options.has("rounds") && options.text("features") == "full",
          .standardized = options.text("features") == "paper"};
}

}  // namespace berth::learn
