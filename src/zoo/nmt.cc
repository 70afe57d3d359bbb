// zoo:nmt and zoo:gnmt, translation by stacked LSTM layers with attention, unrolled step by step.
//
// nmt (Bahdanau et al. 2014, Luong et al. 2015, as placed by ColocRL, HDP and Placeto): encoder and
// decoder of `layers` layers each; the decoder reads the word before and the attention before
// (input feeding); attention over all encoder states; a softmax over the vocabulary at every step.
// The papers give layers and batch; 1,024 units, 40 words and 32,000 word pieces are the usual
// choice for WMT'14.
//
// gnmt (Wu et al. 2016, as placed by GO and Mars): the first encoder layer runs both ways, layers
// from the third on have residual connections, the attention is asked by the first decoder layer
// and its answer goes into every decoder layer.
#include <fmt/format.h>

#include "zoo/expert.h"
#include "zoo/recurrent.h"
#include "zoo/workload_list.h"

namespace berth::zoo {
namespace {

struct Sizes {
  std::int64_t layers, batch, steps, units, vocabulary;
};

class Translator {
 public:
  Translator(Net& net, const Sizes& sizes, bool google)
      : net_(net), sizes_(sizes), google_(google) {}

  void build() {
    std::vector<Value> source = embed("source");
    encode(source);
    std::vector<Value> target = embed("target");
    decode(target);
  }

 private:
  std::vector<Value> embed(const std::string& side) {
    const Net::Scope scope(net_, "embedding", "embedding");
    const Net::Scope inner(net_, side);
    const Value table = net_.weight("table", {sizes_.vocabulary, sizes_.units});
    std::vector<Value> words;
    for (std::int64_t t = 0; t < sizes_.steps; ++t) {
      const Value word = net_.input(fmt::format("word_{}", t), {sizes_.batch}, DType::i32);
      words.push_back(net_.gather(fmt::format("lookup_{}", t), table, word));
    }
    return words;
  }

  // Runs one layer over the sequence in place, forwards or backwards.
  void run_layer(const std::string& name, std::vector<Value>& sequence, bool backwards,
                 bool residual) {
    const Net::Scope scope(net_, name);
    const LstmWeights weights = lstm_weights(net_, sequence.front().dim(-1), sizes_.units);
    LstmState state = lstm_zeros(net_, sizes_.batch, sizes_.units);
    for (std::int64_t i = 0; i < sizes_.steps; ++i) {
      const std::int64_t t = backwards ? sizes_.steps - 1 - i : i;
      Value& x = sequence[static_cast<std::size_t>(t)];
      state = lstm_step(net_, fmt::format("step_{}", t), weights, x, state);
      x = residual ? net_.add(fmt::format("residual_{}", t), x, state.hidden) : state.hidden;
    }
  }

  void encode(std::vector<Value>& sequence) {
    for (std::int64_t layer = 0; layer < sizes_.layers; ++layer) {
      const std::string label = fmt::format("encoder_{}", layer);
      const Net::Scope scope(net_, label, label);
      if (google_ && layer == 0) {
        std::vector<Value> reversed = sequence;
        run_layer("forward", sequence, false, false);
        run_layer("backward", reversed, true, false);
        for (std::size_t t = 0; t < sequence.size(); ++t) {
          sequence[t] = net_.concat(fmt::format("both_ways_{}", t), {sequence[t], reversed[t]}, -1);
        }
      } else {
        run_layer("lstm", sequence, false, google_ && layer >= 2);
      }
    }
    const Net::Scope scope(net_, "attention", "attention");
    for (std::size_t t = 0; t < sequence.size(); ++t) {
      sequence[t] = net_.reshape(fmt::format("state_{}", t), sequence[t],
                                 {sizes_.batch, 1, sequence[t].dim(-1)});
    }
    memory_ = net_.concat("memory", sequence, 1);
    const Value weights = net_.weight("memory_weights", {memory_.dim(-1), sizes_.units});
    keys_ = net_.transpose("keys", net_.matmul("memory_product", memory_, weights), {0, 2, 1});
    context_weights_ =
        net_.weight("context_weights", {memory_.dim(-1) + sizes_.units, sizes_.units});
  }

  // What the memory answers to a query [batch, units].
  Value attend(std::int64_t step, const Value& query) {
    const Net::Scope scope(net_, "attention", "attention");
    const Net::Scope inner(net_, fmt::format("step_{}", step));
    const Value asked = net_.reshape("query", query, {sizes_.batch, 1, sizes_.units});
    const Value weights = net_.softmax("weights", net_.matmul("scores", asked, keys_));
    const Value answer = net_.matmul("answer", weights, memory_);
    const Value context = net_.reshape("context", answer, {sizes_.batch, memory_.dim(-1)});
    const Value joined = net_.concat("joined", {context, query}, -1);
    return net_.tanh("output", net_.matmul("product", joined, context_weights_));
  }

  void decode(const std::vector<Value>& words) {
    std::vector<LstmWeights> weights;
    std::vector<LstmState> states;
    Value attention;
    for (std::int64_t layer = 0; layer < sizes_.layers; ++layer) {
      const std::string label = fmt::format("decoder_{}", layer);
      const Net::Scope scope(net_, label, label);
      const bool fed = google_ || layer == 0;
      weights.push_back(lstm_weights(net_, (fed ? 2 : 1) * sizes_.units, sizes_.units));
      states.push_back(lstm_zeros(net_, sizes_.batch, sizes_.units));
      if (layer == 0) attention = net_.constant("no_attention", {sizes_.batch, sizes_.units});
    }
    Value softmax_weights, softmax_bias;
    {
      const Net::Scope scope(net_, "softmax", "softmax");
      softmax_weights = net_.weight("weights", {sizes_.units, sizes_.vocabulary});
      softmax_bias = net_.weight("bias", {sizes_.vocabulary});
    }
    for (std::int64_t t = 0; t < sizes_.steps; ++t) {
      Value x = words[static_cast<std::size_t>(t)];
      for (std::int64_t layer = 0; layer < sizes_.layers; ++layer) {
        const std::string label = fmt::format("decoder_{}", layer);
        const Net::Scope scope(net_, label, label);
        x = decode_layer(static_cast<std::size_t>(layer), t, x, attention, weights, states);
        if (google_ && layer == 0) attention = attend(t, x);
      }
      if (!google_) x = attention = attend(t, x);
      const Net::Scope scope(net_, fmt::format("softmax/step_{}", t), "softmax");
      net_.output(net_.add("logits", net_.matmul("matmul", x, softmax_weights), softmax_bias));
    }
  }

  Value decode_layer(std::size_t layer, std::int64_t t, const Value& x, const Value& attention,
                     const std::vector<LstmWeights>& weights, std::vector<LstmState>& states) {
    const bool fed = google_ || layer == 0;
    const Value input = fed ? net_.concat(fmt::format("fed_{}", t), {x, attention}, -1) : x;
    states[layer] =
        lstm_step(net_, fmt::format("step_{}", t), weights[layer], input, states[layer]);
    if (!google_ || layer < 2) return states[layer].hidden;
    return net_.add(fmt::format("residual_{}", t), x, states[layer].hidden);
  }

  Net& net_;
  Sizes sizes_;
  bool google_;
  Value memory_, keys_, context_weights_;
};

Workload translation(const std::string& name, bool google, std::string_view layers,
                     std::string_view batch, std::string summary) {
  using Type = OptionSpec::Type;
  return {.name = name,
          .summary = std::move(summary),
          .options = with_common_options(
              {{"layers", Type::integer, std::string(layers),
                "Layers of the encoder and of the decoder.", 1, 64},
               {"batch", Type::integer, std::string(batch), "Sentences per step.", 1, 65536},
               {"seq", Type::integer, "40", "Words in a sentence.", 1, 2000},
               {"hidden", Type::integer, "1024", "Width of a layer.", 1, 65536},
               {"vocab", Type::integer, "32000", "Words in the vocabulary.", 1, 1e7}}),
          .build =
              [name, google](const Options& options, Mode mode) {
                Net net(name);
                Translator(net,
                           {.layers = options.integer("layers"),
                            .batch = options.integer("batch"),
                            .steps = options.integer("seq"),
                            .units = options.integer("hidden"),
                            .vocabulary = options.integer("vocab")},
                           google)
                    .build();
                return finish(net, options, mode);
              },
          .expert = one_gpu_a_recurrent_layer};
}

}  // namespace

Workload nmt_workload() {
  return translation("nmt", false, "4", "64",
                     "Translation by stacked LSTM layers with attention, unrolled.");
}

Workload gnmt_workload() {
  return translation(
      "gnmt", true, "4", "128",
      "Google's translator: bidirectional layer, residuals, attention fed to all layers.");
}

}  // namespace berth::zoo
