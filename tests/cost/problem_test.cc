// Costs, groups and allowed devices of a problem, and what is wrong with impossible ones.
#include "cost/problem.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "graph/graph_builder.h"

namespace berth {
namespace {

Cluster two_gpus_and_a_cpu() {
  Device cpu{.name = "cpu:0", .kind = "cpu", .flops = {{DType::unknown, 1e9}}, .bandwidth = 1e9};
  Device gpu{.name = "gpu:0",
             .kind = "gpu",
             .model = "P100",
             .memory_bytes = 1000,
             .reserved_bytes = 100,
             .flops = {{DType::f32, 10e9}, {DType::f16, 20e9}},
             .bandwidth = 10e9,
             .launch_seconds = 1e-6};
  Device other = gpu;
  other.name = "gpu:1";
  return Cluster("three", {cpu, gpu, other}, {}, {{.from = 0, .to = 1, .bandwidth = 1e9}});
}

struct Builder : GraphBuilder {
  Builder() : GraphBuilder("model") {}
  OpId op(const std::string& name, const std::string& type = "MatMul") {
    const OpId id = add_op(name, type);
    return id;
  }
};

std::string message_of(GraphBuilder&& builder, const Constraints& constraints = {}) {
  try {
    Problem(std::move(builder).build(), two_gpus_and_a_cpu(), constraints);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Problem, PricesByRooflineWithTheDtypesRate) {
  Builder builder;
  const OpId single = builder.op("single");
  builder.set_flops(single, 1e6);
  builder.add_output(single, {.bytes = 4, .dtype = DType::f32});
  const OpId half = builder.op("half");
  builder.set_flops(half, 1e6);
  builder.add_output(half, {.bytes = 4, .dtype = DType::f16});
  const OpId moved = builder.op("moved", "Relu");
  builder.add_output(moved, {.bytes = 1'000'000});
  const OpId view = builder.op("view", "Reshape");
  builder.add_output(view, {.bytes = 1'000'000});
  const Problem problem(std::move(builder).build(), two_gpus_and_a_cpu());
  const Device& gpu = problem.cluster().device(DeviceId(1));
  const double matmul = efficiency(OpClass::matmul, gpu).compute;
  EXPECT_DOUBLE_EQ(problem.seconds(single, DeviceId(1)), 1e-6 + 1e6 / (10e9 * matmul));
  EXPECT_DOUBLE_EQ(problem.seconds(half, DeviceId(2)), 1e-6 + 1e6 / (20e9 * matmul));
  const double stream = efficiency(OpClass::elementwise, gpu).bandwidth;
  EXPECT_DOUBLE_EQ(problem.seconds(moved, DeviceId(1)), 1e-6 + 1e6 / (10e9 * stream));
  EXPECT_EQ(problem.seconds(view, DeviceId(1)), 0);
  EXPECT_EQ(problem.class_count(), 2u);
  EXPECT_EQ(problem.usable_bytes(DeviceId(1)), 900);
}

// A device with TF32 and one without; the same products in every precision on both.
TEST(Problem, F32ProductsRunInTf32WhereTheDeviceHasItUnlessToldOtherwise) {
  const Device old{.name = "old", .kind = "gpu", .flops = {{DType::f32, 10e9}, {DType::f16, 20e9}}};
  Device recent = old;
  recent.name = "recent";
  recent.flops.emplace_back(DType::tf32, 80e9);
  const Cluster cluster("two", {old, recent}, {}, {});
  const double share = efficiency(OpClass::matmul, old).compute;
  struct Case {
    DType precision;
    double typed_old, typed_recent, untyped_recent;  // rates
  };
  for (const Case& expected : {Case{DType::unknown, 10e9, 80e9, 10e9},
                               {DType::f32, 10e9, 10e9, 10e9},
                               {DType::tf32, 10e9, 80e9, 80e9}}) {
    SCOPED_TRACE(dtype_name(expected.precision));
    Builder builder;
    builder.set_precision(expected.precision);
    const auto add = [&](const char* name, const char* type, DType dtype) {
      const OpId op = builder.op(name, type);
      builder.set_flops(op, 1e6);
      builder.add_output(op, {.bytes = 4, .dtype = dtype});
      return op;
    };
    const OpId typed = add("typed", "MatMul", DType::f32);
    const OpId convolution = add("convolution", "Conv", DType::f32);
    const OpId untyped = add("untyped", "MatMul", DType::unknown);
    const OpId half = add("half", "MatMul", DType::f16);
    const OpId relu = add("relu", "Relu", DType::f32);
    const OpId given = add("given", "MatMul", DType::f32);
    builder.add_seconds(given, "gpu", 3);
    const Problem problem(std::move(builder).build(), cluster);
    const auto rate = [&](OpId op, std::size_t device) {
      return 1e6 / (problem.seconds(op, DeviceId(device)) * share);
    };
    EXPECT_DOUBLE_EQ(rate(typed, 0), expected.typed_old);
    EXPECT_DOUBLE_EQ(rate(typed, 1), expected.typed_recent);
    EXPECT_DOUBLE_EQ(rate(untyped, 1), expected.untyped_recent);
    EXPECT_DOUBLE_EQ(rate(half, 1), 20e9);
    EXPECT_LT(problem.seconds(convolution, DeviceId(1)) / problem.seconds(convolution, DeviceId(0)),
              expected.typed_recent > 10e9 ? 0.2 : 1.1);
    EXPECT_EQ(problem.seconds(relu, DeviceId(0)), problem.seconds(relu, DeviceId(1)));
    EXPECT_EQ(problem.seconds(given, DeviceId(1)), 3);
  }
}

TEST(Problem, GivenSecondsGoByNameThenModelThenKind) {
  Builder builder;
  const OpId op = builder.op("x");
  builder.add_seconds(op, "gpu", 3);
  builder.add_seconds(op, "P100", 2);
  builder.add_seconds(op, "gpu:1", 1);
  const Problem problem(std::move(builder).build(), two_gpus_and_a_cpu());
  EXPECT_EQ(problem.seconds(op, DeviceId(1)), 2);
  EXPECT_EQ(problem.seconds(op, DeviceId(2)), 1);
  EXPECT_TRUE(problem.has_given_seconds(op, DeviceId(1)));
  EXPECT_FALSE(problem.has_given_seconds(op, DeviceId(0)));
  EXPECT_EQ(problem.class_count(), 3u);
}

TEST(Problem, GroupsAreNumberedByTheirLowestOpAndShareDevices) {
  Builder builder;
  const OpId a = builder.op("a");
  const OpId b = builder.op("b");
  const OpId c = builder.op("c");
  const OpId d = builder.op("d");
  builder.set_colocation(b, "l");
  builder.set_colocation(d, "l");
  builder.set_devices(d, {"gpu"});
  const Constraints constraints{.pins = {{"d", {"gpu:1", "cpu"}}}, .colocated = {{"a", "c"}}};
  const Problem problem(std::move(builder).build(), two_gpus_and_a_cpu(), constraints);
  EXPECT_EQ(problem.group_count(), 2u);
  EXPECT_EQ(problem.group(a), problem.group(c));
  EXPECT_EQ(problem.group(b), GroupId(1));
  ASSERT_EQ(problem.allowed_devices(b).size(), 1u);
  EXPECT_EQ(problem.allowed_devices(b)[0], DeviceId(2));
  EXPECT_TRUE(problem.allowed(a, DeviceId(0)));
  EXPECT_FALSE(problem.allowed(d, DeviceId(0)));
  EXPECT_EQ(problem.seconds(b, DeviceId(0)), Problem::kImpossible);
}

TEST(Problem, SaysWhatIsImpossible) {
  Builder nowhere;
  nowhere.set_devices(nowhere.op("x"), {"tpu"});
  EXPECT_EQ(message_of(std::move(nowhere)),
            "op \"x\" of model \"model\" may run only on tpu, and cluster \"three\" has no such "
            "device left; it has cpu:0, cpu, gpu:0, P100, gpu and gpu:1");
  Builder apart;
  const OpId a = apart.op("a");
  const OpId b = apart.op("b");
  for (const OpId op : {a, b}) apart.set_colocation(op, "l");
  apart.set_devices(a, {"cpu"});
  apart.set_devices(b, {"gpu"});
  EXPECT_EQ(
      message_of(std::move(apart)),
      "ops \"a\" and \"b\" of model \"model\" must share one device (colocate \"l\"), but the "
      "devices they may use have none in common");
  Builder pinned;
  pinned.set_devices(pinned.op("x"), {"cpu"});
  EXPECT_NE(message_of(std::move(pinned), {.pins = {{"x", {"gpu"}}}}).find("is pinned to gpu"),
            std::string::npos);
  Builder forbidden;
  forbidden.op("x");
  EXPECT_NE(message_of(std::move(forbidden), {.forbidden_devices = {"cpu", "gpu"}})
                .find("devices that are not forbidden"),
            std::string::npos);
  Builder unmatched;
  unmatched.op("x");
  EXPECT_NE(message_of(std::move(unmatched), {.pins = {{"y*", {"gpu"}}}})
                .find("no op of model \"model\" matches \"y*\""),
            std::string::npos);
  Builder misspelt;
  misspelt.op("x");
  EXPECT_NE(message_of(std::move(misspelt), {.forbidden_devices = {"gpu:7"}}).find("it has cpu:0"),
            std::string::npos);
}

TEST(Problem, RefusesSizesThatCannotBeCounted) {
  Builder builder;
  const OpId op = builder.op("x");
  builder.add_output(op, {.bytes = std::int64_t{1} << 62});
  EXPECT_EQ(message_of(std::move(builder)),
            "the sizes of model \"model\" add up, over 3 devices, to more bytes than fit in 63 "
            "bits; the largest is the tensor \"x:0\" with 4611686018427387904 bytes");
}

TEST(Problem, RefusesTimesThatOverflow) {
  for (const double launch : {1e308, 0.0}) {
    Device slow{.name = "gpu:0", .kind = "gpu", .flops = {{DType::unknown, 1e-310}}};
    slow.launch_seconds = launch;
    Builder builder;
    for (const char* name : {"x", "y", "z"}) builder.set_flops(builder.op(name), 1e9);
    EXPECT_THROW(Problem(std::move(builder).build(), Cluster("slow", {slow}, {}, {})), InputError);
  }
  Builder sent;
  sent.add_output(sent.op("x", "Input"), {.bytes = 1000});
  const Device a{.name = "a", .kind = "gpu"};
  const Device b{.name = "b", .kind = "gpu"};
  const Link thin{.from = 0, .to = 1, .bandwidth = 5e-324};
  EXPECT_THROW(Problem(std::move(sent).build(), Cluster("thin", {a, b}, {}, {thin})), InputError);
}

TEST(Problem, ADeviceWithoutRatesIsAnErrorOnlyWhereItIsNeeded) {
  const Cluster bare("bare", {{.name = "gpu:0", .kind = "gpu"}}, {}, {});
  Builder given;
  const OpId x = given.op("x");
  given.set_flops(x, 5);
  given.add_seconds(x, "gpu", 1);
  EXPECT_EQ(Problem(std::move(given).build(), bare).seconds(x, DeviceId(0)), 1);
  Builder modelled;
  modelled.set_flops(modelled.op("x"), 5);
  EXPECT_THROW(Problem(std::move(modelled).build(), bare), InputError);
}

TEST(FusedCost, OneLaunchAndNoTrafficInside) {
  Builder builder;
  const OpId mm = builder.op("mm");
  builder.set_flops(mm, 1e6);
  const TensorRef product = builder.add_output(mm, {.bytes = 1000, .dtype = DType::f32});
  const OpId relu = builder.op("relu", "Relu");
  builder.set_flops(relu, 1e3);
  builder.add_output(relu, {.bytes = 4000, .dtype = DType::f32});
  builder.add_input(relu, product);
  const Problem problem(std::move(builder).build(), two_gpus_and_a_cpu());
  const Device& gpu = problem.cluster().device(DeviceId(1));
  const std::vector<OpId> members = {mm, relu};
  const double compute = compute_seconds(problem.graph(), mm, OpClass::matmul, gpu) +
                         compute_seconds(problem.graph(), relu, OpClass::elementwise, gpu);
  EXPECT_DOUBLE_EQ(problem.fused_seconds(members, DeviceId(1)), 1e-6 + compute);
}

TEST(FusedCost, GivenTimesLoseLaunchesAndTrafficButNotTheDearestMember) {
  Builder builder;
  const OpId mm = builder.op("mm");
  builder.add_seconds(mm, "gpu", 10e-6);
  const TensorRef product = builder.add_output(mm, {.bytes = 10'000});
  const OpId relu = builder.op("relu", "Relu");
  builder.add_seconds(relu, "gpu", 5e-6);
  const TensorRef positive = builder.add_output(relu, {.bytes = 100'000});
  builder.add_input(relu, product);
  const OpId view = builder.op("view", "Reshape");
  builder.add_seconds(view, "gpu", 0);
  builder.add_output(view, {.bytes = 1});
  builder.add_input(view, positive);
  const Problem problem(std::move(builder).build(), two_gpus_and_a_cpu());
  // 15 us less one launch (the view costs nothing) less 2 x 10,000 B / 10 GB/s.
  EXPECT_DOUBLE_EQ(problem.fused_seconds(std::vector<OpId>{mm, relu}, DeviceId(1)), 12e-6);
  // With relu's output inside as well, 22 us would be saved: the dearest member remains.
  EXPECT_DOUBLE_EQ(problem.fused_seconds(std::vector<OpId>{mm, relu, view}, DeviceId(1)), 10e-6);
}

}  // namespace
}  // namespace berth
