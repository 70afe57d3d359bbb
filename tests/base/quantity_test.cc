#include "base/quantity.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/thrown.h"

namespace berth {
namespace {

double bytes(std::string_view text) { return parse_quantity(text, Dimension::bytes); }
double seconds(std::string_view text) { return parse_quantity(text, Dimension::seconds); }
double rate(std::string_view text) { return parse_quantity(text, Dimension::bytes_per_second); }
double flops(std::string_view text) { return parse_quantity(text, Dimension::flops); }

// EXPECT_EQ on doubles is meant: every reader of a file must get the same bits.
TEST(ParseQuantity, Bytes) {
  EXPECT_EQ(bytes("1B"), 1);
  EXPECT_EQ(bytes("2kB"), 2000);
  EXPECT_EQ(bytes("2KB"), 2000);
  EXPECT_EQ(bytes("3MB"), 3e6);
  EXPECT_EQ(bytes("3GB"), 3e9);
  EXPECT_EQ(bytes("3TB"), 3e12);
  EXPECT_EQ(bytes("3PB"), 3e15);
  EXPECT_EQ(bytes("1KiB"), 1024);
  EXPECT_EQ(bytes("1MiB"), 1048576);
  EXPECT_EQ(bytes("16GiB"), 17179869184.0);
  EXPECT_EQ(bytes("1TiB"), std::ldexp(1, 40));
  EXPECT_EQ(bytes("1PiB"), std::ldexp(1, 50));
  EXPECT_EQ(bytes("0B"), 0);
}

TEST(ParseQuantity, SecondsAreDividedNotMultiplied) {
  EXPECT_EQ(seconds("10us"), 10 / 1e6);
  // 5 * 1e-6 is another double than 5 / 1e6; the test would be blind if they were the same.
  ASSERT_NE(5 * 1e-6, 5 / 1e6);
  EXPECT_EQ(seconds("5us"), 5 / 1e6);
  EXPECT_EQ(seconds("5\u00b5s"), 5 / 1e6);
  EXPECT_EQ(seconds("5\u03bcs"), 5 / 1e6);
  for (int i = 1; i < 2000; ++i) {
    EXPECT_EQ(seconds(std::to_string(i) + "ms"), i / 1e3);
    EXPECT_EQ(seconds(std::to_string(i) + "us"), i / 1e6);
    EXPECT_EQ(seconds(std::to_string(i) + "ns"), i / 1e9);
  }
  EXPECT_EQ(seconds("1.5s"), 1.5);
  EXPECT_EQ(seconds("2min"), 120);
  EXPECT_EQ(seconds("1.5h"), 5400);
}

TEST(ParseQuantity, RatesInBytesAndBits) {
  EXPECT_EQ(rate("25GB/s"), 25e9);
  EXPECT_EQ(rate("1.2TB/s"), 1.2 * 1e12);
  EXPECT_EQ(rate("7B/s"), 7);
  EXPECT_EQ(rate("7kB/s"), 7000);
  EXPECT_EQ(rate("7MB/s"), 7e6);
  EXPECT_EQ(rate("2KiB/s"), 2048);
  EXPECT_EQ(rate("2MiB/s"), 2097152);
  EXPECT_EQ(rate("2GiB/s"), 2147483648.0);
  EXPECT_EQ(rate("2TiB/s"), std::ldexp(1, 41));
  EXPECT_EQ(rate("200Gb/s"), 25e9);
  EXPECT_EQ(rate("3b/s"), 0.375);
  EXPECT_EQ(rate("3kb/s"), 375);
  EXPECT_EQ(rate("3Mb/s"), 375000);
  EXPECT_EQ(rate("0.1Gb/s"), 0.1 * 1.25e8);
  EXPECT_EQ(rate("1Tb/s"), 1.25e11);
}

TEST(ParseQuantity, FlopsInEverySpelling) {
  EXPECT_EQ(flops("9.3TFLOPS"), 9.3 * 1e12);
  EXPECT_EQ(flops("9.3 TFLOP/s"), 9.3 * 1e12);
  EXPECT_EQ(flops("9.3Tflop/s"), 9.3 * 1e12);
  EXPECT_EQ(flops("5FLOPS"), 5);
  EXPECT_EQ(flops("5kFLOPS"), 5e3);
  EXPECT_EQ(flops("5MFLOPS"), 5e6);
  EXPECT_EQ(flops("5GFLOPS"), 5e9);
  EXPECT_EQ(flops("1PFLOPS"), 1e15);
}

TEST(ParseQuantity, NumberForms) {
  EXPECT_EQ(bytes(" 16 GiB "), bytes("16GiB"));
  EXPECT_EQ(seconds("1e3ms"), 1);
  EXPECT_EQ(seconds("1E-3s"), 1e-3);
  EXPECT_EQ(seconds(".5s"), 0.5);
  EXPECT_EQ(seconds("1e-999s"), 0);
  EXPECT_FALSE(std::signbit(seconds("-0s")));
}

TEST(ParseQuantity, RefusesWithWhatWouldBeRight) {
  EXPECT_EQ(thrown([] { bytes("16XiB"); }),
            "\"16XiB\" is not a size: the unit \"XiB\" is unknown; known units are B, kB, MB, GB, "
            "TB, PB, KiB, MiB, GiB, TiB and PiB; did you mean \"KiB\"?");
  EXPECT_EQ(thrown([] { seconds("10"); }),
            "\"10\" is not a time: the unit is missing; known units are s, ms, us, ns, min and h");
  EXPECT_EQ(thrown([] { seconds("fast"); }),
            "\"fast\" is not a time: it does not begin with a number; known units are s, ms, us, "
            "ns, min and h");
  EXPECT_NE(thrown([] { flops("3TFLIPS"); }).find("kFLOPS"), std::string::npos);
  EXPECT_NE(thrown([] { bytes("-1GiB"); }).find("negative"), std::string::npos);
  EXPECT_NE(thrown([] { bytes("1e999GiB"); }).find("too large"), std::string::npos);
  EXPECT_NE(thrown([] { bytes("1e308PiB"); }).find("too large"), std::string::npos);
}

TEST(ParseQuantity, RefusesWhatIsNoDecimal) {
  for (const char* text : {"", " ", "+1s", "infs", "nans", "inf", "0x10s", "1,5s", "1s2", "s",
                           "--1s", "1 2s", "-", ".", ".s", "1es", "10 B/s", "10S", "10mS"}) {
    EXPECT_THROW(seconds(text), InputError) << text;
  }
  EXPECT_THROW(bytes("10s"), InputError);
  EXPECT_THROW(bytes("10gib"), InputError);  // GB and Gb differ, so case matters everywhere
  EXPECT_THROW(rate("10GB"), InputError);
  EXPECT_THROW(flops("10T"), InputError);
}

TEST(ToBytes, RoundsAndChecks) {
  EXPECT_EQ(to_bytes(0.4), 0);
  EXPECT_EQ(to_bytes(0.5), 1);
  EXPECT_EQ(to_bytes(1e15), 1000000000000000);
  EXPECT_EQ(to_bytes(0x1.fffffffffffffp62), 9223372036854774784);
  EXPECT_THROW(to_bytes(0x1p63), InputError);
  EXPECT_THROW(to_bytes(std::nan("")), InputError);
  EXPECT_THROW(to_bytes(HUGE_VAL), InputError);
}

TEST(Format, Bytes) {
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(1023), "1023 B");
  EXPECT_EQ(format_bytes(1024), "1.00 KiB");
  EXPECT_EQ(format_bytes(1610612736), "1.50 GiB");
  EXPECT_EQ(format_bytes(-1610612736), "-1.50 GiB");
  EXPECT_EQ(format_bytes(1000 * 1024), "1000 KiB");
  EXPECT_EQ(format_bytes(1024 * 1024 - 1), "1.00 MiB");
  EXPECT_EQ(format_bytes(kUnlimitedBytes), "unlimited");
}

TEST(Format, Seconds) {
  EXPECT_EQ(format_seconds(0), "0 s");
  EXPECT_EQ(format_seconds(0.0123), "12.3 ms");
  EXPECT_EQ(format_seconds(0.00099999), "1.00 ms");
  EXPECT_EQ(format_seconds(9.999e-6), "10.0 us");
  EXPECT_EQ(format_seconds(1.5e-12), "0.0015 ns");
  EXPECT_EQ(format_seconds(90), "90.0 s");
  EXPECT_EQ(format_seconds(150), "2.50 min");
  EXPECT_EQ(format_seconds(7200), "2.00 h");
  EXPECT_EQ(format_seconds(HUGE_VAL), "unlimited");
}

TEST(Format, RatesAndCounts) {
  EXPECT_EQ(format_rate(25e9), "25.0 GB/s");
  EXPECT_EQ(format_rate(0), "0 B/s");
  EXPECT_EQ(format_rate(HUGE_VAL), "unlimited");
  EXPECT_EQ(format_flops(9.3e12), "9.30 TFLOPS");
  EXPECT_EQ(format_flops(0), "0 FLOPS");
  EXPECT_EQ(format_count(0), "0");
  EXPECT_EQ(format_count(999), "999");
  EXPECT_EQ(format_count(1000), "1,000");
  EXPECT_EQ(format_count(12345678), "12,345,678");
  EXPECT_EQ(format_count(18446744073709551615u), "18,446,744,073,709,551,615");
}

}  // namespace
}  // namespace berth
