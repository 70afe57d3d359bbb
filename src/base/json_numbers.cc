// The numbers of JsonReader: the token as RFC 8259 writes it, and its meaning as a double, an exact
// integer or a quantity with a unit.
#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "base/decimal.h"
#include "base/error.h"
#include "base/json_reader.h"

namespace berth {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The number as an integer without passing through a double, if it is written as one and fits.
std::optional<std::int64_t> exact_integer(std::string_view number) {
  std::int64_t value = 0;
  const char* end = number.data() + number.size();
  const auto [stop, error] = std::from_chars(number.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

bool is_written_as_integer(std::string_view number) {
  return number.find_first_of(".eE") == std::string_view::npos;
}

}  // namespace

void JsonReader::skip_digits() {
  if (at_ == text_.size() || !is_digit(text_[at_])) fail_expected("a digit of a number");
  while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
}

std::string_view JsonReader::number_token() {
  const std::size_t begin = at_;
  if (text_[at_] != '-' && !is_digit(text_[at_])) fail_expected("a number");
  if (text_[at_] == '-') ++at_;
  const std::size_t first_digit = at_;
  skip_digits();
  if (text_[first_digit] == '0' && at_ - first_digit > 1) {
    fail_at(begin, fmt::format("the number {} may not begin with a zero",
                               text_.substr(begin, std::min<std::size_t>(at_ - begin, 40))));
  }
  if (at_ < text_.size() && text_[at_] == '.') {
    ++at_;
    skip_digits();
  }
  if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
    ++at_;
    if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) ++at_;
    skip_digits();
  }
  return text_.substr(begin, at_ - begin);
}

double JsonReader::to_double(std::string_view number) const {
  const double value = parse_decimal(number).value;
  if (!std::isfinite(value)) {
    fail(fmt::format("the number {} is too large: it must be finite as a double",
                     number.substr(0, 40)));
  }
  return value;
}

double JsonReader::read_double() {
  begin_value("a number");
  return to_double(number_token());
}

double JsonReader::read_quantity(Dimension dimension, std::string_view what) {
  const Kind kind = peek();
  if (kind == Kind::string) {
    const std::string_view text = string_token();
    try {
      return parse_quantity(text, dimension);
    } catch (const InputError& error) {
      fail(fmt::format("{}: {}", what, error.what()));
    }
  }
  if (kind != Kind::number) {
    fail(fmt::format("{} must be a number or a string with a unit but is {}", what,
                     describe_here()));
  }
  const std::string_view number = number_token();
  const double value = to_double(number);
  if (value < 0) fail(fmt::format("{} must not be negative but is {}", what, number));
  return value + 0.0;  // a minus zero becomes a plain one
}

std::int64_t JsonReader::read_bytes(std::string_view what) {
  if (peek() == Kind::number) {
    const std::size_t begin = at_;
    const std::string_view number = number_token();
    const auto exact = exact_integer(number);
    if (exact && *exact >= 0) return *exact;
    if (!exact && is_written_as_integer(number) && number.front() != '-') {
      fail(fmt::format("{} must fit in 63 bits but is {}", what, number.substr(0, 40)));
    }
    at_ = begin;
  }
  const double bytes = read_quantity(Dimension::bytes, what);
  if (bytes >= 0x1p63) fail(fmt::format("{} must fit in 63 bits but is {:g} bytes", what, bytes));
  return to_bytes(bytes);
}

std::int64_t JsonReader::read_integer(std::int64_t low, std::int64_t high, std::string_view what) {
  const Kind kind = peek();
  const std::string found = kind == Kind::number ? std::string() : describe_here();
  if (kind == Kind::number) {
    const std::string_view number = number_token();
    std::optional<std::int64_t> value = exact_integer(number);
    if (!value && !is_written_as_integer(number)) {
      const double real = to_double(number);
      if (real == std::trunc(real) && std::abs(real) < 0x1p63) {
        value = static_cast<std::int64_t>(real);
      }
    }
    if (value && *value >= low && *value <= high) return *value;
    fail(fmt::format("{} must be a whole number from {} to {} but is {}", what, low, high,
                     number.substr(0, 40)));
  }
  fail(fmt::format("{} must be a whole number but is {}", what, found));
}

}  // namespace berth
