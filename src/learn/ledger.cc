#include "learn/ledger.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace berth::learn {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kMostFilled = 4;
// Above what happens; without it a device that takes for ever makes numbers that are not finite.
constexpr double kMostWork = 1e6;

// By item, the tensor_groups that `items_of` names it for.
template <class ItemsOf>
Rows<std::uint32_t> tensor_groups_by_item(std::size_t items,
                                          const std::vector<TensorGroup>& tensor_groups,
                                          const ItemsOf& items_of) {
  Rows<std::uint32_t> rows;
  rows.begins.assign(items + 1, 0);
  for (const TensorGroup& tensor_group : tensor_groups) {
    for (const std::uint32_t item : items_of(tensor_group)) ++rows.begins[item + 1];
  }
  for (std::size_t item = 0; item < items; ++item) rows.begins[item + 1] += rows.begins[item];
  rows.items.resize(rows.begins.back());
  std::vector<std::uint32_t> next(rows.begins.begin(), rows.begins.end() - 1);
  for (std::uint32_t i = 0; i < tensor_groups.size(); ++i) {
    for (const std::uint32_t item : items_of(tensor_groups[i])) rows.items[next[item]++] = i;
  }
  return rows;
}

void take_tensor_groups(LedgerItems& items, std::vector<TensorGroup> tensor_groups) {
  items.tensor_groups = std::move(tensor_groups);
  items.reads =
      tensor_groups_by_item(items.size(), items.tensor_groups, [](const TensorGroup& tensor_group) {
        return std::span<const std::uint32_t>(tensor_group.readers);
      });
  items.makes =
      tensor_groups_by_item(items.size(), items.tensor_groups, [](const TensorGroup& tensor_group) {
        return std::span<const std::uint32_t>(&tensor_group.from, 1);
      });
}

}  // namespace

LedgerItems ledger_items(const Features& features, std::vector<TensorGroup> tensor_groups) {
  LedgerItems items;
  items.device_count = features.device_count;
  items.seconds = features.seconds;
  items.allowed = features.allowed;
  items.bytes = features.bytes;
  items.features = &features;
  take_tensor_groups(items, std::move(tensor_groups));
  return items;
}

LedgerItems ledger_items(const Features& features, const std::vector<TensorGroup>& tensor_groups,
                         const std::int64_t* group_of_unit, std::size_t groups) {
  const std::size_t devices = features.device_count;
  LedgerItems items;
  items.device_count = devices;
  items.seconds.assign(groups * devices, 0.0);
  items.allowed.assign(groups * devices, 1);
  items.bytes.assign(groups, 0.0);
  items.features = &features;
  for (std::size_t unit = 0; unit < features.units; ++unit) {
    const auto group = static_cast<std::size_t>(group_of_unit[unit]);
    items.bytes[group] += features.bytes[unit];
    for (std::size_t device = 0; device < devices; ++device) {
      items.seconds[group * devices + device] += features.seconds[unit * devices + device];
      items.allowed[group * devices + device] &= features.allowed[unit * devices + device];
    }
  }
  take_tensor_groups(items, tensor_groups_of_groups(tensor_groups, group_of_unit));
  return items;
}

Ledger::Ledger(const LedgerItems& items)
    : items_(items),
      device_of_(items.size(), kNowhere),
      readers_(items.tensor_groups.size() * items.device_count),
      work_(items.device_count),
      bytes_(items.device_count),
      free_(items.device_count),
      ends_(items.size()),
      there_(items.tensor_groups.size() * items.device_count, kNever),
      channels_(items.device_count * items.device_count),
      numbers_(items.device_count * kNumbers),
      moved_(items.device_count),
      bring_(items.device_count),
      arrivals_(items.device_count) {}

void Ledger::weigh_moves() const {
  const std::size_t devices = items_.device_count;
  const std::vector<double>& byte_seconds = items_.features->byte_seconds;
  handled_ = 0;
  std::fill(moved_.begin(), moved_.end(), 0);
  std::fill(bring_.begin(), bring_.end(), 0);
  for (const std::uint32_t index : items_.reads.row(next_)) {
    const TensorGroup& tensor_group = items_.tensor_groups[index];
    const std::size_t from = device_of_[tensor_group.from];
    if (from == kNowhere) continue;
    handled_ += tensor_group.bytes;
    for (std::size_t device = 0; device < devices; ++device) {
      // A device with another reader of these tensors has them already.
      if (device == from || readers_[index * devices + device] > 0) continue;
      moved_[device] += tensor_group.bytes;
      bring_[device] += tensor_group.bytes * byte_seconds[from * devices + device];
    }
  }
  // In later rounds, and in groups, readers may be placed before their maker.
  for (const std::uint32_t index : items_.makes.row(next_)) {
    const double bytes = items_.tensor_groups[index].bytes;
    for (std::size_t to = 0; to < devices; ++to) {
      if (readers_[index * devices + to] == 0) continue;
      handled_ += bytes;
      for (std::size_t device = 0; device < devices; ++device) {
        if (device == to) continue;
        moved_[device] += bytes;
        bring_[device] += bytes * byte_seconds[device * devices + to];
      }
    }
  }
}

double Ledger::arrival(std::uint32_t index, std::size_t device, double& channel) const {
  const TensorGroup& tensor_group = items_.tensor_groups[index];
  const std::size_t from = device_of_[tensor_group.from];
  if (from == device) return ends_[tensor_group.from];
  const std::size_t devices = items_.device_count;
  const double known = there_[index * devices + device];
  if (known < kNever) return known;
  const double seconds =
      tensor_group.bytes * items_.features->byte_seconds[from * devices + device];
  channel = std::max(channel, ends_[tensor_group.from]) + seconds;
  return channel;
}

void Ledger::find_arrivals() const {
  const std::size_t devices = items_.device_count;
  std::fill(arrivals_.begin(), arrivals_.end(), 0);
  // A trial: what the item reads may need one channel several times, but nothing is sent yet.
  trial_channels_ = channels_;
  for (const std::uint32_t index : items_.reads.row(next_)) {
    const std::uint32_t maker = items_.tensor_groups[index].from;
    // Groups may read each other, but an item cannot wait for one that is placed later.
    if (maker >= next_) continue;
    double* const channels = &trial_channels_[device_of_[maker] * devices];
    for (std::size_t device = 0; device < devices; ++device) {
      arrivals_[device] = std::max(arrivals_[device], arrival(index, device, channels[device]));
    }
  }
}

void Ledger::look() const {
  const Features& features = *items_.features;
  const std::size_t devices = items_.device_count;
  // Positive even for a graph without work, since everything is divided by it.
  const double whole = std::max(features.total_seconds, 1e-12);
  const double even_share = whole / static_cast<double>(devices);
  const double mean_item = whole / static_cast<double>(items_.size());
  const std::size_t marked = !first_round_ ? was_ : next_ > 0 ? device_of_[next_ - 1] : kNowhere;
  weigh_moves();
  find_arrivals();
  const auto end_on = [&](std::size_t device) {
    return std::max(arrivals_[device], free_[device]) + items_.seconds[next_ * devices + device];
  };
  double best_end = kNever;
  for (std::size_t device = 0; device < devices; ++device) {
    if (items_.allowed[next_ * devices + device]) best_end = std::min(best_end, end_on(device));
  }
  const auto in_items = [&](double seconds) {
    return std::log1p(std::clamp(seconds / mean_item, 0.0, kMostWork));
  };
  for (std::size_t device = 0; device < devices; ++device) {
    double* const numbers = numbers_.data() + device * kNumbers;
    numbers[0] = handled_ > 0 ? 1 - moved_[device] / handled_ : 0;
    numbers[1] = std::log1p(bring_[device] / mean_item);
    const double above_mean = work_[device] - total_work_ / static_cast<double>(devices);
    numbers[2] = std::min(kMostWork, work_[device] / even_share);
    numbers[3] = std::clamp(above_mean / even_share, -kMostWork, kMostWork);
    const double filled = (bytes_[device] + items_.bytes[next_]) / features.usable_bytes[device];
    numbers[kFilled] = std::min(kMostFilled, filled);
    numbers[kLater] = in_items(end_on(device) - best_end);
    numbers[6] = in_items(arrivals_[device] - free_[device]);
    numbers[kMarked] = device == marked ? 1 : 0;
  }
}

void Ledger::add(std::size_t item, std::size_t device, int sign) {
  const double seconds = sign * items_.seconds[item * items_.device_count + device];
  work_[device] += seconds;
  total_work_ += seconds;
  bytes_[device] += sign * items_.bytes[item];
  for (const std::uint32_t index : items_.reads.row(item)) {
    readers_[index * items_.device_count + device] += static_cast<std::uint32_t>(sign);
  }
}

void Ledger::place(std::size_t device) {
  const std::size_t devices = items_.device_count;
  double begin = free_[device];
  for (const std::uint32_t index : items_.reads.row(next_)) {
    const std::uint32_t maker = items_.tensor_groups[index].from;
    if (maker >= next_) continue;
    double& channel = channels_[device_of_[maker] * devices + device];
    const double there = arrival(index, device, channel);
    there_[index * devices + device] = there;
    begin = std::max(begin, there);
  }
  free_[device] = ends_[next_] = begin + items_.seconds[next_ * devices + device];
  add(next_, device, 1);
  device_of_[next_] = static_cast<std::uint32_t>(device);
  ++next_;
  if (!first_round_) take_next();
}

void Ledger::begin_round() {
  next_ = 0;
  first_round_ = false;
  std::fill(free_.begin(), free_.end(), 0);
  std::fill(there_.begin(), there_.end(), kNever);
  std::fill(channels_.begin(), channels_.end(), 0);
  take_next();
}

void Ledger::take_next() {
  if (next_ == items_.size()) return;
  was_ = device_of_[next_];
  device_of_[next_] = kNowhere;
  add(next_, was_, -1);
}

}  // namespace berth::learn
