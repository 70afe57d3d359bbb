#include "frontends/onnx/infer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "frontends/onnx/ops/fold.h"
#include "frontends/onnx/ops/table.h"

namespace berth::onnx {

bool Value::has_shape() const {
  return has_rank && std::all_of(dims.begin(), dims.end(), [](auto dim) { return dim >= 0; });
}

std::optional<std::int64_t> Value::elements() const {
  if (!has_shape()) return std::nullopt;
  const std::int64_t elements = product(dims);
  if (elements < 0) return std::nullopt;
  return elements;
}

namespace {

constexpr std::int64_t kLatestOpset = 23;
constexpr int kMaxNesting = 4;  // the format itself has a sequence in an optional, no more

bool has_sound_contents(const Value& value) {
  const auto elements = value.elements();
  if (!elements || *elements > kMaxContents) return false;
  const auto count = static_cast<std::size_t>(*elements);
  const Contents& contents = *value.contents;
  if (is_integer(value.element)) return contents.integers.size() == count && contents.reals.empty();
  if (is_real(value.element)) return contents.reals.size() == count && contents.integers.empty();
  return false;
}

bool is_sound(const Value& value, int nesting) {
  if (value.dims.size() > kMaxRank || (!value.has_rank && !value.dims.empty())) return false;
  if (std::any_of(value.dims.begin(), value.dims.end(), [](auto dim) { return dim < kUnknown; })) {
    return false;
  }
  if (value.contents && !has_sound_contents(value)) return false;
  if (value.inner.size() > 1 || (!value.inner.empty() && nesting >= kMaxNesting)) return false;
  return value.inner.empty() || is_sound(value.inner.front(), nesting + 1);
}

// Negative dimensions are unknown; `lowest` says whether one may be kTooLarge.
void repair(Value& value, int nesting, std::int64_t lowest) {
  if (value.dims.size() > kMaxRank) value.has_rank = false;
  if (!value.has_rank) value.dims.clear();
  for (std::int64_t& dim : value.dims) {
    if (dim < kUnknown) dim = lowest == kTooLarge ? as_dim(dim) : kUnknown;
  }
  if (value.contents && !has_sound_contents(value)) value.contents.reset();
  if (nesting >= kMaxNesting) value.inner.clear();
  if (value.inner.size() > 1) value.inner.resize(1);
  if (!value.inner.empty()) repair(value.inner.front(), nesting + 1, lowest);
}

// Contents of which no element is known carry no information.
void drop_empty_contents(Value& value) {
  if (!value.contents) return;
  const Contents& contents = *value.contents;
  const auto unknown = [](auto number) { return number == kUnknownElement; };
  const auto not_a_number = [](double number) { return std::isnan(number); };
  const bool nothing =
      contents.reals.empty()
          ? !contents.integers.empty() &&
                std::all_of(contents.integers.begin(), contents.integers.end(), unknown)
          : std::all_of(contents.reals.begin(), contents.reals.end(), not_a_number);
  if (nothing) value.contents.reset();
}

void finish(Inferred& result) {
  for (Value& value : result.outputs) {
    if (!is_sound(value, 0)) repair(value, 0, kTooLarge);
    drop_empty_contents(value);
  }
  // Written so that NaN becomes 0.
  if (!(result.flops >= 0)) result.flops = 0;
  result.flops = std::min(result.flops, kMostFlops);
}

void merge_nested(Value& value, const Value& other, int nesting) {
  if (value.kind == Type::Kind::unknown) value.kind = other.kind;
  if (value.kind != other.kind) return;
  if (value.element == ElementType::undefined) value.element = other.element;
  if (!value.has_rank && other.has_rank) {
    value.has_rank = true;
    value.dims = other.dims;
  } else if (value.has_rank && other.has_rank && value.dims.size() == other.dims.size()) {
    for (std::size_t axis = 0; axis < value.dims.size(); ++axis) {
      value.dims[axis] = either(value.dims[axis], other.dims[axis]);
    }
  }
  if (!value.contents && !value.offset && value.element == other.element &&
      value.dims == other.dims) {
    value.contents = other.contents;
    value.offset = other.offset;
  }
  if (value.length < 0) value.length = other.length;
  if (value.inner.empty()) {
    value.inner = other.inner;
  } else if (!other.inner.empty() && nesting < kMaxNesting) {
    merge_nested(value.inner.front(), other.inner.front(), nesting + 1);
  }
}

}  // namespace

Inferred infer(const InferInput& input) {
  Inferred result;
  result.outputs.resize(input.node.outputs.size());
  result.alias.assign(input.node.outputs.size(), -1);
  const Operator* found = find_operator(input.node.domain, input.node.op_type);
  if (found == nullptr) {
    result.known_op = false;
    return result;
  }
  // Inputs may come straight from files. Those that violate an invariant are repaired in a copy, so
  // that the rules of operators can rely on it.
  std::vector<const Value*> inputs(input.inputs.begin(), input.inputs.end());
  const auto broken = std::count_if(inputs.begin(), inputs.end(), [](const Value* value) {
    return value != nullptr && !is_sound(*value, 0);
  });
  std::vector<Value> repaired;
  repaired.reserve(static_cast<std::size_t>(broken));
  for (const Value*& value : inputs) {
    if (value == nullptr || is_sound(*value, 0)) continue;
    repaired.push_back(*value);
    repair(repaired.back(), 0, kUnknown);
    value = &repaired.back();
  }
  const InferInput sound{
      .node = input.node, .opset = input.opset > 0 ? input.opset : kLatestOpset, .inputs = inputs};
  OpContext op(sound, result);
  found->rule(op);
  // Where an input may be smaller than its extents say, so may the outputs, and what does not fit
  // together by the extents may fit when it runs.
  const bool bounded = std::any_of(inputs.begin(), inputs.end(), [](const Value* value) {
    return value != nullptr && value->is_bound;
  });
  if (bounded) result.complaint.clear();
  result.is_bound = result.is_bound || bounded;
  finish(result);
  return result;
}

void merge(Value& value, const Value& other) { merge_nested(value, other, 0); }

}  // namespace berth::onnx
