#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "frontends/onnx/constant.h"
#include "frontends/onnx/infer_notation.h"

namespace berth::onnx {
namespace {

using namespace std::string_view_literals;

Tensor raw_tensor(ElementType element, std::vector<std::int64_t> dims, std::string_view raw) {
  Tensor tensor;
  tensor.element = element;
  tensor.dims = std::move(dims);
  tensor.raw = raw;
  return tensor;
}

TEST(Constant, DecodesRawBytes) {
  struct Row {
    Tensor tensor;
    std::string value;
  };
  const std::vector<Row> rows = {
      {raw_tensor(ElementType::int64, {1}, "\x05\0\0\0\0\0\0\0"sv), "i64 1 = 5"},
      {raw_tensor(ElementType::int64, {}, "\xff\xff\xff\xff\xff\xff\xff\xff"sv), "i64 scalar = -1"},
      // the smallest integer stands for "unknown" and is read as its neighbour
      {raw_tensor(ElementType::int64, {}, "\0\0\0\0\0\0\0\x80"sv),
       "i64 scalar = -9223372036854775807"},
      {raw_tensor(ElementType::uint64, {}, "\0\0\0\0\0\0\0\x80"sv), "u64 scalar = ?"},
      {raw_tensor(ElementType::int32, {2}, "\x01\0\0\0\xfe\xff\xff\xff"sv), "i32 2 = 1,-2"},
      {raw_tensor(ElementType::uint8, {2}, "\x01\xff"sv), "u8 2 = 1,255"},
      {raw_tensor(ElementType::int8, {2}, "\x01\xff"sv), "i8 2 = 1,-1"},
      {raw_tensor(ElementType::boolean, {2}, "\x01\x02"sv), "bool 2 = 1,1"},
      {raw_tensor(ElementType::float32, {1}, "\0\0\xc0\x3f"sv), "f32 1 = 1.5"},
      {raw_tensor(ElementType::float16, {2}, "\0\x3e\x01\0"sv), "f16 2 = 1.5,5.96046e-08"},
      {raw_tensor(ElementType::bfloat16, {1}, "\xc0\x3f"sv), "bf16 1 = 1.5"},
      {raw_tensor(ElementType::float64, {1}, "\0\0\0\0\0\0\xf8\x3f"sv), "f64 1 = 1.5"},
      {raw_tensor(ElementType::int4, {3}, "\xf1\x07"sv), "i4 3 = 1,-1,7"},
      {raw_tensor(ElementType::int64, {0}, ""sv), "i64 0 = nothing"},
      // too short, too long, too many, negative, of a type without numbers
      {raw_tensor(ElementType::int64, {1}, "\x05\0\0\0"sv), "i64 1"},
      {raw_tensor(ElementType::int32, {1}, "\x05\0\0\0\0"sv), "i32 1"},
      {raw_tensor(ElementType::int32, {1 << 20}, ""sv), "i32 1048576"},
      {raw_tensor(ElementType::int32, {-7, 2}, ""sv), "i32 ?x2"},
      {raw_tensor(ElementType::string, {1}, "a"sv), "str 1"},
      {raw_tensor(ElementType::int32, {INT64_MAX, INT64_MAX}, ""sv),
       "i32 9223372036854775807x9223372036854775807"},
  };
  for (const Row& row : rows) EXPECT_EQ(print_value(value_of(row.tensor)), row.value);
}

TEST(Constant, DecodesFieldsInRunsAndOneByOne) {
  struct Row {
    ElementType element;
    std::uint32_t field;
    std::vector<std::string_view> packed;
    std::string value;
  };
  const std::vector<Row> rows = {
      {ElementType::int64, 7, {"\x03\x80\x01"sv}, "i64 2 = 3,128"},
      {ElementType::int64, 7, {"\x03"sv, "\x80\x01"sv}, "i64 2 = 3,128"},
      {ElementType::int32, 5, {"\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"sv}, "i32 2 = 1,-1"},
      {ElementType::float32, 4, {"\0\0\xc0\x3f"sv, "\0\0\0\x40"sv}, "f32 2 = 1.5,2"},
      {ElementType::float16, 5, {"\x80\x7c\x80\x78"sv}, "f16 2 = 1.5,1"},
      {ElementType::int64, 7, {"\x03"sv}, "i64 2"},
      {ElementType::int64, 7, {"\x03\x04\x05"sv}, "i64 2"},
      {ElementType::int64, 7, {"\x03\x80"sv}, "i64 2"},
      {ElementType::int64, 5, {"\x03\x04"sv}, "i64 2"},
  };
  for (const Row& row : rows) {
    Tensor tensor;
    tensor.element = row.element;
    tensor.dims = {2};
    tensor.packed = row.packed;
    tensor.packed_field = row.field;
    EXPECT_EQ(print_value(value_of(tensor)), row.value);
    tensor.external = true;
    EXPECT_FALSE(value_of(tensor).contents);
  }
}

TEST(Constant, KnowsBits) {
  EXPECT_EQ(element_bits(ElementType::int4), 4);
  EXPECT_EQ(element_bits(ElementType::boolean), 8);
  EXPECT_EQ(element_bits(ElementType::complex128), 128);
  EXPECT_EQ(element_bits(ElementType::string), 0);
  EXPECT_EQ(element_bits(static_cast<ElementType>(99)), 0);
}

TEST(Merge, KnownBeatsUnknownAndTheFirstStays) {
  const auto merged = [](std::string_view first, std::string_view second) {
    Value value = parse_value(first);
    merge(value, parse_value(second));
    return print_value(value);
  };
  EXPECT_EQ(merged("f32 ?x3", "f32 2x4"), "f32 2x3");
  EXPECT_EQ(merged("f32 unranked", "f32 2x4"), "f32 2x4");
  EXPECT_EQ(merged("f32 2", "f32 2x4"), "f32 2");
  EXPECT_EQ(merged("unknown", "i64 2 = 1,2"), "i64 2 = 1,2");
  EXPECT_EQ(merged("i64 ?", "i64 2 = 1,2"), "i64 2 = 1,2");
  EXPECT_EQ(merged("seq(f32 ?)", "seq(f32 3)*4"), "seq(f32 3)*4");
  EXPECT_EQ(merged("f32 2", "seq(f32 3)*4"), "f32 2");
}

}  // namespace
}  // namespace berth::onnx
