// Attention over a long sequence in segments (Transformer-XL, Dai et al. 2019, without positions,
// as GO uses it): an item attends to the items of its own segment and of the one before. The one
// before is read without gradients. So the cost grows with the length of the sequence and not with
// its square. One segment that covers all items is full attention.
//
// What a layer reads of the segment before is that segment's input to the same layer, so all
// segments of a layer are computed at once.
//
// Feature modulation (GO's superposition): what goes into attention and into the feed-forward part
// is multiplied by a gate computed from an embedding of the whole graph, then normalized:
// LN(x * sigmoid(W g)). So one network behaves differently on different families of graphs.
#pragma once

#include "learn/nets/module.h"

namespace berth::learn {

struct AttentionSettings {
  std::int64_t width = 0;  // a multiple of heads
  std::int64_t heads = 1;
  std::int64_t segment = 0;  // items; 0 for one segment that covers all
  bool modulated = false;
  // Of the initial weights by which a layer changes its items. With 1, encoder_placer with
  // preset=paper and lr=0.001 stays at 1.73 ms on 60 ops and 2xP100 (6,000 evaluations, entropy=0);
  // with 0.1 it reaches 1.31, as it does without any layer (4,000, entropy=0.001). One run each;
  // with lr=0.003 neither leaves 1.71.
  double output_scale = 1;
};

class SegmentAttention : public Module {
 public:
  SegmentAttention() = default;
  explicit SegmentAttention(const AttentionSettings& settings);

  // items: [sequences, items, width]; graph: [sequences, 1, width]. The result is of the items'
  // size.
  Tensor operator()(const Tensor& items, const Tensor& graph) const;

 private:
  Tensor gated(const Tensor& items, const Tensor& graph, const Linear& gate,
               const LayerNorm& norm) const;
  Tensor attend(const Tensor& items) const;

  AttentionSettings settings_;
  Linear attention_gate_, feed_gate_;
  LayerNorm attention_norm_, feed_norm_;
  Linear query_, key_, value_, output_;
  Linear hidden_, back_;
};

}  // namespace berth::learn
