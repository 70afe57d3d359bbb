#include "graph/dtype.h"

#include <array>

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

std::vector<std::string> dtype_names() {
  std::vector<std::string> names;
  for (const Entry& entry : kEntries) names.emplace_back(entry.name);
  return names;
}

}  // namespace berth
