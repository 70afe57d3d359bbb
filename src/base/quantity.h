// Quantities in files and on screens. Inside Berth everything is SI: seconds, bytes, bytes/s,
// flop/s. A file may contain 17179869184 or "16GiB". A unit string is converted by one correctly
// rounded operation, so "10us" is exactly 10 / 1e6 and every reader gets the same double.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace berth {

enum class Dimension { bytes, seconds, bytes_per_second, flops };

inline constexpr std::int64_t kUnlimitedBytes = std::numeric_limits<std::int64_t>::max();

// Parses "16GiB", "25GB/s", "200Gb/s" (bits), "10us", "9.3TFLOPS". Finite and not negative. Throws
// InputError with the list of the dimension's units when it is anything else.
double parse_quantity(std::string_view text, Dimension dimension);

// A double as bytes: rounded to the nearest integer; throws InputError if it does not fit 63 bits.
std::int64_t to_bytes(double bytes);

// For people: "1.50 GiB", "12.3 ms", "25.0 GB/s", "9.3 TFLOPS".
std::string format_bytes(std::int64_t bytes);
std::string format_seconds(double seconds);
std::string format_rate(double bytes_per_second);
std::string format_flops(double flops);
std::string format_count(std::uint64_t count);  // 12,345,678

}  // namespace berth
