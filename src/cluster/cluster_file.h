// The cluster format (`berth.cluster`, docs/formats.md), read and written.
#pragma once

#include <string>
#include <string_view>

#include "cluster/cluster.h"

namespace berth {

// `source` names the text in messages. Throws InputError. Unknown keys are added to `warnings`
// (sentences) when it is given.
Cluster parse_cluster(std::string_view text, std::string_view source,
                      std::vector<std::string>* warnings = nullptr);
std::string cluster_to_json(const Cluster& cluster);

}  // namespace berth
