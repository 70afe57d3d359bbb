#include "graph/dtype.h"

#include <array>

#include "base/error.h"

namespace berth {
namespace {

struct Entry {
  DType dtype;
  std::string_view name;
  int bits;
};

constexpr std::array<Entry, 19> kEntries = {{
    {DType::f64, "f64", 64},    {DType::f32, "f32", 32},     {DType::tf32, "tf32", 32},
    {DType::f16, "f16", 16},    {DType::bf16, "bf16", 16},   {DType::f8, "f8", 8},
    {DType::i64, "i64", 64},    {DType::i32, "i32", 32},     {DType::i16, "i16", 16},
    {DType::i8, "i8", 8},       {DType::i4, "i4", 4},        {DType::u64, "u64", 64},
    {DType::u32, "u32", 32},    {DType::u16, "u16", 16},     {DType::u8, "u8", 8},
    {DType::u4, "u4", 4},       {DType::boolean, "bool", 8}, {DType::c64, "c64", 64},
    {DType::c128, "c128", 128},
}};

}  // namespace

std::optional<DType> parse_dtype(std::string_view name) {
  for (const Entry& entry : kEntries) {
    if (entry.name == name) return entry.dtype;
  }
  return std::nullopt;
}

std::string_view dtype_name(DType dtype) {
  for (const Entry& entry : kEntries) {
    if (entry.dtype == dtype) return entry.name;
  }
  return "";
}

int dtype_bits(DType dtype) {
  for (const Entry& entry : kEntries) {
    if (entry.dtype == dtype) return entry.bits;
  }
  return 0;
}

namespace {

[[noreturn]] void fail_size() {
  throw InputError("a size does not fit in 63 bits; give real sizes",
                   {.code = ErrorCode::too_large});
}

}  // namespace

std::int64_t bytes_of_width(std::int64_t bytes, int from_bits, int to_bits) {
  // bytes x to_bits could overflow although the quotient fits. So the quotient is scaled first, and
  // the remainder, which is small, on its own.
  const std::int64_t rest = (bytes % from_bits * to_bits + from_bits - 1) / from_bits;
  std::int64_t whole = 0;
  if (__builtin_mul_overflow(bytes / from_bits, std::int64_t{to_bits}, &whole)) fail_size();
  return sum_of_bytes(whole, rest);
}

std::int64_t sum_of_bytes(std::int64_t left, std::int64_t right) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(left, right, &sum)) fail_size();
  return sum;
}

std::vector<std::string> dtype_names() {
  std::vector<std::string> names;
  for (const Entry& entry : kEntries) names.emplace_back(entry.name);
  return names;
}

}  // namespace berth
