// The cluster format (`berth.cluster`, docs/formats.md), read and written.
#pragma once

#include <string>
#include <string_view>

#include "cluster/cluster.h"

namespace berth {

// `source` names the text in messages. Throws InputError, also for an unknown key of a device or
// a link. Unknown keys of the cluster itself are added to `warnings` (sentences) when it is given,
// unless they are misspelt ones.
Cluster parse_cluster(std::string_view text, std::string_view source,
                      std::vector<std::string>* warnings = nullptr);
std::string cluster_to_json(const Cluster& cluster);

}  // namespace berth
