// The rules for a legal cluster, in one place. The constructor of Cluster checks them, and the
// reader of cluster files catches the error to add the line of the device or link. So a cluster
// built in code and one read from a file obey the same rules with the same messages.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "base/error.h"
#include "cluster/cluster.h"

namespace berth {

// Which entry of which list a sentence is about.
enum class ClusterPart { whole, device, switch_name, link };

class ClusterError : public InputError {
 public:
  ClusterError(ClusterPart part, std::size_t index, const std::string& sentence)
      : InputError(sentence), part_(part), index_(index) {}
  ClusterPart part() const { return part_; }
  std::size_t index() const { return index_; }

 private:
  ClusterPart part_;
  std::size_t index_;
};

// Ids of devices have 16 bits, one value of which means "none".
inline constexpr std::size_t kMostDevices = 65534;

// Throws ClusterError on the first rule that is broken.
void validate_cluster(std::span<const Device> devices, std::span<const std::string> switches,
                      std::span<const Link> links);

}  // namespace berth
