#include "zoo/transformer.h"

namespace berth::zoo {
namespace {

// [batch, positions, heads x width] -> [batch, heads, positions, width]
Value to_heads(Net& net, std::string_view name, const Value& x, std::int64_t heads) {
  const Net::Scope scope(net, name);
  const Value parts = net.reshape("reshape", x, {x.dim(0), x.dim(1), heads, x.dim(2) / heads});
  return net.transpose("transpose", parts, {0, 2, 1, 3});
}

Value rotate(Net& net, std::string_view name, const Value& x) {
  return net.custom("RotaryEmbedding", name, {x}, x.shape, 6.0 * x.elements());
}

// Several query heads share one head of keys or values.
Value repeat_heads(Net& net, std::string_view name, const Value& x, std::int64_t heads) {
  if (x.dim(1) == heads) return x;
  return net.custom("Tile", name, {x}, {x.dim(0), heads, x.dim(2), x.dim(3)}, 0);
}

}  // namespace

Value attention(Net& net, std::string_view name, const Value& x, const Value& memory,
                const Attention& options) {
  const Net::Scope scope(net, name);
  const std::int64_t heads = options.heads;
  const std::int64_t key_heads = options.key_heads > 0 ? options.key_heads : heads;
  const std::int64_t width = options.head_width > 0 ? options.head_width : x.dim(-1) / heads;
  Value query =
      to_heads(net, "query_heads", net.linear("query", x, heads * width, options.bias), heads);
  Value key = to_heads(net, "key_heads", net.linear("key", memory, key_heads * width, options.bias),
                       key_heads);
  Value value = to_heads(net, "value_heads",
                         net.linear("value", memory, key_heads * width, options.bias), key_heads);
  if (options.rotary) {
    query = rotate(net, "query_rotary", query);
    key = rotate(net, "key_rotary", key);
  }
  key = repeat_heads(net, "key_repeat", key, heads);
  value = repeat_heads(net, "value_repeat", value, heads);
  Value scores = net.matmul("scores", query, net.transpose("key_transpose", key, {0, 1, 3, 2}));
  scores = net.mul("scale", scores, net.constant("scale_factor", {1}));
  if (options.masked) {
    scores = net.add("mask", scores, net.constant("mask_bias", {x.dim(1), memory.dim(1)}));
  }
  const Value mixed = net.matmul("mix", net.softmax("softmax", scores), value);
  const Value back = net.transpose("merge_transpose", mixed, {0, 2, 1, 3});
  const Value merged = net.reshape("merge", back, {x.dim(0), x.dim(1), heads * width});
  return net.linear("output", merged, x.dim(-1), options.bias || options.output_bias);
}

Value feed_forward(Net& net, std::string_view name, const Value& x, std::int64_t inner,
                   std::string_view activation, bool bias) {
  const Net::Scope scope(net, name);
  const Value hidden = net.unary(activation, "activation", net.linear("expand", x, inner, bias));
  return net.linear("contract", hidden, x.dim(-1), bias);
}

Value gated_feed_forward(Net& net, std::string_view name, const Value& x, std::int64_t inner) {
  const Net::Scope scope(net, name);
  const Value gate = net.unary("Swish", "activation", net.linear("gate", x, inner, false));
  const Value gated = net.mul("gated", gate, net.linear("expand", x, inner, false));
  return net.linear("contract", gated, x.dim(-1), false);
}

}  // namespace berth::zoo
