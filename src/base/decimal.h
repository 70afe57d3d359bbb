// Decimal numbers at the start of a text, for unit strings, options and JSON. The standard's
// from_chars gives the correctly rounded double, but also accepts "inf" and "nan" and does not
// distinguish a number that is too large from one that is too small; this does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace berth {

struct Decimal {
  double value = 0;        // too small for a double becomes 0; infinite when too large
  std::size_t length = 0;  // characters it takes; 0 when the text does not begin with a number
};

// Digits with an optional fraction and exponent, and an optional minus sign in front.
Decimal parse_decimal(std::string_view text);

// The whole text as an integer that fits in 64 bits; 1e6 is one too, 1.5 and 1e19 are not.
std::optional<std::int64_t> parse_whole_number(std::string_view text);

// The text without white space at both ends.
std::string_view trimmed(std::string_view text);

}  // namespace berth
