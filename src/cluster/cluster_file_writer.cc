#include <cmath>

#include "base/json_writer.h"
#include "cluster/cluster_file.h"

namespace berth {
namespace {

// Whatever has its default is left out, but for the memory, which must be given; numbers are plain
// and in SI units, so that reading gives back the very same cluster.
void write_device(JsonWriter& json, const Device& device) {
  json.begin_flat_object().field("name", device.name).field("kind", device.kind);
  if (!device.model.empty()) json.field("model", device.model);
  if (device.memory_bytes == kUnlimitedBytes) {
    json.field("memory", "unlimited");
  } else {
    json.field("memory", device.memory_bytes);
  }
  if (device.reserved_bytes != 0) json.field("reserved", device.reserved_bytes);
  if (device.flops.size() == 1 && device.flops[0].first == DType::unknown) {
    json.field("flops", device.flops[0].second);
  } else if (!device.flops.empty()) {
    json.key("flops").begin_flat_object();
    for (const auto& [dtype, rate] : device.flops) json.field(dtype_name(dtype), rate);
    json.end_object();
  }
  if (std::isfinite(device.bandwidth)) json.field("bandwidth", device.bandwidth);
  if (device.launch_seconds != 0) json.field("launch", device.launch_seconds);
  if (device.slots != 1) json.field("slots", device.slots);
  json.end_object();
}

}  // namespace

std::string cluster_to_json(const Cluster& cluster) {
  JsonWriter json;
  json.begin_object().field("format", "berth.cluster").field("version", 1);
  json.field("name", cluster.name());
  json.key("devices").begin_array();
  for (const Device& device : cluster.devices()) write_device(json, device);
  json.end_array();
  json.key("switches").begin_flat_array();
  for (const std::string& name : cluster.switches()) json.value(name);
  json.end_array();
  json.key("links").begin_array();
  for (const Link& link : cluster.links()) {
    json.begin_flat_object().key("between").begin_flat_array();
    json.value(cluster.vertex_name(link.from)).value(cluster.vertex_name(link.to)).end_array();
    json.field("bandwidth", link.bandwidth);
    if (link.latency_seconds != 0) json.field("latency", link.latency_seconds);
    if (!link.duplex) json.field("duplex", false);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return json.take();
}

}  // namespace berth
