// Gathering and scattering by index. Folded where data and indices are small: models pick the
// dimensions of a shape apart with Gather.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "frontends/onnx/ops/families.h"
#include "frontends/onnx/ops/fold.h"

namespace berth::onnx {
namespace {

// An index into an axis, counted from the front; -1 for what is unknown or outside.
std::int64_t place_of(std::int64_t index, std::int64_t extent) {
  if (!is_known(index) || index < -extent || index >= extent) return -1;
  return index < 0 ? index + extent : index;
}

void fold_gather(OpContext& op, std::size_t axis) {
  const auto indices = op.integers(1);
  Value& value = op.out(0);
  if (!op.in(0).contents || !indices || !is_small(value) || value.elements() == 0) return;
  const std::span<const std::int64_t> dims = op.dims(0);
  const std::int64_t before = product(dims.first(axis));
  const std::int64_t after = product(dims.subspan(axis + 1));
  std::vector<std::int64_t> picks;
  for (std::int64_t outer = 0; outer < before; ++outer) {
    for (const std::int64_t index : *indices) {
      const std::int64_t place = place_of(index, dims[axis]);
      for (std::int64_t inner = 0; inner < after; ++inner) {
        picks.push_back(place < 0 ? -1 : (outer * dims[axis] + place) * after + inner);
      }
    }
  }
  value.contents = pick(*op.in(0).contents, picks);
}

void infer_gather(OpContext& op) {
  op.unranked(0, op.element(0));
  if (!op.ranked(0) || !op.ranked(1)) return;
  const auto axis = axis_of(op.attribute("axis", 0), op.rank(0));
  if (!axis) {
    op.complain_shape(0, fmt::format("a tensor with axis {}", op.attribute("axis", 0)));
    return;
  }
  Dims dims = op.dims(0);
  const auto place = dims.begin() + static_cast<std::ptrdiff_t>(*axis);
  const auto rest = dims.erase(place);
  dims.insert(rest, op.dims(1).begin(), op.dims(1).end());
  op.tensor(0, op.element(0), std::move(dims));
  fold_gather(op, static_cast<std::size_t>(*axis));
}

// For each element of the indices, the element of the data at its place with one coordinate
// replaced by the index.
std::vector<std::int64_t> element_places(const Dims& data, const Dims& indices_dims,
                                         const Dims& indices, std::size_t axis) {
  const Dims strides = strides_of(data);
  Dims others = strides;
  others[axis] = 0;
  std::vector<std::int64_t> places = walk(indices_dims, others);
  for (std::size_t element = 0; element < places.size() && element < indices.size(); ++element) {
    const std::int64_t place = place_of(indices[element], data[axis]);
    places[element] = place < 0 ? -1 : places[element] + place * strides[axis];
  }
  return places;
}

// Whether indices have the data's rank and, but for one axis, fit inside it.
bool fits_inside(const Dims& inner, const Dims& outer, std::size_t but) {
  if (inner.size() != outer.size()) return false;
  for (std::size_t axis = 0; axis < inner.size(); ++axis) {
    if (axis != but && inner[axis] > outer[axis]) return false;
  }
  return true;
}

void infer_gather_elements(OpContext& op) {
  op.like(0, 1, op.element(0));
  const auto axis = axis_of(op.attribute("axis", 0), op.rank(0));
  if (!op.ranked(0) || !op.ranked(1)) return;
  if (!axis || op.rank(1) != op.rank(0)) {
    op.complain_shape(1, fmt::format("indices of rank {}", op.rank(0)));
    return;
  }
  const auto indices = op.integers(1);
  const auto place = static_cast<std::size_t>(*axis);
  if (!indices || !op.in(0).contents || !fits_inside(op.dims(1), op.dims(0), place)) return;
  op.out(0).contents =
      pick(*op.in(0).contents, element_places(op.dims(0), op.dims(1), *indices, place));
}

// What GatherND and ScatterND share: tuples of indices along the last axis name blocks.
struct Blocks {
  std::size_t batch = 0;  // axes in common
  std::size_t depth = 0;  // length of a tuple
  Dims dims;              // of all blocks that are named together
};

std::optional<Blocks> blocks_of(OpContext& op, std::size_t batch) {
  if (!op.ranked(0) || !op.ranked(1) || op.rank(1) == 0) return std::nullopt;
  const std::int64_t depth = op.dim(1, -1);
  if (depth < 0) return std::nullopt;
  const auto room = static_cast<std::int64_t>(op.rank(0)) - static_cast<std::int64_t>(batch);
  if (batch >= op.rank(1) || depth > room) {
    op.complain_shape(1,
                      fmt::format("tuples of at most {} indices", std::max<std::int64_t>(room, 0)));
    return std::nullopt;
  }
  Blocks blocks{.batch = batch, .depth = static_cast<std::size_t>(depth), .dims = op.dims(1)};
  blocks.dims.pop_back();
  const auto start = op.dims(0).begin() + static_cast<std::ptrdiff_t>(batch + blocks.depth);
  blocks.dims.insert(blocks.dims.end(), start, op.dims(0).end());
  return blocks;
}

// The element of the data for every element of the blocks.
std::vector<std::int64_t> block_places(const Dims& data, const Dims& indices,
                                       const Dims& index_dims, const Blocks& blocks) {
  const Dims strides = strides_of(data);
  const std::span<const std::int64_t> all = data;
  const std::int64_t block = product(all.subspan(blocks.batch + blocks.depth));
  const std::int64_t inside = product(
      std::span(index_dims).subspan(blocks.batch).first(index_dims.size() - blocks.batch - 1));
  const std::int64_t batch_stride = product(all.subspan(blocks.batch));
  const std::int64_t tuples = product(std::span(index_dims).first(index_dims.size() - 1));
  std::vector<std::int64_t> places;
  // Tuples of no indices, or blocks of a tensor without elements: there can be any number.
  if (tuples > kMaxContents || block > kMaxContents) return {};
  for (std::int64_t tuple = 0; tuple < tuples; ++tuple) {
    std::int64_t start = inside > 0 ? tuple / inside * batch_stride : 0;
    for (std::size_t level = 0; level < blocks.depth && start >= 0; ++level) {
      const auto at = static_cast<std::size_t>(tuple) * blocks.depth + level;
      const std::size_t axis = blocks.batch + level;
      const std::int64_t place =
          at < indices.size() ? place_of(indices[at], data[axis]) : std::int64_t{-1};
      start = place < 0 ? -1 : start + place * strides[axis];
    }
    for (std::int64_t element = 0; element < block; ++element) {
      places.push_back(start < 0 ? -1 : start + element);
    }
    if (static_cast<std::int64_t>(places.size()) > kMaxContents) return {};
  }
  return places;
}

void infer_gather_nd(OpContext& op) {
  op.unranked(0, op.element(0));
  const std::int64_t batch = op.attribute("batch_dims", 0);
  if (batch < 0 || batch > static_cast<std::int64_t>(kMaxRank)) {
    op.complain("has more batch_dims than the rank of the data; expected fewer");
    return;
  }
  const auto blocks = blocks_of(op, static_cast<std::size_t>(batch));
  if (!blocks) return;
  Value& value = op.tensor(0, op.element(0), blocks->dims);
  const auto indices = op.integers(1);
  if (!indices || !op.in(0).contents || !is_small(value) || !op.in(1).has_shape()) return;
  const auto places = block_places(op.dims(0), *indices, op.dims(1), *blocks);
  if (static_cast<std::int64_t>(places.size()) != value.elements()) return;
  value.contents = pick(*op.in(0).contents, places);
}

// Writes updates to their places in a copy of the data. With a reduction, or a place that is not
// known, nothing is known any more.
void fold_scatter(OpContext& op, std::span<const std::int64_t> places) {
  auto contents = contents_or_unknown(op.in(0));
  const auto updates = contents_or_unknown(op.in(2));
  if (!contents || !updates || op.attribute_text("reduction", "none") != "none") return;
  if (static_cast<std::int64_t>(places.size()) != op.in(2).elements()) return;
  for (std::size_t element = 0; element < places.size(); ++element) {
    const std::int64_t place = places[element];
    if (place < 0) return;
    const auto target = static_cast<std::size_t>(place);
    if (target < contents->integers.size() && element < updates->integers.size()) {
      contents->integers[target] = updates->integers[element];
    } else if (target < contents->reals.size() && element < updates->reals.size()) {
      contents->reals[target] = updates->reals[element];
    } else {
      return;
    }
  }
  op.out(0).contents = std::move(contents);
}

void infer_scatter_elements(OpContext& op) {
  op.like(0, 0);
  if (op.attribute_text("reduction", "none") != "none") op.work(op.volume_of(2));
  const auto axis = axis_of(op.attribute("axis", 0), op.rank(0));
  const auto indices = op.integers(1);
  if (op.ranked(0) && op.ranked(1) && (!axis || op.rank(1) != op.rank(0))) {
    op.complain_shape(1, fmt::format("indices of rank {}", op.rank(0)));
    return;
  }
  if (!indices || !is_small(op.in(0)) || !axis || !op.in(2).contents) return;
  const auto place = static_cast<std::size_t>(*axis);
  if (!fits_inside(op.dims(1), op.dims(0), place)) return;
  fold_scatter(op, element_places(op.dims(0), op.dims(1), *indices, place));
}

void infer_scatter_nd(OpContext& op) {
  op.like(0, 0);
  if (op.attribute_text("reduction", "none") != "none") op.work(op.volume_of(2));
  const auto blocks = blocks_of(op, 0);
  const auto indices = op.integers(1);
  if (!blocks || !indices || !is_small(op.in(0)) || !is_small(op.in(2))) return;
  fold_scatter(op, block_places(op.dims(0), *indices, op.dims(1), *blocks));
}

// Opset 24: new keys and values at their place in a cache.
void infer_tensor_scatter(OpContext& op) { op.like(0, 0); }

void infer_one_hot(OpContext& op) {
  op.unranked(0, op.element(2));
  if (!op.ranked(0)) return;
  const auto axis = axis_of(op.attribute("axis", -1), op.rank(0) + 1);
  if (!axis) {
    op.complain_shape(0, "indices that have the axis at which the new one is inserted");
    return;
  }
  const auto real_depth = op.real(1);
  const std::int64_t depth = real_depth ? std::max(integer_of(*real_depth), kUnknown) : kUnknown;
  Dims dims = op.dims(0);
  dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(*axis), depth);
  Value& value = op.tensor(0, op.element(2), std::move(dims));
  const auto indices = op.integers(0);
  const auto& choices = op.in(2).contents;
  if (!indices || !choices || !is_small(value) || depth <= 0 || value.elements() == 0) return;
  // The same index for all places along the new axis.
  Dims strides = strides_of(op.dims(0));
  strides.insert(strides.begin() + static_cast<std::ptrdiff_t>(*axis), 0);
  const auto sources = walk(value.dims, strides);
  const std::int64_t inner = strides_of(value.dims)[static_cast<std::size_t>(*axis)];
  std::vector<std::int64_t> picks;
  for (std::size_t element = 0; element < sources.size(); ++element) {
    const std::int64_t index = (*indices)[static_cast<std::size_t>(sources[element])];
    const std::int64_t along = static_cast<std::int64_t>(element) / inner % depth;
    picks.push_back(!is_known(index) ? -1 : place_of(index, depth) == along ? 1 : 0);
  }
  value.contents = pick(*choices, picks);
}

constexpr Operator kOperators[] = {
    {kOnnx, "Gather", infer_gather},
    {kOnnx, "GatherElements", infer_gather_elements},
    {kOnnx, "GatherND", infer_gather_nd},
    {kOnnx, "OneHot", infer_one_hot},
    {kOnnx, "Scatter", infer_scatter_elements},
    {kOnnx, "ScatterElements", infer_scatter_elements},
    {kOnnx, "ScatterND", infer_scatter_nd},
    {kOnnx, "TensorScatter", infer_tensor_scatter},
    {kMicrosoft, "GatherND", infer_gather_nd},
};

}  // namespace

std::span<const Operator> indexing_operators() { return kOperators; }

}  // namespace berth::onnx
