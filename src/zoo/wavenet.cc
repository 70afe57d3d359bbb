// zoo:wavenet, the autoregressive model of audio of van den Oord et al. 2016 ("WaveNet: A
// Generative Model for Raw Audio"), in training: stacks of causal convolutions over time, the
// dilation doubled from layer to layer and starting over in each stack. A layer is
//   z = tanh(filter(x)) sigmoid(gate(x)),   x' = x + residual(z),   skips = skips + skip(z)
// and two 1x1 convolutions make the distribution of every next sample of the skips. A sound is
// [batch, channels, 1, length]; the past is padded with zeros so that no output sees its future.
//
// GO's tables have WaveNet of 2 stacks and 18 layers and of 4 stacks and 36 layers, and no other
// sizes. They are read here as layers in all, nine per stack and dilated up to 256: with 18 layers
// in each, a stack would reach back further than any clip. Widths, kernel and length are those of
// Parallel WaveNet's teacher (van den Oord et al. 2017): 512 residual channels, 256 for each half
// of the gate, 256 for the skips, kernel 3, clips of 7680 samples; samples are the first paper's,
// of 8 bits. The batch, 32 there, is 8, so that one GPU of the papers holds the default.
#include <fmt/format.h>

#include "base/error.h"
#include "zoo/expert.h"
#include "zoo/net.h"
#include "zoo/workload_list.h"

namespace berth::zoo {
namespace {

struct Sizes {
  std::int64_t residual;
  std::int64_t gate;
  std::int64_t skip;
  std::int64_t kernel;
};

// Both halves of the gate read the same padded past.
Value gated(Net& net, const Value& x, const Sizes& sizes, std::int64_t dilation) {
  const Value past = net.pad("past", x, 3, (sizes.kernel - 1) * dilation);
  const Net::Conv dilated{.filters = sizes.gate,
                          .height = 1,
                          .width = sizes.kernel,
                          .dilation = dilation,
                          .same = false,
                          .bias = true};
  const Value filter = net.tanh("tanh", net.conv("filter", past, dilated));
  const Value gate = net.sigmoid("sigmoid", net.conv("gate", past, dilated));
  return net.mul("gated", filter, gate);
}

Value pointwise(Net& net, std::string_view name, const Value& x, std::int64_t filters) {
  return net.conv(name, x, {.filters = filters, .bias = true});
}

Graph build_wavenet(const Options& options, Mode mode) {
  const std::int64_t layers = options.integer("layers");
  const std::int64_t stacks = options.integer("stacks");
  const std::int64_t classes = options.integer("classes");
  const Sizes sizes{options.integer("residual"), options.integer("gate"), options.integer("skip"),
                    options.integer("kernel")};
  const std::int64_t layers_a_stack = (layers + stacks - 1) / stacks;
  if (layers_a_stack > 24) {
    throw InputError(
        fmt::format("wavenet: layers={} in stacks={} is {} layers per stack; at most 24 are "
                    "allowed, because the dilation doubles with each",
                    layers, stacks, layers_a_stack));
  }

  Net net("wavenet");
  Value x;
  {
    const Net::Scope scope(net, "input", "input");
    x = net.input("samples", {options.integer("batch"), classes, 1, options.integer("length")});
    const Net::Conv causal{.filters = sizes.residual, .height = 1, .width = 2, .same = false};
    x = net.conv("causal", net.pad("past", x, 3, 1), causal);
  }
  Value skips;
  for (std::int64_t layer = 0; layer < layers; ++layer) {
    const std::string label =
        fmt::format("stack_{}_layer_{}", layer / layers_a_stack, layer % layers_a_stack);
    const Net::Scope scope(net, label, label);
    const Value z = gated(net, x, sizes, std::int64_t{1} << (layer % layers_a_stack));
    const Value skip = pointwise(net, "skip", z, sizes.skip);
    skips = layer == 0 ? skip : net.add("skips", skips, skip);
    // Nobody reads what the last layer would hand on.
    if (layer + 1 < layers) x = net.add("add", x, pointwise(net, "residual", z, sizes.residual));
  }
  const Net::Scope scope(net, "output", "output");
  x = pointwise(net, "hidden", net.relu("relu_0", skips), sizes.skip);
  x = pointwise(net, "classes", net.relu("relu_1", x), classes);
  net.output(net.transpose("logits", x, {0, 2, 3, 1}));
  return finish(net, options, mode);
}

}  // namespace

Workload wavenet_workload() {
  using Type = OptionSpec::Type;
  return {.name = "wavenet",
          .summary = "WaveNet, stacks of dilated causal convolutions over raw audio.",
          .options = with_common_options(
              {{"stacks", Type::integer, "2",
                "Number of stacks; the dilation starts again in each.", 1, 64},
               {"layers", Type::integer, "18", "Layers of all stacks together.", 1, 1000},
               {"batch", Type::integer, "8", "Clips per step.", 1, 65536},
               {"length", Type::integer, "7680", "Samples per clip.", 1, 1e7},
               {"residual", Type::integer, "512", "Channels between layers.", 1, 65536},
               {"gate", Type::integer, "256", "Channels of each half of the gate.", 1, 65536},
               {"skip", Type::integer, "256", "Channels of the skip connections.", 1, 65536},
               {"kernel", Type::integer, "3", "Kernel size of the convolutions.", 1, 64},
               {"classes", Type::integer, "256", "Values that a sample can have.", 2, 65536}}),
          .build = build_wavenet,
          .expert = split_layers_over_gpus};
}

}  // namespace berth::zoo
