// zoo:gpt, decoders that continue a text. Sizes of GPT-2 (Radford et al. 2019): learned positions,
// layer norm, GELU, the embedding's table again as the last product; 1,557,611,200 parameters at
// `xl`. Sizes of LLaMA (Touvron et al. 2023): rotary positions, RMS norm, gated feed-forward, no
// biases, a last product of its own; 6,738,415,616 parameters at `7b`. In inference the graph is
// that of one pass over the prompt.
#include <fmt/format.h>

#include <array>

#include "zoo/expert.h"
#include "zoo/transformer.h"
#include "zoo/workload_list.h"

namespace berth::zoo {
namespace {

struct Size {
  std::string_view name;
  bool llama;
  std::int64_t layers, width, heads, inner, vocabulary;
};
constexpr std::array<Size, 6> kSizes = {{
    {"small", false, 12, 768, 12, 3072, 50257},
    {"medium", false, 24, 1024, 16, 4096, 50257},
    {"large", false, 36, 1280, 20, 5120, 50257},
    {"xl", false, 48, 1600, 25, 6400, 50257},
    {"7b", true, 32, 4096, 32, 11008, 32000},
    {"13b", true, 40, 5120, 40, 13824, 32000},
}};
constexpr std::int64_t kPositions = 1024;  // that GPT-2 learns

Value decoder_layer(Net& net, const Size& size, const Value& x) {
  const Attention self{
      .heads = size.heads, .bias = !size.llama, .masked = true, .rotary = size.llama};
  const auto norm = [&](std::string_view name, const Value& value) {
    return size.llama ? net.rms_norm(name, value) : net.layer_norm(name, value);
  };
  const Value normed = norm("attention_norm", x);
  const Value attended =
      net.add("attention_residual", x, attention(net, "attention", normed, normed, self));
  const Value second = norm("feed_forward_norm", attended);
  const Value fed = size.llama ? gated_feed_forward(net, "feed_forward", second, size.inner)
                               : feed_forward(net, "feed_forward", second, size.inner, "Gelu");
  return net.add("feed_forward_residual", attended, fed);
}

Graph build_gpt(const Options& options, Mode mode) {
  const std::string& wanted = options.text("size");
  const Size& size = *std::find_if(kSizes.begin(), kSizes.end(),
                                   [&](const Size& candidate) { return candidate.name == wanted; });
  const std::int64_t batch = options.integer("batch");
  const std::int64_t seq = options.integer("seq");
  Net net("gpt");
  Value x, table;
  {
    const Net::Scope scope(net, "embedding", "embedding");
    table = net.weight("words", {size.vocabulary, size.width});
    x = net.gather("word", table, net.input("ids", {batch, seq}, DType::i32));
    if (!size.llama) {
      const Value places = net.embedding("position", net.input("positions", {seq}, DType::i32),
                                         std::max(kPositions, seq), size.width);
      x = net.add("add_positions", x, places);
    }
  }
  for (std::int64_t layer = 0; layer < size.layers; ++layer) {
    const std::string label = fmt::format("layer_{}", layer);
    const Net::Scope scope(net, label, label);
    x = decoder_layer(net, size, x);
  }
  const Net::Scope scope(net, "head", "head");
  x = size.llama ? net.rms_norm("norm", x) : net.layer_norm("norm", x);
  net.output(size.llama ? net.linear("logits", x, size.vocabulary, false)
                        : net.matmul("logits", x, net.transpose("table_transpose", table, {1, 0})));
  return finish(net, options, mode);
}

}  // namespace

Workload gpt_workload() {
  using Type = OptionSpec::Type;
  std::vector<std::string> names;
  for (const Size& size : kSizes) names.emplace_back(size.name);
  return {
      .name = "gpt",
      .summary = "Decoders that continue a text: GPT-2 up to xl, LLaMA 7b and 13b.",
      .options = with_common_options({{.name = "size",
                                       .type = Type::choice,
                                       .default_value = "xl",
                                       .sentence = "GPT-2 small to xl, LLaMA 7b or 13b.",
                                       .choices = names},
                                      {"batch", Type::integer, "4", "Texts per step.", 1, 65536},
                                      {"seq", Type::integer, "1024", "Tokens in a text.", 1, 1e6}},
                                     "f16"),
      .build = build_gpt,
      .expert = split_layers_over_gpus};
}

}  // namespace berth::zoo
