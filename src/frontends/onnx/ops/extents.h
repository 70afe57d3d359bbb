// Arithmetic on dimensions that may be unknown or absurd: a file can contain any 64-bit number.
// What would be negative is unknown, and what does not fit in 63 bits is kTooLarge, so that no
// operator has to check for itself.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "frontends/onnx/infer.h"

namespace berth::onnx {

using Dims = std::vector<std::int64_t>;

// A larger rank is a mistake or an attack; operators then see a tensor of unknown rank.
constexpr std::size_t kMaxRank = 64;

std::int64_t add(std::int64_t left, std::int64_t right);
std::int64_t subtract(std::int64_t left, std::int64_t right);
std::int64_t multiply(std::int64_t left, std::int64_t right);
// Rounded down; unknown for a divisor that is not positive.
std::int64_t divide(std::int64_t left, std::int64_t right);
std::int64_t divide_up(std::int64_t left, std::int64_t right);
std::int64_t product(std::span<const std::int64_t> dims);
// An element of a tensor or attribute as a dimension: negative ones are unknown.
std::int64_t as_dim(std::int64_t element);
// The smaller one; unknown counts as no limit.
std::int64_t at_most(std::int64_t dim, std::int64_t limit);

// The number of elements for counting work; an unknown dimension counts as one.
double volume(std::span<const std::int64_t> dims);
double extent(std::int64_t dim);

// Counted from the front; nothing when it is not in [-rank, rank).
std::optional<std::int64_t> axis_of(std::int64_t axis, std::size_t rank);

// The dimension by two sources: known takes precedence over unknown.
std::int64_t either(std::int64_t first, std::int64_t second);
bool differ(std::int64_t first, std::int64_t second);  // both known and not the same

// The numpy rule; none when the two do not match.
std::optional<Dims> broadcast(const Dims& left, const Dims& right);

// Row-major strides; all zero when the product does not fit.
Dims strides_of(const Dims& dims);

// "2x3x?" for messages.
std::string text_of(const Dims& dims);

}  // namespace berth::onnx
