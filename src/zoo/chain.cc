// zoo:chain, the simplest network: matrix products and activations, one after the other. Nothing
// can run in parallel, so the best plan stays on one device as long as it fits; a good method must
// find that. Its figures are set directly, for experiments in which the work of an op must be
// known.
#include <fmt/format.h>

#include <cmath>

#include "base/random.h"
#include "graph/graph_builder.h"
#include "zoo/workload_list.h"

namespace berth::zoo {
namespace {

constexpr std::int64_t kElementBytes = 4;  // f32

Graph build_chain(const Options& options, Mode) {
  const std::int64_t ops = options.integer("ops");
  const std::int64_t bytes = options.integer("bytes") / kElementBytes * kElementBytes;
  const double spread = options.real("spread");
  Random random(static_cast<std::uint64_t>(options.integer("seed")));
  const auto vary = [&](double figure) {
    return figure * (1 + spread * (2 * random.uniform() - 1));
  };

  GraphBuilder builder("chain");
  const std::int64_t shape[] = {bytes / kElementBytes};
  const OutputSpec output{.bytes = bytes, .shape = shape, .dtype = DType::f32};
  const OpId input = builder.add_op("input", "Input");
  TensorRef last = builder.add_output(input, output);
  for (std::int64_t i = 0; i < ops; ++i) {
    const bool product = i % 2 == 0;
    const OpId op = builder.add_op(fmt::format("{}{}", product ? "matmul" : "relu", i / 2),
                                   product ? "MatMul" : "Relu");
    builder.set_layer(op, fmt::format("layer{}", i / 2));
    builder.add_input(op, last);
    last = builder.add_output(op, output);
    if (product) {
      builder.set_flops(op, std::round(vary(options.real("flops"))));
      builder.set_param_bytes(
          op, std::llround(vary(static_cast<double>(options.integer("param_bytes")))));
    } else {
      builder.set_flops(op, static_cast<double>(shape[0]));
    }
  }
  builder.add_graph_output(last);
  return with_dtype(std::move(builder).build(), options);
}

}  // namespace

Workload chain_workload() {
  using Type = OptionSpec::Type;
  return {.name = "chain",
          .summary = "A chain of matrix products and activations; the same in either mode.",
          .options = with_dtype_option(
              {{"ops", Type::integer, "64", "Number of ops after the input.", 1, 1e7},
               {"flops", Type::real, "2e9", "Operations of every matrix product.", 0, 1e15},
               {"bytes", Type::integer, "4194304",
                "Size of every tensor, a multiple of 4 bytes (f32).", 4, 1e11},
               {"param_bytes", Type::integer, "4194304",
                "Size of the weights of every matrix product.", 0, 1e11},
               {"spread", Type::real, "0",
                "How much the products vary in cost: 0.5 is up to 50% more or less.", 0, 1},
               {"seed", Type::integer, "0", "Seed of the variation.", 0, 1e15}}),
          .build = build_chain};
}

}  // namespace berth::zoo
