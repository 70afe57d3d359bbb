// What the user requires in addition to the model itself: ops pinned to devices, devices not to be
// used, ops kept together. Format `berth.constraints`, docs/formats.md:
//
//   {"format": "berth.constraints", "version": 1,
//    "pin":      {"embed*": "cpu:0", "head": ["gpu:0", "gpu:1"]},
//    "forbid":   ["gpu:3"],
//    "colocate": [["encoder/*"], ["a", "b"]]}
//
// Ops are named in full or by glob (glob.h: * any characters, ? one, [ab] or [a-c] one of). Devices
// are named by name, model or kind. A pin narrows what the op's own `devices` allows; a forbidden
// device takes no op.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace berth {

struct Constraints {
  struct Pin {
    std::string pattern;
    std::vector<std::string> devices;
  };
  std::vector<Pin> pins = {};
  std::vector<std::string> forbidden_devices = {};
  // Patterns; all ops matched by a row stay together.
  std::vector<std::vector<std::string>> colocated = {};
  std::string source = "constraints";  // the file, for messages
};

Constraints parse_constraints(std::string_view text, std::string_view source,
                              std::vector<std::string>* warnings = nullptr);

}  // namespace berth
