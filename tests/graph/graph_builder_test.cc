#include "graph/graph_builder.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/random.h"

namespace berth {
namespace {

std::string message_of(GraphBuilder&& builder) {
  try {
    std::move(builder).build();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

template <class Id>
std::vector<std::size_t> indices(std::span<const Id> ids) {
  std::vector<std::size_t> result;
  for (const Id id : ids) result.push_back(id.index());
  return result;
}

using Indices = std::vector<std::size_t>;

// late reads first and middle (twice); listed before what it reads.
Graph out_of_order() {
  GraphBuilder builder("out of order");
  const OpId late = builder.add_op("late", "Add");
  builder.add_output(late, {.bytes = 4});
  const OpId first = builder.add_op("first", "Input");
  const TensorRef first_output = builder.add_output(first, {.bytes = 8});
  const TensorRef second_output = builder.add_output(first, {.bytes = 16, .resident = true});
  const OpId middle = builder.add_op("middle", "Relu");
  const TensorRef middle_output = builder.add_output(middle, {.bytes = 2});
  builder.add_input(late, middle_output);
  builder.add_input(late, second_output);
  builder.add_input(late, middle_output);
  builder.add_input(middle, first_output);
  builder.add_after(late, first);
  builder.add_after(late, first);
  builder.add_graph_output({late, 0});
  builder.add_graph_output({late, 0});
  return std::move(builder).build();
}

TEST(GraphBuilder, KeepsInputsAsListedAndIndexesThemDistinctly) {
  const Graph graph = out_of_order();
  EXPECT_EQ(graph.op_count(), 3u);
  EXPECT_EQ(graph.tensor_count(), 4u);
  EXPECT_EQ(indices(graph.inputs(OpId(0))), (Indices{3, 2, 3}));
  EXPECT_EQ(indices(graph.after(OpId(0))), (Indices{1, 1}));
  EXPECT_EQ(indices(graph.consumers(TensorId(3))), (Indices{0}));
  EXPECT_EQ(indices(graph.predecessors(OpId(0))), (Indices{1, 2}));
  EXPECT_EQ(indices(graph.successors(OpId(1))), (Indices{0, 2}));
  EXPECT_EQ(indices(graph.topological_order()), (Indices{1, 2, 0}));
  EXPECT_EQ(indices(graph.graph_outputs()), (Indices{0}));
  EXPECT_TRUE(graph.is_graph_output(TensorId(0)));
  EXPECT_TRUE(graph.resident(TensorId(2)));
  EXPECT_EQ(graph.producer(TensorId(2)), OpId(1));
  EXPECT_EQ(graph.output_index(TensorId(2)), 1u);
}

TEST(GraphBuilder, FindsOpsAndTensorsByName) {
  const Graph graph = out_of_order();
  EXPECT_EQ(graph.find_op("middle"), OpId(2));
  EXPECT_EQ(graph.find_op("nobody"), std::nullopt);
  EXPECT_EQ(graph.find_tensor("first:1"), TensorId(2));
  EXPECT_EQ(graph.find_tensor("first"), TensorId(1));
  EXPECT_EQ(graph.find_tensor("first:2"), std::nullopt);
  EXPECT_EQ(graph.find_tensor("first:x"), std::nullopt);
  EXPECT_EQ(graph.tensor_name(TensorId(2)), "first:1");
}

TEST(GraphBuilder, AWholeNameGoesBeforeAPort) {
  GraphBuilder builder("colons");
  const OpId plain = builder.add_op("a", "Input");
  builder.add_output(plain, {.bytes = 1});
  builder.add_output(plain, {.bytes = 1});
  const OpId colon = builder.add_op("a:1", "Input");
  builder.add_output(colon, {.bytes = 1});
  const Graph graph = std::move(builder).build();
  EXPECT_EQ(graph.find_tensor("a:1"), graph.output(colon, 0));
  EXPECT_EQ(graph.find_tensor("a:0"), graph.output(plain, 0));
}

TEST(GraphBuilder, ShowsACycle) {
  GraphBuilder builder("cycle");
  std::vector<OpId> ops;
  for (const char* name : {"before", "a", "b", "c"}) {
    ops.push_back(builder.add_op(name, "Add"));
    builder.add_output(ops.back(), {.bytes = 1});
  }
  builder.add_input(ops[1], {ops[0], 0});
  builder.add_input(ops[1], {ops[3], 0});
  builder.add_input(ops[2], {ops[1], 0});
  builder.add_after(ops[3], ops[2]);
  EXPECT_EQ(message_of(std::move(builder)),
            "the graph has a cycle of 3 ops, \"b\" -> \"c\" -> \"a\" -> \"b\"; a graph must be "
            "acyclic");
}

TEST(GraphBuilder, ShowsOnlyTheEndsOfALongCycle) {
  GraphBuilder builder("ring");
  std::vector<OpId> ops;
  for (int i = 0; i < 1000; ++i) ops.push_back(builder.add_op("op" + std::to_string(i), "Add"));
  for (int i = 0; i < 1000; ++i) builder.add_after(ops[i], ops[(i + 1) % 1000]);
  const std::string message = message_of(std::move(builder));
  EXPECT_NE(message.find("a cycle of 1000 ops"), std::string::npos);
  EXPECT_NE(message.find(" -> ... -> "), std::string::npos);
  EXPECT_LT(message.size(), 300u);
}

TEST(GraphBuilder, RefusesAUsedName) {
  GraphBuilder builder("twice");
  builder.add_op("x", "Input");
  EXPECT_THROW(builder.add_op("x", "Input"), InputError);
}

TEST(GraphBuilder, RefusesAnAliasOfNoInputAndOfAResident) {
  GraphBuilder missing("missing");
  missing.add_output(missing.add_op("x", "Reshape"), {.bytes = 1, .alias = 0});
  EXPECT_EQ(message_of(std::move(missing)),
            "the output \"x:0\" is an alias of input 0, but its op has 0 inputs");
  GraphBuilder both("both");
  const TensorRef x = both.add_output(both.add_op("x", "Input"), {.bytes = 1});
  const OpId y = both.add_op("y", "Reshape");
  both.add_output(y, {.bytes = 1, .resident = true, .alias = 0});
  both.add_input(y, x);
  EXPECT_NE(message_of(std::move(both)).find("can be only one of them"), std::string::npos);
}

TEST(GraphBuilder, SharesDeviceRules) {
  GraphBuilder builder("rules");
  const OpId a = builder.add_op("a", "Add");
  const OpId b = builder.add_op("b", "Add");
  const OpId c = builder.add_op("c", "Add");
  builder.set_devices(a, {"gpu"});
  builder.set_devices(c, {"gpu"});
  const Graph graph = std::move(builder).build();
  EXPECT_EQ(graph.device_set(a), graph.device_set(c));
  EXPECT_EQ(graph.device_set(b), Graph::kNone);
  EXPECT_EQ(graph.device_sets().size(), 1u);
}

TEST(GraphBuilder, OrdersRandomGraphsByLowestIndexFirst) {
  Random random(5);
  for (int round = 0; round < 50; ++round) {
    const std::size_t count = 1 + random.below(60);
    std::vector<std::size_t> rank(count);
    for (std::size_t i = 0; i < count; ++i) rank[i] = i;
    random.shuffle(std::span(rank));
    GraphBuilder builder("random");
    for (std::size_t i = 0; i < count; ++i) builder.add_op("op" + std::to_string(i), "Add");
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = 0; j < count; ++j) {
        if (rank[j] < rank[i] && random.chance(0.05)) builder.add_after(OpId(i), OpId(j));
      }
    }
    const Graph graph = std::move(builder).build();
    // The same order, by looking at every op every time.
    std::vector<std::uint8_t> done(count, 0);
    for (const OpId op : graph.topological_order()) {
      std::size_t lowest = count;
      for (std::size_t i = count; i-- > 0;) {
        bool ready = !done[i];
        for (const OpId earlier : graph.predecessors(OpId(i)))
          ready = ready && done[earlier.index()];
        if (ready) lowest = i;
      }
      ASSERT_EQ(op.index(), lowest);
      done[lowest] = 1;
    }
    EXPECT_EQ(graph.topological_order().size(), count);
  }
}

TEST(GraphBuilder, ATensorThatIsTooLargeIsNamed) {
  GraphBuilder builder("net");
  const OpId op = builder.add_op("x", "Input");
  builder.add_output(op, {.bytes = 4});
  const std::int64_t shape[] = {INT64_C(1) << 40, INT64_C(1) << 40};
  std::string message;
  try {
    builder.add_output(op, {.shape = shape, .dtype = DType::f32});
  } catch (const InputError& error) {
    message = error.what();
  }
  EXPECT_EQ(message,
            "the tensor \"x:1\" of model \"net\" is too large: the shape [1099511627776, "
            "1099511627776] of f32 does not give a size that fits 63 bits");
}

// Nobody who adds up sizes looks whether they still fit.
TEST(GraphBuilder, SumsThatAreTooLargeAreRefused) {
  const std::int64_t third = INT64_C(1) << 61;
  const auto with = [&](std::int64_t params, std::int64_t temp, std::int64_t bytes) {
    GraphBuilder builder("net");
    const OpId small = builder.add_op("small", "Input");
    builder.add_output(small, {.bytes = third});
    const OpId op = builder.add_op("op", "Relu");
    builder.set_param_bytes(op, params);
    builder.set_temp_bytes(op, temp);
    builder.add_output(op, {.bytes = bytes});
    return message_of(std::move(builder));
  };
  EXPECT_EQ(with(third, third, third - 1), "");
  const std::string sum =
      "the sizes of model \"net\" add up to more bytes than fit in 63 bits; the ";
  EXPECT_EQ(with(third, third, third + 1),
            sum + "largest is the tensor \"op:0\" with 2305843009213693953 bytes");
  EXPECT_EQ(with(2 * third, third, third),
            sum + "largest is op \"op\" with 4611686018427387904 bytes");

  GraphBuilder busy("net");
  for (const char* name : {"first", "second"}) busy.set_flops(busy.add_op(name, "Relu"), 1.5e308);
  EXPECT_EQ(message_of(std::move(busy)),
            "the flops of model \"net\" up to op \"second\" add up to more than a double can hold");
}

}  // namespace
}  // namespace berth
