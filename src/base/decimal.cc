#include "base/decimal.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace berth {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Whether a number that from_chars reports as out of range is too large rather than too small:
// decided by the decimal position of its first nonzero digit plus the exponent.
bool is_too_large(std::string_view number) {
  const std::size_t exponent_mark = std::min(number.find_first_of("eE"), number.size());
  const std::string_view mantissa = number.substr(0, exponent_mark);
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const std::size_t first = mantissa.find_first_of("123456789");
  if (first == std::string_view::npos) return false;
  if (exponent_mark == number.size()) return first < point;
  const bool negative = number[exponent_mark + 1] == '-';
  std::size_t at = exponent_mark + 1;
  if (negative || number[at] == '+') ++at;
  long long exponent = 0;
  constexpr long long kEnough = 1'000'000'000'000'000;
  for (; at < number.size(); ++at) exponent = std::min(exponent * 10 + (number[at] - '0'), kEnough);
  if (negative) exponent = -exponent;
  return static_cast<long long>(point) - static_cast<long long>(first) + exponent > 0;
}

}  // namespace

Decimal parse_decimal(std::string_view text) {
  const bool negative = !text.empty() && text[0] == '-';
  const std::size_t begin = negative ? 1 : 0;
  const bool has_digit = text.size() > begin &&
                         (is_digit(text[begin]) || (text[begin] == '.' && text.size() > begin + 1 &&
                                                    is_digit(text[begin + 1])));
  if (!has_digit) return {};
  Decimal result;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result.value);
  result.length = static_cast<std::size_t>(end - text.data());
  if (error == std::errc::result_out_of_range) {
    result.value = is_too_large(text.substr(begin, result.length - begin))
                       ? std::numeric_limits<double>::infinity()
                       : 0.0;
    if (negative) result.value = -result.value;
  }
  return result;
}

std::optional<std::int64_t> parse_whole_number(std::string_view text) {
  std::int64_t integer = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, integer);
  if (error == std::errc() && stop == end) return integer;
  const Decimal decimal = parse_decimal(text);
  const bool whole = decimal.length == text.size() && decimal.length > 0 &&
                     std::abs(decimal.value) < 0x1p63 && decimal.value == std::trunc(decimal.value);
  // Without a point or an exponent it is a row of digits beyond 64 bits, which a double would
  // round.
  if (!whole || text.find_first_of(".eE") == text.npos) return std::nullopt;
  return static_cast<std::int64_t>(decimal.value);
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

}  // namespace berth
