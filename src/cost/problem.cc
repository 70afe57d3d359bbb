#include "cost/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "graph/total_bytes.h"

namespace berth {
namespace {

constexpr std::size_t kLabels = 3;  // in the order of look-up: name, model, kind

// The time given for the device, looked up by its name, then model, then kind; null when there is
// none. `keys` are the numbers of those labels among the graph's keys.
const double* given_for(std::span<const Graph::GivenSeconds> given,
                        const std::uint32_t (&keys)[kLabels]) {
  if (given.empty()) return nullptr;
  for (const std::uint32_t key : keys) {
    if (key == Graph::kNone) continue;
    for (const Graph::GivenSeconds& entry : given) {
      if (entry.key == key) return &entry.seconds;
    }
  }
  return nullptr;
}

void find_keys(const Graph& graph, const Device& device, std::uint32_t (&keys)[kLabels]) {
  const std::string* labels[kLabels] = {&device.name, &device.model, &device.kind};
  for (std::size_t i = 0; i < kLabels; ++i) {
    const auto found = graph.seconds_keys().find(*labels[i]);
    keys[i] = found && !labels[i]->empty() ? *found : Graph::kNone;
  }
}

}  // namespace

Problem::Problem(Graph graph, Cluster cluster, const Constraints& constraints)
    : Problem(std::make_shared<const Graph>(std::move(graph)),
              std::make_shared<const Cluster>(std::move(cluster)), constraints) {}

Problem::Problem(std::shared_ptr<const Graph> graph, std::shared_ptr<const Cluster> cluster,
                 const Constraints& constraints)
    : graph_(std::move(graph)), cluster_(std::move(cluster)) {
  // Every sum of bytes that a plan can lead to (all tensors on every device, all transfers
  // together) must fit in 63 bits, so that nothing downstream has to check.
  check_total_bytes(*graph_, static_cast<std::int64_t>(device_count()),
                    fmt::format(", over {} devices,", device_count()));
  for (const Device& device : cluster_->devices()) usable_bytes_.push_back(device.usable_bytes());
  for (std::uint32_t type = 0; type < graph_->type_names().size(); ++type) {
    type_classes_.push_back(classify(graph_->type_names()[type]));
  }
  groups_ = compile_groups(*graph_, *cluster_, constraints);
  classify_devices();
  compile_costs();
  check_total_seconds();
}

void Problem::classify_devices() {
  const StringTable& keys = graph_->seconds_keys();
  for (std::size_t d = 0; d < device_count(); ++d) {
    const Device& device = cluster_->device(DeviceId(d));
    // A device with times of its own in the graph is a class by itself.
    const bool own_times = keys.find(device.name).has_value();
    // Memory, slots and links are not compared: they do not change what an op costs.
    const auto same_cost = [&](DeviceId other_id) {
      const Device& other = cluster_->device(other_id);
      return !own_times && !keys.find(other.name) && device.kind == other.kind &&
             device.model == other.model && device.flops == other.flops &&
             device.bandwidth == other.bandwidth && device.launch_seconds == other.launch_seconds;
    };
    const auto found =
        std::find_if(class_representatives_.begin(), class_representatives_.end(), same_cost);
    device_classes_.push_back(static_cast<std::uint32_t>(found - class_representatives_.begin()));
    if (found == class_representatives_.end()) class_representatives_.emplace_back(d);
  }
}

void Problem::compile_costs() {
  const std::size_t classes = class_count();
  // Whether any device of a class is in a device set. Other costs are not computed, so a device
  // without rates is no error where no op may use it.
  std::vector<std::uint8_t> reachable(device_set_count() * classes, 0);
  for (std::size_t r = 0; r < device_set_count(); ++r) {
    for (const DeviceId device : groups_.set_devices[r]) {
      reachable[r * classes + device_class(device)] = 1;
    }
  }
  seconds_.assign(op_count() * classes, kImpossible);
  for (std::size_t c = 0; c < classes; ++c) {
    const Device& device = cluster_->device(class_representatives_[c]);
    std::uint32_t keys[kLabels];
    find_keys(*graph_, device, keys);
    for (std::size_t i = 0; i < op_count(); ++i) {
      const OpId op(i);
      if (!reachable[device_set(group(op)) * classes + c]) continue;
      const double* given = given_for(graph_->given_seconds(op), keys);
      const double seconds = given ? *given : modelled_seconds(*graph_, op, op_class(op), device);
      // Infinity means impossible, so an overflow of the model must stay below it.
      seconds_[i * classes + c] = std::min(seconds, std::numeric_limits<double>::max());
    }
  }
}

// No plan's times may overflow: the sum of every op at its highest cost and every tensor sent to
// every device, one after the other over the slowest links, must be finite.
void Problem::check_total_seconds() const {
  double total = 0;
  for (std::size_t i = 0; i < op_count(); ++i) {
    double dearest = 0;
    for (std::size_t c = 0; c < class_count(); ++c) {
      const double seconds = class_seconds(OpId(i), c);
      if (seconds != kImpossible) dearest = std::max(dearest, seconds);
    }
    total += dearest;
  }
  double bytes = 0;
  for (std::size_t t = 0; t < graph_->tensor_count(); ++t) {
    bytes += static_cast<double>(graph_->bytes(TensorId(t)));
  }
  double latency = 0;
  double bandwidth = kImpossible;
  for (const Link& link : cluster_->links()) {
    latency += link.latency_seconds;
    bandwidth = std::min(bandwidth, link.bandwidth);
  }
  const auto devices = static_cast<double>(device_count());
  total += devices * (bytes / bandwidth + static_cast<double>(graph_->tensor_count()) * latency);
  if (std::isfinite(total)) return;
  throw InputError(fmt::format(
      "the times of model {} on cluster {} add up to more than a double can hold; look for a rate "
      "that is too small or a launch or latency that is too large",
      quoted(graph_->name()), quoted(cluster_->name())));
}

double Problem::fastest_seconds(OpId op) const {
  const auto begin = seconds_.begin() + static_cast<std::ptrdiff_t>(op.index() * class_count());
  return *std::min_element(begin, begin + static_cast<std::ptrdiff_t>(class_count()));
}

bool Problem::has_given_seconds(OpId op, DeviceId device) const {
  std::uint32_t keys[kLabels];
  find_keys(*graph_, cluster_->device(device), keys);
  return given_for(graph_->given_seconds(op), keys) != nullptr;
}

}  // namespace berth
