// Learned methods at sizes that suit a test.
#pragma once

#include <string>
#include <vector>

#include "place/learned/methods.h"

namespace berth::learn {

inline std::vector<std::string> agent_names() {
  std::vector<std::string> names;
  for (const place::LearnedMethod& method : place::learned_methods()) names.push_back(method.name);
  return names;
}

// Options behind the method's name; `more` are further ones, ":name=value".
inline std::string small_agent(const std::string& name, const std::string& more = "") {
  std::string options;
  if (name == "colocrl") options = ":embedding=3:adjacency=5:samples=6";
  if (name == "hdp") {
    options =
        ":embedding=3:groups=4:groupings=3:placements=2:grouper_hidden=5:"
        "contiguous=0.5";
  }
  if (name == "go" || name == "encoder_placer") options = ":embedding=3:heads=2:samples=6";
  if (name == "placeto") options = ":samples=6:rounds=2";
  if (name == "mars") options = ":encoder_width=5:pretrain_updates=3:samples=6";
  const bool in_segments = place::find_learned(name)->has("segment");
  if (in_segments && more.find(":segment=") == std::string::npos) options += ":segment=4";
  return name + ":hidden=6" + options + more;
}

}  // namespace berth::learn
