// Built-in clusters: the machines of the literature and of today, by name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cluster/cluster.h"

namespace berth {

struct ClusterPreset {
  std::string name;
  std::string summary;               // one line
  std::vector<std::string> sources;  // data sheets behind the figures
};

const std::vector<ClusterPreset>& cluster_presets();  // everything `berth clusters` lists
Cluster make_preset(std::string_view name);           // throws InputError with the valid names
bool is_preset(std::string_view name);
std::vector<std::string> preset_sources(std::string_view name);

// A file if `text` ends in .json or names an existing file, else a preset.
struct LoadedCluster {
  Cluster cluster;
  std::string sha256;  // of the file, or of the preset written as a file
  std::vector<std::string> warnings;
};
LoadedCluster load_cluster(const std::string& text);

}  // namespace berth
