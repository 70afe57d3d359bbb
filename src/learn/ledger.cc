#include "learn/ledger.h"

#include <algorithm>
#include <cmath>

namespace berth {
namespace {

constexpr double kMostFilled = 4;
// Above what happens; without it a device that takes for ever makes numbers that are not finite.
constexpr double kMostWork = 1e6;

// By item, its traffic with each other one, either way.
Rows<Traffic> traffic_of(std::size_t items, const std::vector<UnitEdge>& edges) {
  std::vector<UnitEdge> pairs;
  pairs.reserve(2 * edges.size());
  for (const UnitEdge& edge : edges) {
    if (edge.from == edge.to) continue;
    pairs.push_back(edge);
    pairs.push_back({.from = edge.to, .to = edge.from, .bytes = edge.bytes});
  }
  std::stable_sort(pairs.begin(), pairs.end(), [](const UnitEdge& left, const UnitEdge& right) {
    return left.to != right.to ? left.to < right.to : left.from < right.from;
  });
  Rows<Traffic> rows;
  rows.begins.push_back(0);
  std::size_t at = 0;
  for (std::size_t item = 0; item < items; ++item) {
    for (; at < pairs.size() && pairs[at].to == item; ++at) {
      const bool known =
          rows.items.size() > rows.begins.back() && rows.items.back().item == pairs[at].from;
      if (!known) rows.items.push_back({pairs[at].from, 0});
      rows.items.back().bytes += pairs[at].bytes;
    }
    rows.begins.push_back(static_cast<std::uint32_t>(rows.items.size()));
  }
  return rows;
}

}  // namespace

LedgerItems ledger_items(const Features& features, const Units& units) {
  return {.device_count = features.device_count,
          .seconds = features.seconds,
          .bytes = features.bytes,
          .traffic = traffic_of(features.units, units.edges),
          .features = &features};
}

LedgerItems ledger_items(const Features& features, const Units& units,
                         const std::int64_t* group_of_unit, std::size_t groups) {
  const std::size_t devices = features.device_count;
  LedgerItems items{.device_count = devices,
                    .seconds = std::vector<double>(groups * devices),
                    .bytes = std::vector<double>(groups),
                    .traffic = {},
                    .features = &features};
  for (std::size_t unit = 0; unit < features.units; ++unit) {
    const auto group = static_cast<std::size_t>(group_of_unit[unit]);
    items.bytes[group] += features.bytes[unit];
    for (std::size_t device = 0; device < devices; ++device) {
      items.seconds[group * devices + device] += features.seconds[unit * devices + device];
    }
  }
  std::vector<UnitEdge> edges = units.edges;
  for (UnitEdge& edge : edges) {
    edge.from = static_cast<std::uint32_t>(group_of_unit[edge.from]);
    edge.to = static_cast<std::uint32_t>(group_of_unit[edge.to]);
  }
  items.traffic = traffic_of(groups, edges);
  return items;
}

Ledger::Ledger(const LedgerItems& items)
    : items_(items),
      work_(items.device_count),
      bytes_(items.device_count),
      numbers_(items.device_count * kNumbers),
      near_(items.device_count) {
  device_of_.assign(items.size(), kNowhere);
}

void Ledger::look() const {
  const Features& features = *items_.features;
  const std::size_t devices = items_.device_count;
  const double whole = std::max(features.total_seconds, 1e-12);
  const double even_share = whole / static_cast<double>(devices);
  const double mean_item = whole / static_cast<double>(items_.size());
  const std::size_t marked = !first_round_ ? was_ : next_ > 0 ? device_of_[next_ - 1] : kNowhere;
  std::fill(near_.begin(), near_.end(), 0);
  double traffic = 0;
  for (const Traffic& other : items_.traffic.row(next_)) {
    if (device_of_[other.item] == kNowhere) continue;
    near_[device_of_[other.item]] += other.bytes;
    traffic += other.bytes;
  }
  for (std::size_t device = 0; device < devices; ++device) {
    double* const numbers = numbers_.data() + device * kNumbers;
    double bring = 0;
    for (std::size_t from = 0; from < devices; ++from) {
      bring += near_[from] * features.byte_seconds[from * devices + device];
    }
    numbers[0] = traffic > 0 ? near_[device] / traffic : 0;
    numbers[1] = std::log1p(bring / mean_item);
    const double above_mean = work_[device] - total_work_ / static_cast<double>(devices);
    numbers[2] = std::min(kMostWork, work_[device] / even_share);
    numbers[3] = std::clamp(above_mean / even_share, -kMostWork, kMostWork);
    const double filled = (bytes_[device] + items_.bytes[next_]) / features.usable_bytes[device];
    numbers[4] = std::min(kMostFilled, filled);
    numbers[5] = device == marked ? 1 : 0;
  }
}

void Ledger::add(std::size_t item, std::size_t device, double sign) {
  const double seconds = sign * items_.seconds[item * items_.device_count + device];
  work_[device] += seconds;
  total_work_ += seconds;
  bytes_[device] += sign * items_.bytes[item];
}

void Ledger::place(std::size_t device) {
  add(next_, device, 1);
  device_of_[next_] = static_cast<std::uint32_t>(device);
  ++next_;
  if (!first_round_) take_next();
}

void Ledger::begin_round() {
  next_ = 0;
  first_round_ = false;
  take_next();
}

void Ledger::take_next() {
  if (next_ == items_.size()) return;
  was_ = device_of_[next_];
  device_of_[next_] = kNowhere;
  add(next_, was_, -1);
}

}  // namespace berth
