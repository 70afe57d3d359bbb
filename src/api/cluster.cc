#include "berth/cluster.h"

#include <fmt/format.h>

#include <limits>

#include "api/errors.h"
#include "api/impl.h"
#include "base/error.h"
#include "base/file.h"
#include "cluster/cluster_file.h"
#include "cluster/presets.h"

namespace berth::v1 {
namespace {

berth::Device inside(const Device& device) {
  berth::Device result{.name = device.name,
                       .kind = device.kind,
                       .model = device.model,
                       .memory_bytes = device.memory_bytes,
                       .reserved_bytes = device.reserved_bytes,
                       .bandwidth = device.bandwidth,
                       .launch_seconds = device.launch_seconds,
                       .slots = device.slots};
  for (const auto& [name, rate] : device.flops) {
    const std::optional<DType> dtype = name.empty() ? DType::unknown : parse_dtype(name);
    if (!dtype) {
      throw InputError(
          fmt::format("flops of device {} are given for {}, which is not a dtype; known are {}{}",
                      quoted(device.name), quoted(name), join_names(dtype_names()),
                      did_you_mean(name, dtype_names())),
          {.code = berth::ErrorCode::unknown_name, .subject = name});
    }
    result.flops.emplace_back(*dtype, rate);
  }
  return result;
}

Device outside(const berth::Device& device) {
  Device result{.name = device.name,
                .kind = device.kind,
                .model = device.model,
                .memory_bytes = device.memory_bytes,
                .reserved_bytes = device.reserved_bytes,
                .bandwidth = device.bandwidth,
                .launch_seconds = device.launch_seconds,
                .slots = device.slots};
  for (const auto& [dtype, rate] : device.flops) result.flops.emplace(dtype_name(dtype), rate);
  return result;
}

// Devices are numbered first, then switches.
std::vector<berth::Link> inside(const std::vector<Link>& links, const std::vector<Device>& devices,
                                const std::vector<std::string>& switches) {
  std::map<std::string, std::uint32_t> vertices;
  for (const Device& device : devices) {
    vertices.emplace(device.name, static_cast<std::uint32_t>(vertices.size()));
  }
  // A repeated name is refused later, with a sentence of its own.
  for (const std::string& name : switches) {
    vertices.emplace(name, static_cast<std::uint32_t>(vertices.size()));
  }
  const auto vertex = [&](const std::string& name) {
    const auto found = vertices.find(name);
    if (found != vertices.end()) return found->second;
    std::vector<std::string> known;
    for (const auto& entry : vertices) known.push_back(entry.first);
    throw InputError(fmt::format("a link ends at {}, which is neither a device nor a switch{}",
                                 quoted(name), did_you_mean(name, known)),
                     {.code = berth::ErrorCode::unknown_name, .subject = name});
  };
  std::vector<berth::Link> result;
  for (const Link& link : links) {
    result.push_back({.from = vertex(link.from),
                      .to = vertex(link.to),
                      .bandwidth = link.bandwidth,
                      .latency_seconds = link.latency_seconds,
                      .duplex = link.duplex});
  }
  return result;
}

std::shared_ptr<const Cluster::Impl> made(berth::Cluster cluster, std::string named,
                                          std::string sha256, std::vector<std::string> warnings) {
  return std::make_shared<const Cluster::Impl>(
      Cluster::Impl{.cluster = std::make_shared<const berth::Cluster>(std::move(cluster)),
                    .named = std::move(named),
                    .sha256 = std::move(sha256),
                    .warnings = std::move(warnings)});
}

}  // namespace

Cluster::Cluster(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}

Cluster Cluster::load(const std::string& file_or_preset) {
  return guarded(file_or_preset, [&] {
    LoadedCluster loaded = load_cluster(file_or_preset);
    return Cluster(made(std::move(loaded.cluster), input_name(file_or_preset),
                        std::move(loaded.sha256), std::move(loaded.warnings)));
  });
}

Cluster Cluster::parse(const std::string& text, const std::string& source) {
  return guarded(source, [&] {
    std::vector<std::string> warnings;
    berth::Cluster cluster = parse_cluster(text, source, &warnings);
    std::string name = cluster.name();
    return Cluster(made(std::move(cluster), std::move(name), "", std::move(warnings)));
  });
}

Cluster::Cluster(const std::string& name, const std::vector<Device>& devices,
                 const std::vector<std::string>& switches, const std::vector<Link>& links)
    : impl_(guarded(name, [&] {
        std::vector<berth::Device> inner;
        for (const Device& device : devices) inner.push_back(inside(device));
        return made(
            berth::Cluster(name, std::move(inner), switches, inside(links, devices, switches)),
            name, "", {});
      })) {}

std::string Cluster::name() const { return impl_->cluster->name(); }
std::size_t Cluster::device_count() const { return impl_->cluster->device_count(); }

std::vector<Device> Cluster::devices() const {
  std::vector<Device> result;
  for (const berth::Device& device : impl_->cluster->devices()) result.push_back(outside(device));
  return result;
}

std::vector<std::string> Cluster::switches() const {
  return {impl_->cluster->switches().begin(), impl_->cluster->switches().end()};
}

std::vector<Link> Cluster::links() const {
  std::vector<Link> result;
  for (const berth::Link& link : impl_->cluster->links()) {
    result.push_back({.from = impl_->cluster->vertex_name(link.from),
                      .to = impl_->cluster->vertex_name(link.to),
                      .bandwidth = link.bandwidth,
                      .latency_seconds = link.latency_seconds,
                      .duplex = link.duplex});
  }
  return result;
}

std::optional<std::size_t> Cluster::find_device(const std::string& name) const {
  const std::optional<DeviceId> found = impl_->cluster->find_device(name);
  return found ? std::optional(found->index()) : std::nullopt;
}

double Cluster::transfer_seconds(std::size_t from, std::size_t to, std::int64_t bytes) const {
  require_index(from, device_count(), "device");
  require_index(to, device_count(), "device");
  if (bytes < 0) {
    throw Error(ErrorCode::bad_input, fmt::format("{} bytes cannot be sent; give 0 or more", bytes),
                name());
  }
  if (from == to) return 0;
  if (!impl_->cluster->route(DeviceId(from), DeviceId(to)).exists()) {
    return std::numeric_limits<double>::infinity();
  }
  return impl_->cluster->transfer_seconds(DeviceId(from), DeviceId(to), bytes);
}

std::vector<std::string> Cluster::warnings() const { return impl_->warnings; }
std::string Cluster::to_json() const {
  return guarded(name(), [&] { return cluster_to_json(*impl_->cluster); });
}

void Cluster::save(const std::string& path) const {
  guarded(path, [&] { write_file(path, cluster_to_json(*impl_->cluster)); });
}

}  // namespace berth::v1
