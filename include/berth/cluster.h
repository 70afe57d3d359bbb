// The machine: devices, switches and the links between them.
//
// A cluster is loaded (a cluster file, or a preset such as "4xP100" or "2x8xA100-ib") or built.
// Like a graph it never changes, and copies share their data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "berth/export.h"

namespace berth::v1 {

inline constexpr std::int64_t kUnlimitedMemory = std::numeric_limits<std::int64_t>::max();

struct Device {
  std::string name;        // "gpu:0"
  std::string kind;        // "gpu", "cpu"
  std::string model = {};  // "P100"; chooses the row of the cost model
  std::int64_t memory_bytes = kUnlimitedMemory;
  std::int64_t reserved_bytes = 0;  // no plan may use them
  // Flop/s by dtype, or one rate for all under ""; may be empty if all ops have `seconds`.
  std::map<std::string, double> flops = {};
  double bandwidth = std::numeric_limits<double>::infinity();  // of its memory, bytes/s
  double launch_seconds = 0;                                   // overhead per op
  std::int64_t slots = 1;                                      // ops that run at once
};

struct Link {
  std::string from;  // a device or a switch
  std::string to;
  double bandwidth = 0;  // bytes/s
  double latency_seconds = 0;
  bool duplex = true;  // false: both directions share the link
};

class BERTH_API Cluster {
 public:
  static Cluster load(const std::string& file_or_preset);
  // The text of a cluster file; `source` names it in messages.
  static Cluster parse(const std::string& text, const std::string& source = "cluster");
  Cluster(const std::string& name, const std::vector<Device>& devices,
          const std::vector<std::string>& switches, const std::vector<Link>& links);
  // Copied, never moved from: a cluster always has a value.
  Cluster(const Cluster&) = default;
  Cluster& operator=(const Cluster&) = default;

  std::string name() const;
  std::size_t device_count() const;
  std::vector<Device> devices() const;
  std::vector<std::string> switches() const;
  std::vector<Link> links() const;
  std::optional<std::size_t> find_device(const std::string& name) const;
  // How long a transfer of that many bytes takes; infinite where there is no route.
  double transfer_seconds(std::size_t from, std::size_t to, std::int64_t bytes) const;
  std::vector<std::string> warnings() const;
  std::string to_json() const;  // a cluster file
  void save(const std::string& path) const;

  struct Impl;
  explicit Cluster(std::shared_ptr<const Impl> impl);  // for the library itself
  const Impl& impl() const { return *impl_; }

 private:
  std::shared_ptr<const Impl> impl_;
};

}  // namespace berth::v1
