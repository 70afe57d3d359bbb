// A cluster after devices were lost. Their links are lost too, so nothing is routed to or from
// them. All other routes stay as they were, because devices do not forward.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cluster/cluster.h"

namespace berth {

// "gpu:2,gpu:3" as names of devices of the cluster, each once, in the cluster's order. Throws
// InputError for a name it does not have, and when nothing would be left.
std::vector<std::string> parse_lost_devices(const std::string& text, const Cluster& cluster);

// " without gpu:2, gpu:3", to stand behind the cluster's name; empty when nothing is lost.
std::string without_text(std::span<const std::string> lost);

// `lost` are names of its devices, but not of all. Its name says what is missing.
Cluster without_devices(const Cluster& cluster, std::span<const std::string> lost);

// By device of `whole`, the device of that name in `rest`, or none.
std::vector<DeviceId> devices_by_name(const Cluster& whole, const Cluster& rest);

}  // namespace berth
