// What is written reads back as the same graph and is written again as the same text.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>

#include "base/file.h"
#include "base/json_reader.h"
#include "base/random.h"
#include "frontends/graph_equality.h"
#include "frontends/graph_file.h"
#include "graph/graph_builder.h"

namespace berth {
namespace {

void expect_round_trip(const Graph& graph) {
  const std::string text = graph_to_json(graph);
  std::vector<std::string> warnings;
  const Graph again = parse_graph(text, "written", &warnings);
  EXPECT_TRUE(warnings.empty());
  expect_same_graph(graph, again);
  EXPECT_EQ(graph_to_json(again), text);
}

// Names that look like references to each other, need escapes, or are merely long.
std::string random_name(Random& random, std::size_t op) {
  constexpr std::array<std::string_view, 8> kParts = {"a",  ":",  "0",  "1",
                                                      "\"", "\\", "\n", "\u00e9"};
  if (random.chance(0.3)) return fmt::format("op{}", op);
  std::string name;
  const auto length = random.between(1, 6);
  for (std::int64_t i = 0; i < length; ++i) name += kParts[random.below(kParts.size())];
  return name;
}

double random_double(Random& random) {
  switch (random.below(4)) {
    case 0:
      return 0;
    case 1:
      return static_cast<double>(random.below(1000));
    case 2:
      return random.uniform() * 1e-6;
    default:
      return random.uniform() * 1e300;
  }
}

void add_outputs(GraphBuilder& builder, Random& random, OpId op, std::size_t inputs) {
  constexpr std::array<DType, 4> kTypes = {DType::f32, DType::i4, DType::boolean, DType::c128};
  const auto count = random.between(0, 3);
  for (std::int64_t k = 0; k < count; ++k) {
    std::vector<std::int64_t> shape;
    const auto rank = random.between(0, 3);
    for (std::int64_t i = 0; i < rank; ++i) shape.push_back(random.between(0, 9));
    OutputSpec output;
    if (random.chance(0.5)) output.shape = shape;
    output.has_shape = random.chance(0.5) || !output.shape.empty();
    if (random.chance(0.5)) output.dtype = kTypes[random.below(kTypes.size())];
    const bool derived = output.has_shape && output.dtype != DType::unknown && random.chance(0.5);
    if (!derived) output.bytes = random.between(0, std::int64_t{1} << random.between(0, 50));
    output.resident = random.chance(0.2);
    if (!output.resident && inputs > 0 && random.chance(0.3)) {
      output.alias = static_cast<std::uint32_t>(random.below(inputs));
    }
    builder.add_output(op, output);
  }
}

Graph random_graph(std::uint64_t seed) {
  Random random(seed);
  GraphBuilder builder(random.chance(0.2) ? "" : "random \"graph\"");
  std::vector<TensorRef> tensors;
  std::vector<OpId> ops;
  const auto count = random.between(1, 25);
  for (std::int64_t i = 0; i < count; ++i) {
    std::string name = random_name(random, static_cast<std::size_t>(i));
    while (builder.find_op(name)) name += "'";
    const OpId op = builder.add_op(name, fmt::format("T{}", random.below(3)));
    std::size_t inputs = 0;
    for (; !tensors.empty() && random.chance(0.6); ++inputs) {
      builder.add_input(op, tensors[random.below(tensors.size())]);
    }
    while (!ops.empty() && random.chance(0.2)) builder.add_after(op, ops[random.below(ops.size())]);
    builder.set_flops(op, random_double(random));
    builder.set_param_bytes(op, random.between(0, 1) * random.between(0, 1'000'000));
    builder.set_temp_bytes(op, random.between(0, 1) * random.between(0, 1'000'000));
    if (random.chance(0.3)) builder.set_colocation(op, fmt::format("c{}", random.below(3)));
    if (random.chance(0.3)) builder.set_layer(op, fmt::format("l{}", random.below(3)));
    if (random.chance(0.3)) builder.set_devices(op, {"gpu", fmt::format("d{}", random.below(2))});
    if (random.chance(0.3)) builder.add_seconds(op, "cpu", random_double(random));
    if (random.chance(0.3)) builder.add_seconds(op, "gpu:\"0\"", random_double(random));
    add_outputs(builder, random, op, inputs);
    ops.push_back(op);
    for (std::uint32_t k = 0; k < builder.output_count(op); ++k) tensors.push_back({op, k});
  }
  while (!tensors.empty() && random.chance(0.7)) {
    builder.add_graph_output(tensors[random.below(tensors.size())]);
  }
  return std::move(builder).build();
}

TEST(GraphRoundTrip, RandomGraphs) {
  for (std::uint64_t seed = 0; seed < 500 && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    expect_round_trip(random_graph(seed));
  }
}

TEST(GraphRoundTrip, ATensorWhoseNameIsThatOfAnOp) {
  GraphBuilder builder("");
  const OpId a = builder.add_op("a", "T");
  for (std::int64_t k = 0; k < 3; ++k) builder.add_output(a, {.bytes = k});
  for (const std::string_view name : {"a:0", "a:1", "a:01", "a:2:0"}) {
    builder.add_output(builder.add_op(name, "T"), {.bytes = 9});
  }
  const OpId reader = builder.add_op("reader", "T");
  for (std::uint32_t k = 0; k < 3; ++k) builder.add_input(reader, {a, k});
  for (std::size_t i = 1; i < 5; ++i) builder.add_input(reader, {OpId(i), 0});
  builder.add_graph_output({a, 1});
  const Graph graph = std::move(builder).build();
  expect_round_trip(graph);
  EXPECT_NE(graph_to_json(graph).find(
                R"("inputs": ["a", "a:001", "a:2", "a:0:0", "a:1:0", "a:01:0", "a:2:0:0"])"),
            std::string::npos)
      << graph_to_json(graph);
}

TEST(GraphRoundTrip, OneOpALineAndOnlyWhatIsSet) {
  GraphBuilder builder("two");
  const OpId x = builder.add_op("x", "Input");
  const std::int64_t shape[] = {8, 128};
  const TensorRef data = builder.add_output(x, {.shape = shape, .dtype = DType::f32});
  const OpId mm = builder.add_op("mm", "MatMul");
  builder.add_input(mm, data);
  builder.set_flops(mm, 2.1e6);
  builder.add_seconds(mm, "gpu", 5e-5);
  EXPECT_EQ(graph_to_json(std::move(builder).build()), R"({
  "format": "berth.graph",
  "version": 1,
  "name": "two",
  "ops": [
    {"name": "x", "type": "Input", "outputs": [{"bytes": 4096, "shape": [8, 128], "dtype": "f32"}]},
    {"name": "mm", "type": "MatMul", "inputs": ["x:0"], "flops": 2100000, "seconds": {"gpu": 5e-05}}
  ]
}
)");
}

// The golden problems hold a graph, a cluster and a plan in one file each.
TEST(GraphRoundTrip, GoldenGraphs) {
  for (int i = 0; i < 12; ++i) {
    const std::string path = fmt::format("{}/golden/case{:02}.json", BERTH_TEST_DATA, i);
    const InputFile file(path);
    JsonReader reader(file.text(), path);
    reader.begin_object();
    std::size_t begin = 0;
    while (const auto key = reader.next_key()) {
      if (begin > 0) {
        const std::size_t comma = file.text().rfind(',', reader.position());
        expect_round_trip(parse_graph(file.text().substr(begin, comma - begin), path));
        begin = 0;
      }
      reader.peek();
      if (*key == "graph") begin = reader.position();
      reader.skip();
    }
  }
}

}  // namespace
}  // namespace berth
