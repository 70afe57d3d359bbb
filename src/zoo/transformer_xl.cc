// zoo:transformer_xl (Dai et al. 2019), as placed by GO: a decoder that also attends to the states
// of the segment before, with relative positions. The sizes of the model for enwik8: 12 layers of
// width 512, 8 heads, segments and memory of 512, 41 million parameters, characters as words. The
// text is read in several segments per step, one after the other, which is what there is to place.
#include <fmt/format.h>

#include "zoo/expert.h"
#include "zoo/transformer.h"
#include "zoo/workload_list.h"

namespace berth::zoo {
namespace {

constexpr std::int64_t kVocabulary = 204;  // characters of enwik8

// Weights of one layer; all segments share them.
struct LayerWeights {
  Value query, key, value, position, output;
  Value content_bias, position_bias;
  Value expand, expand_bias, contract, contract_bias;
  Value norm_scale, norm_shift, second_scale, second_shift;
};

struct Sizes {
  std::int64_t width, heads, inner, seq, batch;
};

LayerWeights make_weights(Net& net, const Sizes& sizes) {
  const std::int64_t width = sizes.width;
  const std::int64_t inner = sizes.inner;
  const auto square = [&](std::string_view name) { return net.weight(name, {width, width}); };
  const auto vector = [&](std::string_view name) { return net.weight(name, {width}); };
  return {.query = square("query"),
          .key = square("key"),
          .value = square("value"),
          .position = square("position"),
          .output = square("output"),
          .content_bias = vector("content_bias"),
          .position_bias = vector("position_bias"),
          .expand = net.weight("expand", {width, inner}),
          .expand_bias = net.weight("expand_bias", {inner}),
          .contract = net.weight("contract", {inner, width}),
          .contract_bias = vector("contract_bias"),
          .norm_scale = vector("norm_scale"),
          .norm_shift = vector("norm_shift"),
          .second_scale = vector("second_scale"),
          .second_shift = vector("second_shift")};
}

Value norm(Net& net, std::string_view name, const Value& x, const Value& scale,
           const Value& shift) {
  return net.custom("LayerNormalization", name, {x, scale, shift}, x.shape, 8.0 * x.elements());
}

Value heads_of(Net& net, std::string_view name, const Value& x, std::int64_t heads) {
  const Net::Scope scope(net, name);
  const Value parts = net.reshape("reshape", x, {x.dim(0), x.dim(1), heads, x.dim(2) / heads});
  return net.transpose("transpose", parts, {0, 2, 1, 3});
}

Value layer_of(Net& net, const LayerWeights& weights, const Sizes& sizes, const Value& x,
               const Value* before, const Value& positions) {
  const Value memory = before ? net.concat("memory", {*before, x}, 1) : x;
  const Value query = net.matmul("query", x, weights.query);
  const Value by_content = net.add("query_content", query, weights.content_bias);
  const Value by_place = net.add("query_position", query, weights.position_bias);
  const Value key = heads_of(net, "key_heads", net.matmul("key", memory, weights.key), sizes.heads);
  const Value place = heads_of(net, "position_heads",
                               net.matmul("position", positions, weights.position), sizes.heads);
  const Value value =
      heads_of(net, "value_heads", net.matmul("value", memory, weights.value), sizes.heads);
  const auto scores = [&](const std::string& name, const Value& asked, const Value& keys) {
    const Net::Scope scope(net, name);
    return net.matmul("scores", heads_of(net, "query_heads", asked, sizes.heads),
                      net.transpose("transpose", keys, {0, 1, 3, 2}));
  };
  const Value content = scores("content", by_content, key);
  const Value relative = net.slice("shift", scores("place", by_place, place), 3, memory.dim(1));
  const Value weighted = net.softmax("softmax", net.add("scores", content, relative));
  const Value mixed =
      net.transpose("merge_transpose", net.matmul("mix", weighted, value), {0, 2, 1, 3});
  const Value merged = net.reshape("merge", mixed, x.shape);
  const Value attended = net.add("residual", x, net.matmul("output", merged, weights.output));
  const Value first = norm(net, "norm", attended, weights.norm_scale, weights.norm_shift);
  const Value hidden = net.relu(
      "relu",
      net.add("expand_bias_add", net.matmul("expand", first, weights.expand), weights.expand_bias));
  const Value fed = net.add("contract_bias_add", net.matmul("contract", hidden, weights.contract),
                            weights.contract_bias);
  return norm(net, "second_norm", net.add("second_residual", first, fed), weights.second_scale,
              weights.second_shift);
}

Graph build_transformer_xl(const Options& options, Mode mode) {
  const Sizes sizes{options.integer("hidden"), options.integer("heads"), options.integer("inner"),
                    options.integer("seq"), options.integer("batch")};
  const std::int64_t segments = options.integer("segments");
  const std::int64_t layers = options.integer("layers");
  Net net("transformer_xl");
  std::vector<Value> inputs;
  Value table;
  {
    const Net::Scope scope(net, "embedding", "embedding");
    table = net.weight("words", {kVocabulary, sizes.width});
    for (std::int64_t s = 0; s < segments; ++s) {
      const Net::Scope segment(net, fmt::format("segment_{}", s));
      const Value ids = net.input("ids", {sizes.batch, sizes.seq}, DType::i32);
      inputs.push_back(net.gather("word", table, ids));
    }
  }
  const Value near = net.constant("positions", {1, sizes.seq, sizes.width});
  const Value far = net.constant("far_positions", {1, 2 * sizes.seq, sizes.width});
  for (std::int64_t layer = 0; layer < layers; ++layer) {
    const std::string label = fmt::format("layer_{}", layer);
    const Net::Scope scope(net, label, label);
    const LayerWeights weights = make_weights(net, sizes);
    std::vector<Value> outputs;
    for (std::size_t s = 0; s < inputs.size(); ++s) {
      const Net::Scope segment(net, fmt::format("segment_{}", s));
      outputs.push_back(layer_of(net, weights, sizes, inputs[s], s > 0 ? &inputs[s - 1] : nullptr,
                                 s > 0 ? far : near));
    }
    inputs = outputs;
  }
  const Net::Scope scope(net, "softmax", "softmax");
  const Value words = net.transpose("table_transpose", table, {1, 0});
  const Value bias = net.weight("bias", {kVocabulary});
  for (std::size_t s = 0; s < inputs.size(); ++s) {
    const Net::Scope segment(net, fmt::format("segment_{}", s));
    net.output(net.add("logits", net.matmul("matmul", inputs[s], words), bias));
  }
  return finish(net, options, mode);
}

}  // namespace

Workload transformer_xl_workload() {
  using Type = OptionSpec::Type;
  return {.name = "transformer_xl",
          .summary = "Decoder that attends to the previous segment; several segments per step.",
          .options = with_common_options(
              {{"layers", Type::integer, "12", "Layers.", 1, 1000},
               {"segments", Type::integer, "4", "Segments per step, one after the other.", 1, 64},
               {"batch", Type::integer, "22", "Texts per step.", 1, 65536},
               {"seq", Type::integer, "512", "Characters in a segment.", 1, 65536},
               {"hidden", Type::integer, "512", "Width of a layer.", 8, 65536},
               {"heads", Type::integer, "8", "Heads; they must divide the width.", 1, 256},
               {"inner", Type::integer, "2048", "Width of the feed-forward block.", 1, 1e6}}),
          .build = build_transformer_xl,
          .expert = split_layers_over_gpus};
}

}  // namespace berth::zoo
