#include <gtest/gtest.h>

#include "base/error.h"
#include "graph/graph_builder.h"

namespace berth {
namespace {

std::int64_t bytes_of(std::vector<std::int64_t> shape, DType dtype) {
  return tensor_bytes(shape, dtype);
}

TEST(TensorBytes, MultipliesExtentsByTheSizeOfAnElement) {
  EXPECT_EQ(bytes_of({8, 128}, DType::f32), 4096);
  EXPECT_EQ(bytes_of({}, DType::f64), 8);
  EXPECT_EQ(bytes_of({5, 0, 7}, DType::f16), 0);
  EXPECT_EQ(bytes_of({3}, DType::boolean), 3);
}

TEST(TensorBytes, PacksTypesSmallerThanAByte) {
  EXPECT_EQ(bytes_of({7}, DType::i4), 4);
  EXPECT_EQ(bytes_of({8}, DType::u4), 4);
}

TEST(TensorBytes, RefusesWhatDoesNotFit63Bits) {
  constexpr std::int64_t kHalf = std::int64_t{1} << 31;
  EXPECT_EQ(bytes_of({kHalf, kHalf}, DType::u8), std::int64_t{1} << 62);
  EXPECT_THROW(bytes_of({kHalf, kHalf}, DType::f16), InputError);
  EXPECT_THROW(bytes_of({kHalf, kHalf, kHalf}, DType::u8), InputError);
  EXPECT_THROW(bytes_of({1}, DType::unknown), InputError);
}

TEST(DTypes, NamesAndSizesGoTogether) {
  for (const std::string& name : dtype_names()) {
    const auto dtype = parse_dtype(name);
    ASSERT_TRUE(dtype.has_value()) << name;
    EXPECT_EQ(dtype_name(*dtype), name);
    EXPECT_GT(dtype_bits(*dtype), 0) << name;
  }
  EXPECT_EQ(parse_dtype("float"), std::nullopt);
  EXPECT_EQ(dtype_bits(*parse_dtype("bf16")), 16);
}

TEST(StringTable, NumbersByFirstAppearance) {
  StringTable table;
  EXPECT_EQ(table.find("a"), std::nullopt);
  for (int round = 0; round < 2; ++round) {
    for (std::uint32_t i = 0; i < 5000; ++i) EXPECT_EQ(table.intern("name" + std::to_string(i)), i);
  }
  EXPECT_EQ(table.size(), 5000u);
  EXPECT_EQ(table[1234], "name1234");
  EXPECT_EQ(table.find("name4999"), 4999u);
  EXPECT_EQ(table.find("name5000"), std::nullopt);
  EXPECT_EQ(table.intern(""), 5000u);
}

}  // namespace
}  // namespace berth
