#include "cluster/presets.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "base/error.h"
#include "base/file.h"
#include "base/sha256.h"
#include "cluster/cluster_file.h"
#include "cluster/preset_machines.h"
#include "cluster/preset_name.h"

namespace berth {
namespace {

// What `berth clusters` lists; the patterns of preset_name.h allow many more.
constexpr std::string_view kListed[] = {
    "1xK40",         "2xK40",         "4xK40",           "8xK40",
    "1xK80",         "2xK80",         "4xK80",           "8xK80",
    "1xP100",        "2xP100",        "4xP100",          "8xP100",
    "4xP100-12GB",   "8xP100-nvlink", "1xV100",          "2xV100",
    "4xV100",        "8xV100",        "4xV100-pcie",     "2xV100-nvlink",
    "4xV100-nvlink", "8xV100-nvlink", "16xV100-nvlink",  "1xA100",
    "2xA100",        "4xA100",        "8xA100",          "16xA100",
    "4xA100-pcie",   "8xA100-80GB",   "1xH100",          "2xH100",
    "4xH100",        "8xH100",        "4xH100-pcie",     "8xH200",
    "8xB200",        "4xT4",          "4xA10",           "4xL4",
    "4xL40S",        "8xL40S",        "8xMI250X",        "8xMI300X",
    "8xGaudi3",      "4x8xV100-ib",   "2x8xA100-ib",     "4x8xA100-ib",
    "2x8xH100-ib",   "2x8xH200-ib",   "2x8xB200-ib",     "A100+V100",
    "2xRTX3090",     "2xA6000",       "2xRTX6000-Ada",   "2xRTX4090",
    "2xRTX5090",     "1xRTX4060",     "1xRTX4070",       "1xRTX4080",
    "1xRTX5070",     "1xRTX5080",     "RTX3090+RTX3060", "M2-Max",
    "M2-Ultra",      "M3-Max",        "M3-Ultra",        "M4-Max",
    "laptop"};

std::vector<std::string> listed_names() {
  std::vector<std::string> names;
  for (const ClusterPreset& preset : cluster_presets()) names.push_back(preset.name);
  return names;
}

PresetName parse_or_throw(std::string_view text) {
  PresetName name = parse_preset_name(text);
  if (name.valid()) return name;
  const std::string hint = name.unknown_model ? did_you_mean(text, listed_names()) : "";
  throw InputError(
      fmt::format("there is no cluster {}: {}{} Valid are NxMODEL (4xK40; 4xV100-nvlink and "
                  "4xA100-pcie where "
                  "there is a choice), HxNxMODEL-ib for H hosts of N GPUs (2x8xA100-ib), models "
                  "joined by + "
                  "(A100+V100), laptop, or a file whose name ends in .json; MODEL is one of {}",
                  quoted(text), name.problem, hint.empty() ? "." : hint,
                  join_names(gpu_names(), gpu_names().size())),
      {.code = ErrorCode::unknown_name, .subject = std::string(text)});
}

}  // namespace

const std::vector<ClusterPreset>& cluster_presets() {
  static const std::vector<ClusterPreset> presets = [] {
    std::vector<ClusterPreset> list;
    for (const std::string_view text : kListed) {
      const PresetName name = parse_preset_name(text);
      list.push_back({std::string(text), summarize_preset(name), sources_of_preset(name)});
    }
    return list;
  }();
  return presets;
}

Cluster make_preset(std::string_view name) {
  return build_preset(parse_or_throw(name), std::string(name));
}

bool is_preset(std::string_view name) { return parse_preset_name(name).valid(); }

std::vector<std::string> preset_sources(std::string_view name) {
  return sources_of_preset(parse_or_throw(name));
}

LoadedCluster load_cluster(const std::string& text) {
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(text, ignored);
  const bool is_file = is_standard_input(text) ||
                       (std::filesystem::exists(status) && !std::filesystem::is_directory(status));
  if (!is_file && !text.ends_with(".json")) {
    Cluster cluster = make_preset(text);
    // A preset is hashed as the file it would be written to, so both have the same hash.
    std::string hash = sha256_hex(cluster_to_json(cluster));
    return {std::move(cluster), std::move(hash), {}};
  }
  const InputFile file(text);
  std::vector<std::string> warnings;
  Cluster cluster = parse_cluster(file.text(), input_name(text), &warnings);
  return {std::move(cluster), sha256_hex(file.text()), std::move(warnings)};
}

}  // namespace berth
