#include "learn/decision_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "cluster/presets.h"
#include "frontends/model.h"
#include "place/evaluator.h"

namespace berth::learn {
namespace {

constexpr auto kRead = static_cast<std::size_t>(DecisionReader::kNumbers);

// Decides in turns, and holds every number that can be told apart from the schedule against an
// account of its own.
TEST(DecisionReader, TellsWhereThePartsOfTheGraphAre) {
  const Problem problem(load_model("zoo:layered:ops=60:seed=3").graph, make_preset("2xP100"));
  const place::Units units = place::make_units(problem, "ops");
  const place::Units coarse = place::make_units(problem, "32");
  ASSERT_LT(coarse.size(), units.size());
  const Features features = make_features(problem, units, Vocabulary(std::vector<std::string>()));
  const DecisionFacts facts(problem, units, features);
  const std::vector<std::int64_t> limits = place::memory_limits(problem, 1);
  DecisionReader reader(facts, limits, {});
  const std::size_t devices = problem.device_count();
  std::vector<float> numbers(devices * kRead);
  std::vector<std::uint8_t> allowed(devices);
  std::map<std::uint32_t, std::vector<double>> work;  // by part and device
  std::size_t shared = 0;
  for (std::size_t i = 0; !reader.done(); ++i) {
    reader.read(numbers.data(), allowed.data());
    const std::uint32_t unit = facts.order.decided[i];
    const std::uint32_t part = coarse.of_op[units.members.row(unit).front().index()];
    std::vector<double>& of_part = work.try_emplace(part, devices, 0.0).first->second;
    double whole = 0;
    for (const double seconds : of_part) whole += seconds;
    float least_later = 1;
    for (std::size_t device = 0; device < devices; ++device) {
      const float* const of = &numbers[device * kRead];
      if (allowed[device]) least_later = std::min(least_later, of[DecisionReader::kLater]);
      EXPECT_NEAR(of[15], whole > 0 ? of_part[device] / whole : 0, 1e-6);
      // 60 ops are fewer than 256 parts: each is one by itself.
      EXPECT_EQ(of[14], 0);
      for (std::size_t k = 0; k < Features::kDevices; ++k) {
        EXPECT_EQ(of[DecisionReader::kDescribed + k],
                  features.devices[device * Features::kDevices + k]);
      }
    }
    EXPECT_EQ(least_later, 0);
    shared += whole > 0 ? 1 : 0;
    std::size_t device = i % devices;
    while (!allowed[device]) device = (device + 1) % devices;
    of_part[device] += facts.order.fastest[unit];
    reader.decide(device);
  }
  EXPECT_GT(shared, 10);
}

}  // namespace
}  // namespace berth::learn
