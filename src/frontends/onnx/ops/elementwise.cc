#include "frontends/onnx/ops/elementwise.h"

#include <fmt/format.h>

#include <utility>

namespace berth::onnx {

std::optional<Dims> broadcast_inputs(OpContext& op, std::size_t first, std::size_t count) {
  Dims shape;
  for (std::size_t index = first; index < first + count; ++index) {
    if (!op.ranked(index)) return std::nullopt;
    auto joined = broadcast(shape, op.dims(index));
    if (!joined) {
      op.complain(
          fmt::format("was given {} and {}, where shapes that broadcast to one would be right",
                      text_of(shape), text_of(op.dims(index))));
      return std::nullopt;
    }
    shape = std::move(*joined);
  }
  return shape;
}

void set_broadcast(OpContext& op, ElementType element, std::size_t first, std::size_t count,
                   double flops) {
  auto shape = broadcast_inputs(op, first, count);
  if (!shape) {
    op.unranked(0, element);
    return;
  }
  op.work(flops * volume(*shape));
  op.tensor(0, element, std::move(*shape));
}

void set_unary(OpContext& op, double flops) {
  op.like(0, 0);
  if (op.ranked(0)) op.work(flops * op.volume_of(0));
}

}  // namespace berth::onnx
