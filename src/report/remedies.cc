#include "report/remedies.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/quantity.h"
#include "report/text.h"

namespace berth::report {
namespace {

std::string device_name(const Analysis& analysis, DeviceId device) {
  return plain_name(analysis.cluster().device(device).name, 32);
}

std::int64_t free_bytes(const Analysis& analysis, DeviceId device) {
  const std::int64_t usable = analysis.problem->usable_bytes(device);
  if (usable == kUnlimitedBytes) return kUnlimitedBytes;
  return std::max<std::int64_t>(0, usable - analysis.outcome().peak_bytes[device.index()]);
}

// Parameters stay, so only the rest of the worst device's peak shrinks with the batch.
std::string smaller_batch(const Analysis& analysis) {
  double largest_part = 0;
  for (std::size_t d = 0; d < analysis.timeline.memory.size(); ++d) {
    const Timeline::DeviceMemory& memory = analysis.timeline.memory[d];
    if (memory.over_bytes == 0) continue;
    const std::int64_t scaling = memory.peak_bytes - memory.param_bytes;
    if (scaling <= memory.over_bytes) return "";
    largest_part = std::max(largest_part,
                            static_cast<double>(memory.over_bytes) / static_cast<double>(scaling));
  }
  return fmt::format(
      "Use a smaller batch: with this placement, tensors about {:.0f}% smaller would fit.",
      std::ceil(largest_part * 100));
}

std::string more_memory(const Analysis& analysis) {
  const DeviceId worst = analysis.fullest_device();
  const Timeline::DeviceMemory& memory = analysis.timeline.memory[worst.index()];
  std::size_t over = 0;
  for (const Timeline::DeviceMemory& each : analysis.timeline.memory)
    over += each.over_bytes > 0 ? 1 : 0;
  const std::string others =
      over > 1 ? fmt::format(" ({} are over)", format_number_of(over, "device")) : "";
  return fmt::format("Use devices with more memory, or one more device: {} lacks {}{}.",
                     device_name(analysis, worst), format_bytes(memory.over_bytes), others);
}

// The device with the most room among those that are not over.
DeviceId roomiest_device(const Analysis& analysis, bool cpu) {
  DeviceId best;
  for (std::size_t d = 0; d < analysis.problem->device_count(); ++d) {
    const DeviceId device(d);
    if ((analysis.cluster().device(device).kind == "cpu") != cpu) continue;
    if (!best.valid() || free_bytes(analysis, device) > free_bytes(analysis, best)) best = device;
  }
  return best;
}

std::string use_free_room(const Analysis& analysis) {
  const DeviceId roomiest = roomiest_device(analysis, false);
  if (!roomiest.valid() || free_bytes(analysis, roomiest) == 0) return "";
  return fmt::format(
      "Try another method or a larger budget: {} still has {} free, and it is not proved that "
      "no plan fits.",
      device_name(analysis, roomiest), format_bytes(free_bytes(analysis, roomiest)));
}

bool takes_any_op(const Problem& problem, DeviceId device) {
  for (std::size_t g = 0; g < problem.group_count(); ++g) {
    const auto allowed = problem.allowed_devices(GroupId(g));
    if (std::find(allowed.begin(), allowed.end(), device) != allowed.end()) return true;
  }
  return false;
}

std::string offload_to_cpu(const Analysis& analysis) {
  const DeviceId cpu = roomiest_device(analysis, true);
  if (!cpu.valid() || free_bytes(analysis, cpu) < analysis.outcome().over_bytes) return "";
  if (!takes_any_op(*analysis.problem, cpu)) {
    return fmt::format(
        "Allow ops on {}: it has {} free, but the model or the constraints forbid it.",
        device_name(analysis, cpu), format_bytes(free_bytes(analysis, cpu)));
  }
  return fmt::format("Use constraints to pin ops to {}, which has {} free.",
                     device_name(analysis, cpu), format_bytes(free_bytes(analysis, cpu)));
}

std::string shed_parameters(const Analysis& analysis) {
  const DeviceId worst = analysis.fullest_device();
  return fmt::format(
      "Use fewer or smaller parameters: they alone take {} of the {} that {} may use.",
      format_bytes(analysis.timeline.memory[worst.index()].param_bytes),
      format_bytes(analysis.problem->usable_bytes(worst)), device_name(analysis, worst));
}

}  // namespace

std::string infeasibility_proof(const Analysis& analysis) {
  const bounds::Infeasibility& proof = analysis.infeasibility;
  if (proof.missing_bytes == 0) return "";
  return fmt::format("No plan can fit: {}{}", proof.explanation,
                     proof.explanation.ends_with('.') ? "" : ".");
}

std::vector<std::string> remedies(const Analysis& analysis) {
  std::vector<std::string> sentences;
  const auto add = [&](std::string sentence) {
    if (!sentence.empty()) sentences.push_back(std::move(sentence));
  };
  // A longer search is no remedy where it is proved that nothing fits.
  if (analysis.infeasibility.missing_bytes == 0) add(use_free_room(analysis));
  add(offload_to_cpu(analysis));
  add(more_memory(analysis));
  const std::string batch = smaller_batch(analysis);
  add(batch.empty() ? shed_parameters(analysis) : batch);
  return sentences;
}

}  // namespace berth::report
