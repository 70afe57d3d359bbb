#include "learn/features.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "cluster/presets.h"
#include "frontends/model.h"
#include "graph/graph_builder.h"
#include "support/random_problem.h"

namespace berth::learn {
namespace {

Device device(std::string name, std::string kind, std::int64_t bytes) {
  Device made;
  made.name = std::move(name);
  made.kind = std::move(kind);
  made.memory_bytes = bytes;
  return made;
}

// A CPU and a GPU that reach each other at 2 bytes a second, and a GPU that nothing reaches.
Cluster small_cluster() {
  return Cluster("small",
                 {device("cpu:0", "cpu", kUnlimitedBytes), device("gpu:0", "gpu", 400),
                  device("gpu:1", "gpu", 100)},
                 {}, {{.from = 0, .to = 1, .bandwidth = 2}});
}

// a (1 s on a GPU, 4 s on the CPU) feeds b (3 s, 6 s) and c (2 s, GPU only); b feeds c.
Problem described_problem() {
  GraphBuilder builder("small");
  const OpId a = builder.add_op("a", "Conv");
  builder.add_seconds(a, "gpu", 1);
  builder.add_seconds(a, "cpu", 4);
  builder.set_param_bytes(a, 60);
  const TensorRef a0 = builder.add_output(a, {.bytes = 10, .shape = std::vector<std::int64_t>{7}});
  const TensorRef a1 = builder.add_output(a, {.bytes = 30});
  const OpId b = builder.add_op("b", "Conv");
  builder.add_seconds(b, "gpu", 3);
  builder.add_seconds(b, "cpu", 6);
  builder.set_temp_bytes(b, 5);
  builder.add_input(b, a0);
  const std::vector<std::int64_t> shape = {1, 2, 3, 4, 5};
  const TensorRef b0 = builder.add_output(b, {.bytes = 100, .shape = shape});
  const OpId c = builder.add_op("c", "Add");
  builder.add_seconds(c, "gpu", 2);
  builder.set_devices(c, {"gpu:0"});
  builder.add_input(c, a1);
  builder.add_input(c, b0);
  return Problem(std::move(builder).build(), small_cluster());
}

Features features_of(const Problem& problem, std::string_view units) {
  const Problem* const problems[] = {&problem};
  return make_features(problem, place::make_units(problem, units), Vocabulary(problems));
}

void expect_row(std::span<const float> values, std::size_t row, const std::vector<double>& right) {
  for (std::size_t k = 0; k < right.size(); ++k) {
    EXPECT_NEAR(values[row * right.size() + k], right[k], 1e-6) << "row " << row << " number " << k;
  }
}

void expect_finite(const Features& features) {
  for (const auto* values :
       {&features.types, &features.shapes, &features.numbers, &features.devices, &features.pairs}) {
    for (const float value : *values) ASSERT_TRUE(std::isfinite(value));
  }
  for (const auto* values : {&features.seconds, &features.bytes, &features.byte_seconds}) {
    for (const double value : *values) ASSERT_TRUE(std::isfinite(value));
  }
  for (const float value : features.numbers) ASSERT_TRUE(value >= 0 && value < 20);
  for (const float value : features.devices) ASSERT_LE(std::abs(value), 5);
  for (const float value : features.pairs) ASSERT_TRUE(value >= 0 && value <= 5);
  for (const double bytes : features.usable_bytes) ASSERT_GE(bytes, 0);
  ASSERT_TRUE(std::isfinite(features.total_seconds));
  ASSERT_EQ(features.numbers.size(), features.units * Features::kNumbers);
  ASSERT_EQ(features.shapes.size(), features.units * Features::kShapes);
  ASSERT_EQ(features.devices.size(), features.device_count * Features::kDevices);
  ASSERT_EQ(features.pairs.size(), features.units * features.device_count * Features::kPairs);
}

TEST(Vocabulary, RanksTypesByFrequencyThenName) {
  const Problem problem = described_problem();
  const Problem* const problems[] = {&problem, &problem};
  const Vocabulary vocabulary(problems);
  EXPECT_EQ(vocabulary.types(), (std::vector<std::string>{"Conv", "Add"}));
  EXPECT_EQ(vocabulary.size(), 3u);
  EXPECT_EQ(vocabulary.number("Conv"), 1u);
  EXPECT_EQ(vocabulary.number("Add"), 2u);
  EXPECT_EQ(vocabulary.number("Relu"), 0u);
  EXPECT_EQ(Vocabulary().size(), 1u);
}

TEST(Vocabulary, KeepsTheTwoHundredMostFrequent) {
  GraphBuilder builder("many types");
  for (int i = 0; i < 250; ++i) {
    builder.add_op(fmt::format("once{}", i), fmt::format("Type{:03}", i));
    if (i >= 240) builder.add_op(fmt::format("twice{}", i), fmt::format("Type{:03}", i));
  }
  const Problem problem(std::move(builder).build(), small_cluster());
  const Problem* const problems[] = {&problem};
  const Vocabulary vocabulary(problems);
  ASSERT_EQ(vocabulary.types().size(), 200u);
  EXPECT_EQ(vocabulary.types()[0], "Type240");
  EXPECT_EQ(vocabulary.types()[10], "Type000");
  EXPECT_EQ(vocabulary.types()[199], "Type189");
  EXPECT_EQ(vocabulary.number("Type190"), 0u);
  EXPECT_EQ(make_features(problem, place::make_units(problem, "1"), vocabulary).types[0], 50);
}

TEST(Features, OfOpsAreWhatAHandReckons) {
  const Features features = features_of(described_problem(), "ops");
  ASSERT_EQ(features.units, 3u);
  EXPECT_EQ(features.total_seconds, 6);
  EXPECT_EQ(features.types, (std::vector<float>{0, 1, 0, 0, 1, 0, 0, 0, 1}));

  std::vector<double> shapes(Features::kShapes, 0);
  shapes[0] = std::log(8);
  expect_row(features.shapes, 0, shapes);
  for (std::size_t d = 0; d < 4; ++d) shapes[d] = std::log(static_cast<double>(d) + 2);
  expect_row(features.shapes, 1, shapes);
  expect_row(features.shapes, 2, std::vector<double>(Features::kShapes, 0));

  // Seconds 1, 3, 2; outputs 40, 100, 0; parameters 60, 0, 0; workspace 0, 5, 0; read 0, 10, 130;
  // written 40, 100, 0. The longest chain is a b c, 6 s.
  const auto log = [](double value) { return std::log1p(value); };
  expect_row(features.numbers, 0,
             {log(0.5), 1 / 6.0, log(6 / 7.0), 2 / 7.0, log(3), 1, 0, 0, 0, log(6 / 7.0), 0,
              5 / 6.0, 0, log(1), 0, log(2)});
  expect_row(features.numbers, 1,
             {log(1.5), 0.5, log(15 / 7.0), 5 / 7.0, 0, 0, log(3), 1, log(3 / 14.0), log(15 / 7.0),
              1 / 6.0, 2 / 6.0, 0.5, log(1), log(1), log(1)});
  expect_row(
      features.numbers, 2,
      {log(1), 2 / 6.0, 0, 0, 0, 0, 0, 0, log(39 / 14.0), 0, 4 / 6.0, 0, 1, log(1), log(2), 0});
}

TEST(Features, OfDevicesAndPairsAreWhatAHandReckons) {
  const Features features = features_of(described_problem(), "ops");
  // a and b may run on the CPU: 10 s where 4 s would do. The graph has 200 bytes.
  expect_row(features.devices, 0, {std::log(2.5), 5, 0, 0.5, 1});
  expect_row(features.devices, 1, {0, std::log(2), 0, 0.5, 0});
  expect_row(features.devices, 2, {0, std::log(0.5), -5, 0, 0});
  EXPECT_EQ(features.allowed, (std::vector<std::uint8_t>{1, 1, 1, 1, 1, 1, 0, 1, 0}));
  EXPECT_EQ(features.seconds, (std::vector<double>{4, 1, 1, 6, 3, 3, 0, 2, 0}));
  EXPECT_EQ(features.bytes, (std::vector<double>{100, 100, 0}));
  EXPECT_TRUE(std::isinf(features.usable_bytes[0]));
  EXPECT_EQ(features.usable_bytes[1], 400);
  EXPECT_EQ(features.byte_seconds, (std::vector<double>{0, 0.5, 5, 0.5, 0, 5, 5, 5, 0}));
  expect_row(features.pairs, 0, {std::log(4), 4 / 6.0, 0});
  expect_row(features.pairs, 1, {0, 1 / 6.0, 0.25});
  expect_row(features.pairs, 2, {0, 1 / 6.0, 1});
  expect_row(features.pairs, 3, {std::log(2), 1, 0});
  expect_row(features.pairs, 4, {0, 0.5, 0.25});
  expect_row(features.pairs, 6, {0, 0, 0});
  expect_row(features.pairs, 7, {0, 2 / 6.0, 0});
  expect_row(features.pairs, 8, {0, 0, 0});
}

TEST(Features, OfAUnitAreThoseOfItsOpsTogether) {
  // a and b are joined; c may not run where they may.
  const Features features = features_of(described_problem(), "1");
  ASSERT_EQ(features.units, 2u);
  EXPECT_EQ(features.types, (std::vector<float>{0, 2, 0, 0, 0, 1}));
  EXPECT_NEAR(features.shapes[0], (std::log(8) + std::log(2)) / 2, 1e-6);
  EXPECT_NEAR(features.shapes[1], std::log(3) / 2, 1e-6);
  EXPECT_NEAR(features.numbers[0], std::log1p(4 / 3.0), 1e-6);
  EXPECT_NEAR(features.numbers[10], 0, 1e-6);        // a begins the chain
  EXPECT_NEAR(features.numbers[11], 2 / 6.0, 1e-6);  // c is behind b
  EXPECT_NEAR(features.numbers[13], std::log1p(2 / 1.5), 1e-6);
  EXPECT_EQ(features.seconds, (std::vector<double>{10, 4, 4, 0, 2, 0}));
}

TEST(Features, OfNothingToDoAndNowhereToGoAreFinite) {
  GraphBuilder builder("free");
  const OpId op = builder.add_op("op", "Input");
  builder.add_seconds(op, "cpu", 0);
  const Problem problem(std::move(builder).build(),
                        Cluster("one", {device("cpu:0", "cpu", 0)}, {}, {}));
  const Features features = features_of(problem, "256");
  expect_finite(features);
  expect_row(features.numbers, 0, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, std::log(2), 0, 0});
  expect_row(features.devices, 0, {0, 5, 0, 1, 1});
  EXPECT_EQ(features.byte_seconds, std::vector<double>{0});

  const Problem empty(GraphBuilder("empty").build(), small_cluster());
  expect_finite(features_of(empty, "256"));
}

TEST(Features, OfExtremesAreFinite) {
  // Each op is free where the other is not, so both devices are infinitely slower than the fastest
  // of each; sizes and times at the ends of what a file can hold; no links at all.
  GraphBuilder builder("extremes");
  const std::vector<std::int64_t> shape = {200'000'000'000'000'000};
  TensorRef last;
  for (int i = 0; i < 4; ++i) {
    const OpId op = builder.add_op(fmt::format("op{}", i), "Op");
    builder.add_seconds(op, "cpu", i % 2 == 0 ? 1e300 : 0);
    builder.add_seconds(op, "gpu", i % 2 == 0 ? 0 : 5e-324);
    builder.set_param_bytes(op, 200'000'000'000'000'000);
    if (i > 0) builder.add_input(op, last);
    last = builder.add_output(op, {.bytes = 200'000'000'000'000'000, .shape = shape});
  }
  const Graph graph = std::move(builder).build();
  for (const std::int64_t bytes : {std::int64_t{0}, std::int64_t{1}, kUnlimitedBytes}) {
    for (const bool linked : {false, true}) {
      std::vector<Link> links;
      if (linked) links.push_back({.from = 0, .to = 1, .bandwidth = 1e-280});
      const Problem problem(
          Graph(graph),
          Cluster("two", {device("cpu:0", "cpu", bytes), device("gpu:0", "gpu", bytes)}, {},
                  links));
      for (const char* units : {"1", "2", "ops"}) expect_finite(features_of(problem, units));
    }
  }
}

TEST(Features, OfThousandsOfDevicesAreRefused) {
  GraphBuilder builder("one");
  builder.add_op("op", "Relu");
  std::vector<Device> devices(2049);
  for (std::size_t i = 0; i < devices.size(); ++i) {
    devices[i].name = "d" + std::to_string(i);
    devices[i].kind = "gpu";
    devices[i].flops = {{DType::unknown, 1}};
  }
  const Problem problem(std::move(builder).build(), Cluster("large", devices, {}, {}));
  EXPECT_THROW(features_of(problem, "1"), InputError);
}

TEST(Features, OfRandomProblemsAreFinite) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Random random(seed);
    const RandomProblemOptions options = {.colocation = true};
    const bool integers = seed % 2 == 0;
    Graph graph = random_graph(random, options, integers);
    const Problem problem(std::move(graph), random_cluster(random, options, integers));
    for (const char* units : {"1", "6", "coloc", "ops"}) {
      SCOPED_TRACE(fmt::format("{} {}", seed, units));
      expect_finite(features_of(problem, units));
    }
  }
}

TEST(Features, OfWorkloadsAreFinite) {
  for (const char* model : {"zoo:tiny", "zoo:chain", "zoo:layered", "zoo:inception_v3", "zoo:rnnlm",
                            "zoo:dlrm", "zoo:bert", "zoo:enas_cifar"}) {
    const auto graph = std::make_shared<const Graph>(load_model(model).graph);
    for (const char* cluster : {"laptop", "2xP100", "4xK40", "2x8xA100-ib", "A100+V100"}) {
      SCOPED_TRACE(fmt::format("{} on {}", model, cluster));
      const Problem problem(graph, std::make_shared<const Cluster>(make_preset(cluster)));
      const Features features = features_of(problem, "256");
      expect_finite(features);
      EXPECT_LE(features.units, 256u);
    }
  }
}

}  // namespace
}  // namespace berth::learn
