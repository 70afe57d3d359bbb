#include "learn/decision_reader.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace berth::learn {
namespace {

constexpr std::uint32_t kNowhere = UINT32_MAX;
constexpr double kNoRoute = std::numeric_limits<double>::infinity();
constexpr std::array<const char*, DecisionFacts::kScales> kParts = {"256", "32"};
constexpr double kFullest = 4;
constexpr double kMostSlower = 5;
// Above what happens; without it a device that takes for ever makes numbers that are not finite.
constexpr double kMostSeconds = 1e6;

}  // namespace

DecisionFacts::DecisionFacts(const Problem& problem, const place::Units& units,
                             const Features& of_features)
    : order(problem, units), ahead(Lookahead::of(order, units)), features(of_features) {
  readers.begins.assign(units.size() + 1, 0);
  for (const place::UnitEdge& edge : units.edges) {  // ascending, so rows are filled in turn
    ++readers.begins[edge.from + 1];
    readers.items.push_back(edge.to);
    reader_bytes.push_back(edge.bytes);
  }
  for (std::size_t unit = 0; unit < units.size(); ++unit) {
    readers.begins[unit + 1] += readers.begins[unit];
  }
  for (std::size_t scale = 0; scale < kScales; ++scale) {
    const place::Units coarse = place::make_units(problem, kParts[scale]);
    parts[scale] = coarse.size();
    for (std::size_t unit = 0; unit < units.size(); ++unit) {
      part_of[scale].push_back(coarse.of_op[units.members.row(unit).front().index()]);
    }
  }
  double work = 0;
  for (const std::uint32_t unit : order.decided) work += order.fastest[unit];
  // Positive even for a graph without work, since seconds are divided by it.
  mean_seconds = std::max(work / static_cast<double>(std::max<std::size_t>(1, decisions())), 1e-12);
}

DecisionReader::DecisionReader(const DecisionFacts& facts, std::span<const std::int64_t> limits,
                               std::span<const std::int64_t> before)
    : facts_(facts),
      schedule_(facts.order, limits),
      device_of_(facts.order.fastest.size(), kNowhere),
      bytes_(facts.order.problem.device_count(), 0.0),
      last_(kNowhere) {
  for (std::size_t scale = 0; scale < DecisionFacts::kScales; ++scale) {
    part_work_[scale].assign(facts.parts[scale] * bytes_.size(), 0.0);
  }
  if (before.empty()) return;
  before_.assign(facts.order.fastest.size(), kNowhere);
  for (std::size_t i = 0; i < before.size(); ++i) {
    before_[facts.order.decided[i]] = static_cast<std::uint32_t>(before[i]);
  }
}

void DecisionReader::read(float* numbers, std::uint8_t* allowed) {
  const std::size_t devices = bytes_.size();
  const std::size_t decision = schedule_.decisions();
  const std::uint32_t unit = facts_.order.decided[decision];
  const auto choices = schedule_.choices();
  std::fill_n(numbers, devices * kNumbers, 0.0f);
  std::fill_n(allowed, devices, std::uint8_t{0});
  double best_finish = kNoRoute, best_arrival = kNoRoute, least_rest = kNoRoute, mean_work = 0;
  const bool any_fits = std::ranges::any_of(choices, &place::UnitSchedule::Choice::fits);
  const double* const rest =
      facts_.ahead.rest_seconds.empty() ? nullptr : &facts_.ahead.rest_seconds[decision * devices];
  for (const auto& choice : choices) {
    best_finish = std::min(best_finish, choice.finish_seconds);
    best_arrival = std::min(best_arrival, choice.arrival_seconds);
    if (rest) least_rest = std::min(least_rest, rest[choice.device.index()]);
  }
  for (const double work : schedule_.work_seconds()) {
    mean_work += work / static_cast<double>(devices);
  }
  const double even_share =
      facts_.mean_seconds * static_cast<double>(facts_.decisions()) / static_cast<double>(devices);
  const auto in_units = [&](double seconds) {
    // Infinite where there is no route at all.
    return static_cast<float>(
        std::log1p(std::clamp(seconds / facts_.mean_seconds, 0.0, kMostSeconds)));
  };
  for (const auto& choice : choices) {
    const std::size_t device = choice.device.index();
    float* const of = numbers + device * kNumbers;
    allowed[device] = choice.fits || !any_fits ? 1 : 0;
    if (choice.arrival_seconds < kNoRoute) {
      of[0] = in_units(choice.finish_seconds - best_finish);
      of[1] = in_units(choice.start_seconds - choice.arrival_seconds);
      of[2] = in_units(choice.arrival_seconds - best_arrival);
    }
    of[3] = in_units(choice.sent_seconds);
    of[4] = in_units(choice.travel_seconds);
    of[6] = static_cast<float>(std::clamp(
        (schedule_.work_seconds()[device] - mean_work) / even_share, -kMostSeconds, kMostSeconds));
    const double slower =
        facts_.order.seconds[unit * devices + device] / std::max(facts_.order.fastest[unit], 1e-12);
    of[7] = static_cast<float>(std::clamp(std::log(std::max(slower, 1.0)), 0.0, kMostSlower));
    const double filled =
        (bytes_[device] + facts_.features.bytes[unit]) / facts_.features.usable_bytes[device];
    of[8] = static_cast<float>(std::min(kFullest, filled));
    if (rest) of[9] = in_units(rest[device] - least_rest);
    of[11] = device == last_ ? 1 : 0;
    std::copy_n(&facts_.features.devices[device * Features::kDevices], Features::kDevices,
                of + kDescribed);
  }
  add_shares(unit, numbers);
  add_parts(unit, numbers);
}

void DecisionReader::add_parts(std::uint32_t unit, float* numbers) const {
  const std::size_t devices = bytes_.size();
  for (std::size_t scale = 0; scale < DecisionFacts::kScales; ++scale) {
    const double* const work = &part_work_[scale][facts_.part_of[scale][unit] * devices];
    const double whole = std::accumulate(work, work + devices, 0.0);
    if (whole <= 0) continue;
    for (std::size_t device = 0; device < devices; ++device) {
      numbers[device * kNumbers + 14 + scale] = static_cast<float>(work[device] / whole);
    }
  }
}

void DecisionReader::add_shares(std::uint32_t unit, float* numbers) const {
  const std::size_t devices = bytes_.size();
  const Graph& graph = facts_.order.problem.graph();
  const OpId op = facts_.order.first_ops[schedule_.decisions()];
  double read = 0;
  for (const TensorId tensor : graph.inputs(op)) {
    if (schedule_.state().is_placed(graph.producer(tensor))) {
      read += static_cast<double>(graph.bytes(tensor));
    }
  }
  for (const TensorId tensor : graph.inputs(op)) {
    if (read == 0 || !schedule_.state().is_placed(graph.producer(tensor))) continue;
    const auto share = static_cast<float>(static_cast<double>(graph.bytes(tensor)) / read);
    for (std::size_t device = 0; device < devices; ++device) {
      if (schedule_.state().is_on(tensor, DeviceId(device)))
        numbers[device * kNumbers + 5] += share;
    }
  }
  double related = 0;
  for (const Lookahead::Sibling& sibling : facts_.ahead.siblings.row(unit))
    related += sibling.bytes;
  for (const Lookahead::Sibling& sibling : facts_.ahead.siblings.row(unit)) {
    const std::uint32_t device = device_of_[sibling.unit];
    if (device == kNowhere || related == 0) continue;
    numbers[device * kNumbers + 10] += static_cast<float>(sibling.bytes / related);
  }
  if (before_.empty()) return;
  if (before_[unit] != kNowhere) numbers[before_[unit] * kNumbers + 12] = 1;
  const std::size_t begin = facts_.readers.begins[unit];
  const auto readers = facts_.readers.row(unit);
  double made = 0;
  for (std::size_t i = 0; i < readers.size(); ++i) made += facts_.reader_bytes[begin + i];
  for (std::size_t i = 0; i < readers.size(); ++i) {
    const std::uint32_t device = before_[readers[i]];
    if (device == kNowhere || made == 0) continue;
    numbers[device * kNumbers + 13] += static_cast<float>(facts_.reader_bytes[begin + i] / made);
  }
}

void DecisionReader::decide(std::size_t device) {
  const std::uint32_t unit = facts_.order.decided[schedule_.decisions()];
  device_of_[unit] = last_ = static_cast<std::uint32_t>(device);
  bytes_[device] += facts_.features.bytes[unit];
  for (std::size_t scale = 0; scale < DecisionFacts::kScales; ++scale) {
    // On its fastest device, so that a part's work is not more where it is slow.
    part_work_[scale][facts_.part_of[scale][unit] * bytes_.size() + device] +=
        facts_.order.fastest[unit];
  }
  schedule_.decide(DeviceId(device));
}

}  // namespace berth::learn
