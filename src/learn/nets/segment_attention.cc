#include "learn/nets/segment_attention.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace berth::learn {

SegmentAttention::SegmentAttention(const AttentionSettings& settings) : settings_(settings) {
  const std::int64_t width = settings.width;
  if (settings.modulated) {
    attention_gate_ = part("attention_gate", Linear(width, width));
    feed_gate_ = part("feed_gate", Linear(width, width));
  }
  attention_norm_ = part("attention_norm", LayerNorm(width));
  feed_norm_ = part("feed_norm", LayerNorm(width));
  query_ = part("query", Linear(width, width));
  key_ = part("key", Linear(width, width));
  value_ = part("value", Linear(width, width));
  output_ = part("output", Linear(width, width, settings.output_scale));
  hidden_ = part("hidden", Linear(width, 2 * width));
  back_ = part("back", Linear(2 * width, width, settings.output_scale));
}

Tensor SegmentAttention::gated(const Tensor& items, const Tensor& graph, const Linear& gate,
                               const LayerNorm& norm) const {
  return norm(settings_.modulated ? items * gate(graph).sigmoid() : items);
}

Tensor SegmentAttention::attend(const Tensor& items) const {
  const std::int64_t sequences = items.size(0);
  const std::int64_t count = items.size(1);
  if (count == 0) return items;
  const std::int64_t most = settings_.segment == 0 ? count : settings_.segment;
  const std::int64_t segments = (count + most - 1) / most;
  const std::int64_t length = (count + segments - 1) / segments;  // all alike: little is padding
  const std::int64_t heads = settings_.heads;
  const std::int64_t width = settings_.width / heads;
  const auto split = [&](const Tensor& all) {  // [sequences, segments, heads, length, width]
    return at::constant_pad_nd(all, {0, 0, 0, segments * length - count})
        .view({sequences, segments, length, heads, width})
        .transpose(2, 3);
  };
  // Every segment but the first has the one before it as memory.
  const auto before = [&](const Tensor& all) {
    return at::cat({torch::zeros_like(all.narrow(1, 0, 1)), all.narrow(1, 0, segments - 1)}, 1);
  };
  const auto flat = [&](const Tensor& all) {
    return all.reshape({sequences * segments * heads, -1, width});
  };
  Tensor keys = split(key_(items));
  Tensor values = split(value_(items));
  Tensor missing = torch::arange(segments * length, at::kLong).ge(count).view({segments, length});
  if (segments > 1) {
    const Tensor memory = items.detach();
    keys = at::cat({before(split(key_(memory))), keys}, 3);
    values = at::cat({before(split(value_(memory))), values}, 3);
    Tensor not_before = torch::zeros({segments, length}, at::kBool);
    not_before.select(0, 0).fill_(true);
    missing = at::cat({not_before, missing}, 1);
  }
  // What is missing gets no weight by what the product is added to: scores are the largest numbers
  // here, and every operation of their own on them costs as much as the product.
  const Tensor absent = torch::zeros(missing.sizes(), items.options())
                            .masked_fill_(missing, -std::numeric_limits<float>::max())
                            .repeat_interleave(heads, 0)
                            .repeat({sequences, 1})
                            .unsqueeze(1);
  const Tensor queries = flat(split(query_(items)));
  const Tensor scores = at::baddbmm(absent, queries, flat(keys).transpose(1, 2), 1,
                                    1 / std::sqrt(static_cast<double>(width)));
  return output_(scores.softmax(-1)
                     .bmm(flat(values))
                     .view({sequences, segments, heads, length, width})
                     .transpose(2, 3)
                     .reshape({sequences, segments * length, settings_.width})
                     .narrow(1, 0, count));
}

Tensor SegmentAttention::operator()(const Tensor& items, const Tensor& graph) const {
  const Tensor heard = items + attend(gated(items, graph, attention_gate_, attention_norm_));
  return heard + back_(hidden_(gated(heard, graph, feed_gate_, feed_norm_)).relu());
}

}  // namespace berth::learn
