// What the transformer workloads share (Vaswani et al. 2017): multi-head attention and the
// feed-forward block, op by op. Tensors are [batch, positions, width].
#pragma once

#include "zoo/net.h"

namespace berth::zoo {

struct Attention {
  std::int64_t heads = 8;
  std::int64_t key_heads = 0;   // fewer heads for keys and values; 0: as many
  std::int64_t head_width = 0;  // 0: width / heads
  bool bias = true;
  bool output_bias = false;  // on the last projection even where the others have none
  bool masked = false;       // each position sees itself and those before
  bool rotary = false;       // positions by rotation of queries and keys
};

// Attention of `x` to `memory` (the same for self-attention), projections included.
Value attention(Net& net, std::string_view name, const Value& x, const Value& memory,
                const Attention& options);

// Two products with an activation between; gated ("SwiGLU") with three.
Value feed_forward(Net& net, std::string_view name, const Value& x, std::int64_t inner,
                   std::string_view activation, bool bias = true);
Value gated_feed_forward(Net& net, std::string_view name, const Value& x, std::int64_t inner);

}  // namespace berth::zoo
