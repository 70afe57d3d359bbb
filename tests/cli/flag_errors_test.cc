#include "cli/flag_errors.h"

#include <gtest/gtest.h>

#include "frontends/onnx/dimensions.h"

namespace berth::cli {
namespace {

TEST(FlagErrors, NameTheFlagOfABadOption) {
  const InputError bad("has no effect", {.code = ErrorCode::bad_option, .subject = "optimizer"});
  const std::vector<OptionFlag> flags = {{"dims", "--dim"}, {"optimizer", "--optimizer"}};
  EXPECT_STREQ(with_flags(flags, bad).what(), "--optimizer: has no effect");
  EXPECT_EQ(with_flags(flags, bad).subject(), "optimizer");
  EXPECT_STREQ(with_flags({{"dims", "--dim"}}, bad).what(), "has no effect");
  const InputError other("no such thing", {.code = ErrorCode::conflict, .subject = "optimizer"});
  EXPECT_STREQ(with_flags(flags, other).what(), "no such thing");
}

TEST(FlagErrors, SayWhatToTypeForOpenDimensions) {
  const onnx::OpenDimensionError open("two are open", "m.onnx",
                                      {{"x_0", 0}, {"my seq", 1}, {"batch size", 2}});
  EXPECT_STREQ(with_dim_flags(open, false).what(),
               "two are open; add --dim x_0=8 --dim 'my seq=128' --dim 'batch size=8', with the "
               "sizes you want");
  const onnx::OpenDimensionError one("one is open", "m.onnx", {{std::string(200, 'a'), 1}});
  EXPECT_STREQ(with_dim_flags(one, true).what(),
               "one is open; add --dim NAME=128, with the size you want");
}

TEST(FlagErrors, AskForSmallerSizesOnlyWhereSizesWereGiven) {
  const InputError large("too many bytes", {.code = ErrorCode::too_large});
  EXPECT_STREQ(with_dim_flags(large, true).what(), "too many bytes; set smaller sizes with --dim");
  EXPECT_STREQ(with_dim_flags(large, false).what(), "too many bytes");
}

}  // namespace
}  // namespace berth::cli
