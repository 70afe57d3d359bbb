// Folding: computes the contents of small tensors, because models compute their shapes. Unknown
// elements are carried along as kUnknownElement among integers and as NaN among reals, so that a
// shape with one unknown dimension loses only that one.
//
// Everything here is bounded by kMaxContents elements. Integers wrap as their type does, except
// those of 64 bits: one that wraps was meant as a size that does not fit and is kTooLarge.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "frontends/onnx/ops/op_context.h"

namespace berth::onnx {

bool is_integer(ElementType element);  // booleans included
bool is_real(ElementType element);

constexpr std::int64_t kUnknownElement = Contents::kUnknownElement;
constexpr bool is_known(std::int64_t element) { return Contents::is_known(element); }

// Shape known and few enough elements to compute with.
bool is_small(const Value& value);

// A number converted to the type: integers wrap, reals are rounded to its precision.
std::int64_t wrap(ElementType element, std::int64_t number);
double narrow(ElementType element, double number);
std::int64_t integer_of(double number);  // truncated; kTooLarge or unknown when it does not fit
double real_of(std::int64_t number);     // NaN when unknown

// The contents of a small tensor of numbers; where none are known, that many unknown elements.
std::optional<Contents> contents_or_unknown(const Value& value);

// For each element of the output, the element of the input it equals, where the output steps
// through the input from `offset` with one stride per axis: slices, transposes, broadcasts.
std::vector<std::int64_t> walk(const Dims& dims, const Dims& strides, std::int64_t offset = 0);
// Strides for reading `from` as though it had the shape `to` that it is broadcast to.
Dims broadcast_strides(const Dims& from, const Dims& to);

// The elements at these indices; a negative index picks an unknown element.
Contents pick(const Contents& from, std::span<const std::int64_t> indices);

// Sets an output's contents to elements of an input's; does nothing when either is not small.
void fold_pick(OpContext& op, std::size_t output, std::size_t input, const Dims& strides,
               std::int64_t offset = 0);
// Same elements in the same order.
void fold_copy(OpContext& op, std::size_t output, std::size_t input);
// Integer contents, wrapped to the output's type.
void fold_integers(Value& value, std::vector<std::int64_t> numbers);
void fold_reals(Value& value, std::vector<double> numbers);

}  // namespace berth::onnx
