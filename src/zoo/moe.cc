// zoo:moe, a decoder whose feed-forward blocks are experts: a router sends every token to the two
// of them that suit it best. With its default sizes the experts' layers of Mixtral (Jiang et al.
// 2024) at an eighth of the depth; `layers=32` is the whole of it, 46,702,792,704 parameters. The
// graph is static, so every expert takes its even share of the tokens, as routers are trained to
// give it.
#include <fmt/format.h>

#include "zoo/expert.h"
#include "zoo/transformer.h"
#include "zoo/workload_list.h"

namespace berth::zoo {
namespace {

struct Sizes {
  std::int64_t experts, chosen, inner;
};

Value mixture(Net& net, const Value& x, const Sizes& sizes) {
  const std::int64_t tokens = x.dim(0) * x.dim(1);
  const std::int64_t width = x.dim(2);
  const std::int64_t share = std::max<std::int64_t>(1, tokens * sizes.chosen / sizes.experts);
  const Net::Scope scope(net, "mixture");
  const Value rows = net.reshape("rows", x, {tokens, width});
  const Value scores = net.softmax("scores", net.linear("router", rows, sizes.experts, false));
  Value sum;
  for (std::int64_t e = 0; e < sizes.experts; ++e) {
    const Net::Scope expert(net, fmt::format("expert_{}", e));
    const Value weights =
        net.custom("TopK", "choose", {scores}, {share, 1}, 4.0 * static_cast<double>(tokens));
    const Value mine = net.custom("GatherElements", "take", {rows, weights}, {share, width}, 0);
    const Value fed = gated_feed_forward(net, "feed_forward", mine, sizes.inner);
    const Value weighted = net.mul("weighted", fed, weights);
    const Value mine_back =
        net.custom("ScatterND", "give_back", {weighted, weights}, {tokens, width}, 0);
    sum = e == 0 ? mine_back : net.add("sum", sum, mine_back);
  }
  return net.reshape("back", sum, x.shape);
}

Graph build_moe(const Options& options, Mode mode) {
  const std::int64_t batch = options.integer("batch");
  const std::int64_t seq = options.integer("seq");
  const std::int64_t width = options.integer("hidden");
  const std::int64_t vocabulary = options.integer("vocab");
  const Sizes sizes{options.integer("experts"),
                    std::min(options.integer("chosen"), options.integer("experts")),
                    options.integer("inner")};
  const std::int64_t heads = std::max<std::int64_t>(1, width / 128);
  const Attention self{.heads = heads,
                       .key_heads = heads % 4 == 0 ? heads / 4 : heads,
                       .bias = false,
                       .masked = true,
                       .rotary = true};
  Net net("moe");
  Value x;
  {
    const Net::Scope scope(net, "embedding", "embedding");
    x = net.embedding("word", net.input("ids", {batch, seq}, DType::i32), vocabulary, width);
  }
  for (std::int64_t layer = 0; layer < options.integer("layers"); ++layer) {
    const std::string label = fmt::format("layer_{}", layer);
    const Net::Scope scope(net, label, label);
    const Value normed = net.rms_norm("attention_norm", x);
    x = net.add("attention_residual", x, attention(net, "attention", normed, normed, self));
    x = net.add("mixture_residual", x, mixture(net, net.rms_norm("mixture_norm", x), sizes));
  }
  const Net::Scope scope(net, "head", "head");
  net.output(net.linear("logits", net.rms_norm("norm", x), vocabulary, false));
  return finish(net, options, mode);
}

}  // namespace

Workload moe_workload() {
  using Type = OptionSpec::Type;
  return {
      .name = "moe",
      .summary = "Decoder with a mixture of experts in every layer.",
      .options = with_common_options(
          {{"layers", Type::integer, "4", "Layers.", 1, 1000},
           {"experts", Type::integer, "8", "Experts per layer.", 1, 1024},
           {"chosen", Type::integer, "2", "Experts per token.", 1, 64},
           {"batch", Type::integer, "4", "Texts per step.", 1, 65536},
           {"seq", Type::integer, "1024", "Tokens in a text.", 1, 1e6},
           {"hidden", Type::integer, "4096", "Width of a layer; heads have width 128.", 128, 65536},
           {"inner", Type::integer, "14336", "Width inside an expert.", 1, 1e6},
           {"vocab", Type::integer, "32000", "Words in the vocabulary.", 1, 1e7}},
          "f16"),
      .build = build_moe,
      .expert = split_layers_over_gpus};
}

}  // namespace berth::zoo
