#include "report/throughput.h"

#include <gtest/gtest.h>

namespace berth::report {
namespace {

TEST(Throughput, SamplesAndTokensASecond) {
  const StepSize size{.batch_dim = "N", .samples = 128, .sequence_dim = "length", .length = 64};
  EXPECT_EQ(samples_per_second(size, 0.5), 256);
  EXPECT_EQ(tokens_per_second(size, 0.5), 256 * 64);
  EXPECT_EQ(throughput_sentence(size, 0.5), "256 samples/s, 16,384 tokens/s (N=128, length=64).");
  EXPECT_EQ(step_size_text(size), "128 samples (N) of 64 tokens (length)");
  const StepSize images{.batch_dim = "batch", .samples = 8};
  EXPECT_EQ(tokens_per_second(images, 1), std::nullopt);
  EXPECT_EQ(throughput_sentence(images, 1), "8.00 samples/s (batch=8).");
}

TEST(Throughput, IsSilentWhereNothingIsKnown) {
  EXPECT_EQ(throughput_sentence({}, 1), "");
  EXPECT_EQ(samples_per_second({}, 1), std::nullopt);
  EXPECT_EQ(samples_per_second({.batch_dim = "N", .samples = 8}, 0), std::nullopt);
  JsonWriter json;
  json.begin_object();
  write_step_size(json, {});
  write_throughput(json, {}, 1);
  json.end_object();
  EXPECT_NE(json.take().find("\"samples_per_second\": null"), std::string::npos);
}

TEST(Throughput, KeepsThreeDigits) {
  EXPECT_EQ(format_throughput(0.01234), "0.0123");
  EXPECT_EQ(format_throughput(9.2), "9.20");
  EXPECT_EQ(format_throughput(12345.6), "12,346");
}

}  // namespace
}  // namespace berth::report
