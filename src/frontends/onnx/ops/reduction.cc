// Operators that reduce axes. Those with which shapes are computed are folded.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "frontends/onnx/ops/families.h"
#include "frontends/onnx/ops/fold.h"

namespace berth::onnx {
namespace {

// Which axes go; nothing when that is not known.
std::optional<std::vector<bool>> reduced_axes(OpContext& op) {
  const std::size_t rank = op.rank(0);
  const bool given = op.has(1) || op.has_attribute("axes");
  const auto axes = op.list(1, "axes");
  if (given && !axes) return std::nullopt;
  if (!axes || axes->empty()) {
    const bool nothing = op.attribute("noop_with_empty_axes", 0) != 0;
    return std::vector<bool>(rank, !nothing);
  }
  std::vector<bool> reduced(rank, false);
  for (const std::int64_t axis : *axes) {
    if (!is_known(axis)) return std::nullopt;
    const auto counted = axis_of(axis, rank);
    if (!counted) {
      op.complain_shape(0, fmt::format("a tensor with axis {}", axis));
      return std::nullopt;
    }
    reduced[static_cast<std::size_t>(*counted)] = true;
  }
  return reduced;
}

Dims reduced_dims(const Dims& dims, const std::vector<bool>& reduced, bool keep) {
  Dims result;
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    if (!reduced[axis]) {
      result.push_back(dims[axis]);
    } else if (keep) {
      result.push_back(1);
    }
  }
  return result;
}

// For each element of the input, the element of the output it goes into.
std::vector<std::int64_t> targets(const Dims& dims, const std::vector<bool>& reduced) {
  Dims strides(dims.size(), 0);
  std::int64_t stride = 1;
  for (std::size_t axis = dims.size(); axis-- > 0;) {
    if (reduced[axis]) continue;
    strides[axis] = stride;
    stride = multiply(stride, dims[axis]);
  }
  return walk(dims, strides);
}

enum class Kind { sum, product, largest, smallest, mean, other };

double times(double left, double right) { return left * right; }
double plus(double left, double right) { return left + right; }
std::int64_t times(std::int64_t left, std::int64_t right) {
  std::int64_t result = 0;
  return __builtin_mul_overflow(left, right, &result) ? kTooLarge : result;
}
std::int64_t plus(std::int64_t left, std::int64_t right) {
  std::int64_t result = 0;
  return __builtin_add_overflow(left, right, &result) ? kTooLarge : result;
}

template <typename Number>
Number combined(Kind kind, Number total, Number next) {
  switch (kind) {
    case Kind::product:
      return times(total, next);
    case Kind::largest:
      return std::max(total, next);
    case Kind::smallest:
      return std::min(total, next);
    default:
      return plus(total, next);
  }
}

bool is_unknown(std::int64_t number) { return !is_known(number); }
bool is_unknown(double number) { return number != number; }

template <typename Number>
std::vector<Number> reduce(Kind kind, const std::vector<Number>& numbers,
                           const std::vector<std::int64_t>& into, std::size_t results,
                           Number unknown) {
  std::vector<Number> totals(results, unknown);
  std::vector<std::int64_t> counts(results, 0);
  for (std::size_t element = 0; element < numbers.size(); ++element) {
    const auto target = static_cast<std::size_t>(into[element]);
    Number& total = totals[target];
    if (counts[target]++ == 0) {
      total = numbers[element];
    } else if (!is_unknown(total)) {
      const Number next = numbers[element];
      total = is_unknown(next) ? next : combined(kind, total, next);
    }
  }
  if (kind == Kind::mean) {
    for (std::size_t result = 0; result < results; ++result) {
      if (counts[result] > 0 && !is_unknown(totals[result])) {
        totals[result] = totals[result] / static_cast<Number>(counts[result]);
      }
    }
  }
  return totals;
}

void fold_reduction(OpContext& op, Kind kind, const std::vector<bool>& reduced) {
  const auto& contents = op.in(0).contents;
  Value& value = op.out(0);
  // Over an empty axis each reduction has its own value, which no shape computation needs.
  if (!contents || kind == Kind::other || !is_small(value) || op.in(0).elements() == 0) return;
  const auto into = targets(op.dims(0), reduced);
  const auto results = static_cast<std::size_t>(*value.elements());
  if (contents->reals.empty()) {
    fold_integers(value, reduce(kind, contents->integers, into, results, kUnknownElement));
  } else {
    fold_reals(value, reduce(kind, contents->reals, into, results, std::nan("")));
  }
}

template <Kind kind, int Flops>
void reduction(OpContext& op) {
  const bool keep = op.attribute("keepdims", 1) != 0;
  if (!op.ranked(0)) {
    op.unranked(0, op.element(0));
    return;
  }
  op.work(Flops * op.volume_of(0));
  const auto reduced = reduced_axes(op);
  if (!reduced) {
    if (keep) {
      op.tensor(0, op.element(0), Dims(op.rank(0), kUnknown));
    } else {
      op.unranked(0, op.element(0));
    }
    return;
  }
  op.tensor(0, op.element(0), reduced_dims(op.dims(0), *reduced, keep));
  fold_reduction(op, kind, *reduced);
}

void infer_arg(OpContext& op) {
  const auto axis = axis_of(op.attribute("axis", 0), op.rank(0));
  op.work(op.volume_of(0));
  if (!op.ranked(0) || !axis) {
    if (op.ranked(0)) op.complain_shape(0, "a tensor that has the axis");
    op.unranked(0, ElementType::int64);
    return;
  }
  std::vector<bool> reduced(op.rank(0), false);
  reduced[static_cast<std::size_t>(*axis)] = true;
  op.tensor(0, ElementType::int64,
            reduced_dims(op.dims(0), reduced, op.attribute("keepdims", 1) != 0));
}

template <typename Number>
void accumulate(std::vector<Number>& numbers, const Dims& dims, std::size_t axis, bool exclusive,
                bool reverse, Number unknown) {
  const std::int64_t extent = dims[axis];
  const std::int64_t stride = strides_of(dims)[axis];
  for (std::size_t element = 0; element < numbers.size(); ++element) {
    const auto start = static_cast<std::int64_t>(element);
    if (start / stride % extent != 0) continue;
    Number total = 0;
    for (std::int64_t step = 0; step < extent; ++step) {
      const std::int64_t place = start + (reverse ? extent - 1 - step : step) * stride;
      Number& number = numbers[static_cast<std::size_t>(place)];
      const Number next =
          is_unknown(total) || is_unknown(number) ? unknown : combined(Kind::sum, total, number);
      number = exclusive ? total : next;
      total = next;
    }
  }
}

void infer_cumulative_sum(OpContext& op) {
  op.like(0, 0);
  op.work(op.volume_of(0));
  const auto wanted = op.integer(1);
  if (!op.in(0).contents || !wanted || op.in(0).elements() == 0) return;
  const auto axis = axis_of(*wanted, op.rank(0));
  if (!axis) return;
  Contents contents = *op.in(0).contents;
  const bool exclusive = op.attribute("exclusive", 0) != 0;
  const bool reverse = op.attribute("reverse", 0) != 0;
  const auto place = static_cast<std::size_t>(*axis);
  if (contents.reals.empty()) {
    accumulate(contents.integers, op.dims(0), place, exclusive, reverse, kUnknownElement);
    fold_integers(op.out(0), std::move(contents.integers));
  } else {
    accumulate(contents.reals, op.dims(0), place, exclusive, reverse, std::nan(""));
    fold_reals(op.out(0), std::move(contents.reals));
  }
}

constexpr Operator kOperators[] = {
    {kOnnx, "ArgMax", infer_arg},
    {kOnnx, "ArgMin", infer_arg},
    {kOnnx, "CumSum", infer_cumulative_sum},
    {kOnnx, "ReduceL1", reduction<Kind::other, 2>},
    {kOnnx, "ReduceL2", reduction<Kind::other, 2>},
    {kOnnx, "ReduceLogSum", reduction<Kind::other, 1>},
    {kOnnx, "ReduceLogSumExp", reduction<Kind::other, 5>},
    {kOnnx, "ReduceMax", reduction<Kind::largest, 1>},
    {kOnnx, "ReduceMean", reduction<Kind::mean, 1>},
    {kOnnx, "ReduceMin", reduction<Kind::smallest, 1>},
    {kOnnx, "ReduceProd", reduction<Kind::product, 1>},
    {kOnnx, "ReduceSum", reduction<Kind::sum, 1>},
    {kOnnx, "ReduceSumSquare", reduction<Kind::other, 2>},
    {kMicrosoft, "ReduceSumInteger", reduction<Kind::sum, 1>},
};

}  // namespace

std::span<const Operator> reduction_operators() { return kOperators; }

}  // namespace berth::onnx
