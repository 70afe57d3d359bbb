// Operators whose result length depends on the data. Where it is only known at run time, the output
// has the largest extent it can have: a memory planner needs no less.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "frontends/onnx/ops/families.h"
#include "frontends/onnx/ops/fold.h"

namespace berth::onnx {
namespace {

double logarithm(double number) { return number > 2 ? std::log2(number) : 1; }

// Contents sorted along the only axis; shape computations have no more axes.
template <typename Number>
void fold_top(OpContext& op, const std::vector<Number>& numbers, std::size_t count) {
  const bool largest = op.attribute("largest", 1) != 0;
  Dims order(numbers.size());
  std::iota(order.begin(), order.end(), std::int64_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t left, std::int64_t right) {
    const Number a = numbers[static_cast<std::size_t>(left)];
    const Number b = numbers[static_cast<std::size_t>(right)];
    return largest ? a > b : a < b;
  });
  order.resize(count);
  op.out(0).contents = pick(*op.in(0).contents, order);
  op.out(1).contents = Contents{.integers = std::move(order), .reals = {}};
}

bool all_known(const Contents& contents) {
  return std::none_of(contents.integers.begin(), contents.integers.end(),
                      [](auto number) { return !is_known(number); }) &&
         std::none_of(contents.reals.begin(), contents.reals.end(),
                      [](double number) { return std::isnan(number); });
}

void infer_top(OpContext& op) {
  op.unranked(0, op.element(0));
  op.unranked(1, ElementType::int64);
  if (!op.ranked(0)) return;
  const auto axis = axis_of(op.attribute("axis", -1), op.rank(0));
  if (!axis) {
    op.complain_shape(0, fmt::format("a tensor with axis {}", op.attribute("axis", -1)));
    return;
  }
  const auto place = static_cast<std::size_t>(*axis);
  Dims dims = op.dims(0);
  const std::int64_t most = dims[place];
  const std::int64_t given =
      op.has(1) ? op.integer(1).value_or(kUnknown) : op.attribute("k", kUnknown);
  // A number of winners that is not known is at most the whole axis.
  const std::int64_t count = given < 0 ? most : given;
  if (given < 0) op.bound();
  if (most >= 0 && count > most) {
    op.complain(fmt::format("picks {} of {}; expected no more than there are", count, most));
  }
  dims[place] = at_most(count, most);
  op.work(op.volume_of(0) * logarithm(extent(dims[place])));
  const std::int64_t kept = dims[place];
  op.tensor(0, op.element(0), dims);
  op.tensor(1, ElementType::int64, std::move(dims));
  const auto& contents = op.in(0).contents;
  if (!contents || op.rank(0) != 1 || given < 0 || kept < 0 || !all_known(*contents)) return;
  if (contents->reals.empty()) {
    fold_top(op, contents->integers, static_cast<std::size_t>(kept));
  } else {
    fold_top(op, contents->reals, static_cast<std::size_t>(kept));
  }
}

// Coordinates of what is not zero, one column each; at most all of them.
void infer_nonzero(OpContext& op) {
  const std::int64_t rank =
      op.ranked(0) ? std::max<std::int64_t>(1, static_cast<std::int64_t>(op.rank(0))) : kUnknown;
  Value& value = op.tensor(0, ElementType::int64, {rank, op.in(0).elements().value_or(kUnknown)});
  op.work(op.volume_of(0));
  const auto& contents = op.in(0).contents;
  if (!contents || !all_known(*contents)) {
    op.bound();
    return;
  }
  std::vector<std::int64_t> found;
  for (std::size_t element = 0; element < contents->integers.size(); ++element) {
    if (contents->integers[element] != 0) found.push_back(static_cast<std::int64_t>(element));
  }
  for (std::size_t element = 0; element < contents->reals.size(); ++element) {
    if (contents->reals[element] != 0) found.push_back(static_cast<std::int64_t>(element));
  }
  value.dims[1] = static_cast<std::int64_t>(found.size());
  if (!is_small(value)) return;
  const Dims dims = op.rank(0) == 0 ? Dims{1} : op.dims(0);
  const Dims strides = strides_of(dims);
  Dims coordinates;
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    for (const std::int64_t element : found) {
      coordinates.push_back(element / strides[axis] % dims[axis]);
    }
  }
  value.contents = Contents{.integers = std::move(coordinates), .reals = {}};
}

// At most every element, or every slice along an axis, is different.
void infer_unique(OpContext& op) {
  const bool by_axis = op.has_attribute("axis");
  op.bound();
  const std::int64_t elements = op.in(0).elements().value_or(kUnknown);
  Dims dims = {elements};
  std::int64_t most = elements;
  if (by_axis && op.ranked(0)) {
    const std::int64_t wanted = op.attribute("axis", 0);
    if (!axis_of(wanted, op.rank(0))) {
      op.complain_shape(0, fmt::format("a tensor with axis {}", wanted));
    }
    dims = op.dims(0);
    most = op.dim(0, wanted);
  }
  if (by_axis && !op.ranked(0)) {
    op.unranked(0, op.element(0));
  } else {
    op.tensor(0, op.element(0), std::move(dims));
  }
  for (std::size_t output = 1; output < 4; ++output) {
    op.tensor(output, ElementType::int64, {most});
  }
  op.work(op.volume_of(0) * logarithm(extent(most)));
}

void infer_compress(OpContext& op) {
  op.unranked(0, op.element(0));
  const auto conditions = op.integers(1);
  if (!conditions) op.bound();
  std::int64_t kept = op.dim(1, 0);
  if (conditions) {
    const auto is_set = [](auto condition) { return condition != 0; };  // unknown ones may be
    kept = std::count_if(conditions->begin(), conditions->end(), is_set);
  }
  if (!op.has_attribute("axis")) {
    op.tensor(0, op.element(0), {at_most(kept, op.in(0).elements().value_or(kUnknown))});
    return;
  }
  if (!op.ranked(0)) return;
  const auto axis = axis_of(op.attribute("axis", 0), op.rank(0));
  if (!axis) {
    op.complain_shape(0, fmt::format("a tensor with axis {}", op.attribute("axis", 0)));
    return;
  }
  Dims dims = op.dims(0);
  std::int64_t& dim = dims[static_cast<std::size_t>(*axis)];
  dim = at_most(kept, dim);
  op.tensor(0, op.element(0), std::move(dims));
}

// Boxes batch x n x 4, scores batch x classes x n. At most as many boxes per class as the node
// allows (none, when it does not say), and never more than there are.
void infer_suppression(OpContext& op) {
  op.bound();
  const std::int64_t batch = either(op.dim(0, 0), op.dim(1, 0));
  const std::int64_t classes = op.dim(1, 1);
  const std::int64_t boxes = either(op.dim(0, 1), op.dim(1, 2));
  std::int64_t each = 0;
  if (op.has(2)) each = at_most(std::max(op.integer(2).value_or(kUnknown), kUnknown), boxes);
  op.tensor(0, ElementType::int64, {multiply(multiply(batch, classes), each), 3});
  // Sorting, then every box that stays against every other.
  op.work(extent(batch) * extent(classes) * extent(boxes) *
          (logarithm(extent(boxes)) + 16 * extent(each)));
}

constexpr Operator kOperators[] = {
    {kOnnx, "Compress", infer_compress}, {kOnnx, "NonMaxSuppression", infer_suppression},
    {kOnnx, "NonZero", infer_nonzero},   {kOnnx, "TopK", infer_top},
    {kOnnx, "Unique", infer_unique},     {kMicrosoft, "Unique", infer_unique},
};

}  // namespace

std::span<const Operator> selection_operators() { return kOperators; }

}  // namespace berth::onnx
