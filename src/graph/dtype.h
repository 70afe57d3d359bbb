// Element types of tensors, under the short names the formats use.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace berth {

enum class DType : std::uint8_t {
  unknown,
  f64,
  f32,
  tf32,
  f16,
  bf16,
  f8,
  i64,
  i32,
  i16,
  i8,
  i4,
  u64,
  u32,
  u16,
  u8,
  u4,
  boolean,
  c64,
  c128
};

std::optional<DType> parse_dtype(std::string_view name);  // "f32"; nullopt for an unknown name
std::string_view dtype_name(DType dtype);                 // "" for unknown
int dtype_bits(DType dtype);                              // 0 for unknown
std::vector<std::string> dtype_names();

// The bytes of the same number of elements in another width, rounded up; and a sum of bytes. Both
// throw InputError when the result does not fit in 63 bits.
std::int64_t bytes_of_width(std::int64_t bytes, int from_bits, int to_bits);
std::int64_t sum_of_bytes(std::int64_t left, std::int64_t right);

}  // namespace berth
