// zoo:bert (Devlin et al. 2019). Base: 12 layers of width 768; large: 24 of 1,024. With the head
// for pre-training the word at every seventh position (15%) is predicted, by the table of the
// embedding itself; with the one for questions, begin and end of the answer. Parameters are those
// of the encoder with pooler: 109,482,240 and 335,141,888.
#include <fmt/format.h>

#include "zoo/expert.h"
#include "zoo/transformer.h"
#include "zoo/workload_list.h"

namespace berth::zoo {
namespace {

constexpr std::int64_t kVocabulary = 30522;
constexpr std::int64_t kPositions = 512;

void predict_words(Net& net, const Value& x, const Value& table, std::int64_t masked) {
  const Net::Scope scope(net, "head", "head");
  const Value rows = net.reshape("rows", x, {x.dim(0) * x.dim(1), x.dim(2)});
  const Value places = net.input("masked_positions", {x.dim(0) * masked}, DType::i32);
  const Value words = net.gather("masked", rows, places);
  net.output(net.matmul("logits", words, net.transpose("table_transpose", table, {1, 0})));
}

Graph build_bert(const Options& options, Mode mode) {
  const bool large = options.text("size") == "large";
  const std::int64_t width = large ? 1024 : 768;
  const std::int64_t layers = large ? 24 : 12;
  const std::int64_t batch = options.integer("batch");
  const std::int64_t seq = options.integer("seq");
  const Attention self{.heads = large ? 16 : 12};

  Net net("bert");
  Value x, table;
  {
    const Net::Scope scope(net, "embedding", "embedding");
    table = net.weight("words", {kVocabulary, width});
    const Value words = net.gather("word", table, net.input("ids", {batch, seq}, DType::i32));
    const Value kinds =
        net.embedding("kind", net.input("kinds", {batch, seq}, DType::i32), 2, width);
    const Value places =
        net.embedding("position", net.input("positions", {seq}, DType::i32), kPositions, width);
    x = net.layer_norm("norm",
                       net.add("add_positions", net.add("add_kinds", words, kinds), places));
  }
  for (std::int64_t layer = 0; layer < layers; ++layer) {
    const std::string label = fmt::format("layer_{}", layer);
    const Net::Scope scope(net, label, label);
    const Value attended = attention(net, "attention", x, x, self);
    x = net.layer_norm("attention_norm", net.add("attention_residual", x, attended));
    const Value fed = feed_forward(net, "feed_forward", x, 4 * width, "Gelu");
    x = net.layer_norm("feed_forward_norm", net.add("feed_forward_residual", x, fed));
  }
  const bool questions = options.text("head") == "qa";
  if (questions) {
    const Net::Scope scope(net, "head", "head");
    net.output(net.transpose("spans", net.linear("span", x, 2), {0, 2, 1}));
  } else {
    predict_words(net, x, table, std::max<std::int64_t>(1, seq * 15 / 100));
    const Net::Scope scope(net, "pooler", "head");
    const Value first = net.reshape("first_row", net.slice("first", x, 1, 1), {batch, width});
    net.output(net.tanh("tanh", net.linear("dense", first, width)));
  }
  return finish(net, options, mode);
}

}  // namespace

Workload bert_workload() {
  using Type = OptionSpec::Type;
  return {.name = "bert",
          .summary = "BERT, base or large, for pre-training or question answering.",
          .options = with_common_options(
              {{.name = "size",
                .type = Type::choice,
                .default_value = "base",
                .sentence = "12 layers of width 768, or 24 of 1,024.",
                .choices = {"base", "large"}},
               {"batch", Type::integer, "24", "Sequences per step.", 1, 65536},
               {"seq", Type::integer, "384", "Words in a sequence.", 1, kPositions},
               {.name = "head",
                .type = Type::choice,
                .default_value = "mlm",
                .sentence = "Predicts masked words, or spans that answer questions.",
                .choices = {"mlm", "qa"}}}),
          .build = build_bert,
          .expert = split_layers_over_gpus};
}

}  // namespace berth::zoo
