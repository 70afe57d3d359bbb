// Attention as one operator, of ai.onnx and of com.microsoft. Whatever the form of the inputs, the
// work is two products per head over queries and keys with a softmax between them. That a causal
// mask saves half of it is not counted.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "frontends/onnx/ops/elementwise.h"
#include "frontends/onnx/ops/families.h"

namespace berth::onnx {
namespace {

// The sizes that all forms have in common.
struct Heads {
  std::int64_t batch = kUnknown;
  std::int64_t query_heads = kUnknown, key_heads = kUnknown;
  std::int64_t queries = kUnknown, keys = kUnknown;  // in this call
  std::int64_t head_size = kUnknown, value_size = kUnknown;
  std::int64_t past = 0;

  std::int64_t all_keys() const { return add(keys, past); }
};

void count_attention(OpContext& op, const Heads& heads) {
  const double scores = extent(heads.batch) * extent(heads.query_heads) * extent(heads.queries) *
                        extent(heads.all_keys());
  // Per score: two products (with keys and with values) and a softmax, as in normalization.cc.
  op.work(scores * (2 * extent(heads.head_size) + 2 * extent(heads.value_size) + 5));
}

std::int64_t positive(const OpContext& op, std::string_view name) {
  const std::int64_t number = op.attribute(name, kUnknown);
  return number > 0 ? number : kUnknown;
}

// Opset 23. Rank 4 has heads second; rank 3 has them side by side.
void infer_attention(OpContext& op) {
  Heads heads{.batch = op.dim(0, 0)};
  const bool flat = op.ranked(0, 3);
  if (flat) {
    heads.query_heads = positive(op, "q_num_heads");
    heads.key_heads = positive(op, "kv_num_heads");
    heads.queries = op.dim(0, 1);
    heads.keys = op.dim(1, 1);
    heads.head_size = divide(op.dim(0, 2), heads.query_heads);
    heads.value_size = divide(op.dim(2, 2), heads.key_heads);
  } else {
    if (op.ranked(0) && op.rank(0) != 4) op.complain_shape(0, "queries of rank 3 or 4");
    heads.query_heads = op.dim(0, 1);
    heads.key_heads = op.dim(1, 1);
    heads.queries = op.dim(0, 2);
    heads.keys = op.dim(1, 2);
    heads.head_size = op.dim(0, 3);
    heads.value_size = op.dim(2, 3);
  }
  if (op.has(4)) heads.past = op.dim(4, 2);
  const ElementType element = op.element(0);
  if (!op.ranked(0)) {
    op.unranked(0, element);
  } else if (flat) {
    op.tensor(0, element,
              {heads.batch, heads.queries, multiply(heads.query_heads, heads.value_size)});
  } else {
    op.tensor(0, element, {heads.batch, heads.query_heads, heads.queries, heads.value_size});
  }
  op.tensor(1, op.element(1), {heads.batch, heads.key_heads, heads.all_keys(), heads.head_size});
  op.tensor(2, op.element(2), {heads.batch, heads.key_heads, heads.all_keys(), heads.value_size});
  op.tensor(3, element, {heads.batch, heads.query_heads, heads.queries, heads.all_keys()});
  count_attention(op, heads);
}

// com.microsoft.Attention: the projections are part of it. Past and present hold keys and values
// in one tensor of two.
void infer_projected(OpContext& op, std::size_t past_input) {
  const std::int64_t heads_count = positive(op, "num_heads");
  const std::int64_t rows = op.dim(0, 1);
  std::int64_t hidden = divide(op.dim(1, 1), 3), value_hidden = hidden;
  const auto sizes = op.attribute_list("qkv_hidden_sizes");
  if (sizes && sizes->size() == 3) {
    hidden = std::max((*sizes)[0], kUnknown);
    value_hidden = std::max((*sizes)[2], kUnknown);
  }
  Heads heads{.batch = op.dim(0, 0),
              .query_heads = heads_count,
              .key_heads = heads_count,
              .queries = rows,
              .keys = rows,
              .head_size = divide(hidden, heads_count),
              .value_size = divide(value_hidden, heads_count)};
  if (op.has(past_input)) heads.past = op.dim(past_input, 3);
  if (op.ranked(0) && op.rank(0) != 3) op.complain_shape(0, "batch, sequence and features");
  const ElementType element =
      is_real(op.element(0)) ? op.element(0) : op.element(2);  // quantized data has real biases
  op.tensor(0, element, {heads.batch, rows, value_hidden});
  op.tensor(1, element, {2, heads.batch, heads_count, heads.all_keys(), heads.head_size});
  op.work(2 * op.volume_of(0) * extent(op.dim(1, 1)));
  count_attention(op, heads);
}

void infer_microsoft_attention(OpContext& op) { infer_projected(op, 4); }
void infer_quantized_attention(OpContext& op) { infer_projected(op, 8); }

// Output, keys and values with their past, and the scores.
void finish_multi_head(OpContext& op, const Heads& heads) {
  const std::int64_t count = heads.query_heads;
  const ElementType element = op.element(0);
  op.tensor(0, element, {heads.batch, heads.queries, multiply(count, heads.value_size)});
  op.tensor(1, element, {heads.batch, count, heads.all_keys(), heads.head_size});
  op.tensor(2, element, {heads.batch, count, heads.all_keys(), heads.value_size});
  op.tensor(3, element, {heads.batch, count, heads.queries, heads.all_keys()});
  count_attention(op, heads);
}

// com.microsoft.MultiHeadAttention: queries of rank 3, or packed with keys and values as
// batch x sequence x heads x 3 x size; keys of rank 3, packed with values, or with heads second.
void infer_multi_head(OpContext& op) {
  const std::int64_t count = positive(op, "num_heads");
  Heads heads{.batch = op.dim(0, 0), .query_heads = count, .key_heads = count};
  heads.queries = op.dim(0, 1);
  if (op.ranked(0, 5)) {
    heads.head_size = heads.value_size = op.dim(0, 4);
    heads.keys = heads.queries;
  } else {
    heads.head_size = divide(op.dim(0, 2), count);
    heads.keys = op.dim(1, op.ranked(1, 4) ? 2 : 1);
    heads.value_size = op.ranked(1, 5)   ? op.dim(1, 4)
                       : op.ranked(2, 4) ? op.dim(2, 3)
                                         : divide(op.dim(2, 2), count);
  }
  if (op.has(6)) heads.past = op.dim(6, 2);
  finish_multi_head(op, heads);
}

// Decoding step by step, with the past (inputs 5 and 6) in a buffer of full length or grown.
void infer_decoder_multi_head(OpContext& op) {
  const std::int64_t count = positive(op, "num_heads");
  Heads heads{.batch = op.dim(0, 0), .query_heads = count, .key_heads = count};
  heads.queries = op.dim(0, 1);
  heads.keys = op.ranked(1, 4) ? op.dim(1, 2) : op.dim(1, 1);
  heads.head_size = divide(op.dim(0, 2), count);
  heads.value_size = op.ranked(2, 4) ? op.dim(2, 3) : divide(op.dim(2, 2), count);
  const bool shared = op.attribute("past_present_share_buffer", 0) != 0;
  if (op.has(5)) heads.past = op.dim(5, 2);
  if (shared && op.has(5)) heads.keys = 0;
  finish_multi_head(op, heads);
}

// Fewer heads for keys than for queries; queries may come packed with both. The past may be a
// buffer of full length, which then does not grow.
void infer_grouped(OpContext& op) {
  Heads heads{.batch = op.dim(0, 0),
              .query_heads = positive(op, "num_heads"),
              .key_heads = positive(op, "kv_num_heads"),
              .queries = op.dim(0, 1),
              .keys = op.dim(0, 1)};
  const bool packed = !op.has(1);
  const std::int64_t parts =
      packed ? add(heads.query_heads, multiply(2, heads.key_heads)) : heads.query_heads;
  heads.head_size = heads.value_size = divide(op.dim(0, 2), parts);
  const std::int64_t past = op.has(3) ? op.dim(3, 2) : 0;
  heads.past = past;
  // The total length, where the model says it, tells whether the buffer suffices.
  const std::int64_t total = op.has(6) ? op.integer(6).value_or(kUnknown) : kUnknown;
  if (total >= 0 && past >= 0) {
    heads.past = subtract(std::max(total, past), heads.keys);
    if (heads.past < 0 && heads.keys >= 0) heads.past = 0;
  }
  if (op.ranked(0) && op.rank(0) != 3) op.complain_shape(0, "batch, sequence and features");
  const ElementType element = op.element(0);
  const Dims cache = {heads.batch, heads.key_heads, heads.all_keys(), heads.head_size};
  op.tensor(0, element, {heads.batch, heads.queries, multiply(heads.query_heads, heads.head_size)});
  op.tensor(1, element, cache);
  op.tensor(2, element, cache);
  count_attention(op, heads);
}

// Tokens of all sequences one after the other, without padding: tokens x features.
void infer_packed(OpContext& op) {
  const std::int64_t count = positive(op, "num_heads");
  const bool projected = op.type() == "PackedAttention";
  const std::int64_t hidden = projected   ? divide(op.dim(1, 1), 3)
                              : op.has(2) ? op.dim(2, 1)
                                          : multiply(op.dim(0, 1), op.dim(0, 3));
  Heads heads{.batch = 1,
              .query_heads = count,
              .key_heads = count,
              .queries = op.dim(0, 0),
              .keys = op.dim(0, 0),
              .head_size = divide(hidden, count),
              .value_size = divide(hidden, count)};
  if (projected) op.work(2 * op.volume_of(0) * extent(op.dim(1, 1)));
  op.tensor(0, op.element(0), {op.dim(0, 0), hidden});
  count_attention(op, heads);
}

// Outputs: embeddings of tokens, positions and segments added and normalized, the mask's lengths.
void infer_embedding(OpContext& op) {
  const std::int64_t batch = op.dim(0, 0), rows = op.dim(0, 1), hidden = op.dim(2, 1);
  const ElementType element = op.element(2);
  op.tensor(0, element, {batch, rows, hidden});
  op.tensor(1, ElementType::int32, {batch});
  op.tensor(2, element, {batch, rows, hidden});
  op.work(10 * volume(op.out(0).dims));
}

constexpr Operator kOperators[] = {
    {kOnnx, "Attention", infer_attention},
    {kOnnx, "RotaryEmbedding", same_shape<3>},
    {kMicrosoft, "Attention", infer_microsoft_attention},
    {kMicrosoft, "DecoderMaskedMultiHeadAttention", infer_decoder_multi_head},
    {kMicrosoft, "DecoderMaskedSelfAttention", infer_microsoft_attention},
    {kMicrosoft, "EmbedLayerNormalization", infer_embedding},
    {kMicrosoft, "GroupQueryAttention", infer_grouped},
    {kMicrosoft, "MultiHeadAttention", infer_multi_head},
    {kMicrosoft, "PackedAttention", infer_packed},
    {kMicrosoft, "PackedMultiHeadAttention", infer_packed},
    {kMicrosoft, "QAttention", infer_quantized_attention},
    {kMicrosoft, "QEmbedLayerNormalization", infer_embedding},
    {kMicrosoft, "RotaryEmbedding", same_shape<3>},
};

}  // namespace

std::span<const Operator> attention_operators() { return kOperators; }

}  // namespace berth::onnx
