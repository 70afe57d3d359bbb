#include "frontends/onnx/ops/elementwise.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace berth::onnx {

namespace {

// An extent that is only an upper bound yields to the extent it is combined with.
void give_way(Dims& bounds, const Dims& others) {
  const std::size_t shared = std::min(bounds.size(), others.size());
  for (std::size_t back = 1; back <= shared; ++back) {
    std::int64_t& dim = bounds[bounds.size() - back];
    const std::int64_t other = others[others.size() - back];
    if (differ(dim, other) && dim != 1 && other != 1) dim = kUnknown;
  }
}

}  // namespace

std::optional<Dims> broadcast_inputs(OpContext& op, std::size_t first, std::size_t count) {
  Dims shape;
  bool is_bound = false;
  for (std::size_t index = first; index < first + count; ++index) {
    if (!op.ranked(index)) return std::nullopt;
    Dims dims = op.dims(index);
    if (op.in(index).is_bound) {
      give_way(dims, shape);
    } else if (is_bound) {
      give_way(shape, dims);
    }
    is_bound = is_bound || op.in(index).is_bound;
    auto joined = broadcast(shape, dims);
    if (!joined) {
      op.complain(fmt::format("was given {} and {}; expected shapes that broadcast to one",
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
