#include "base/json_writer.h"

#include <array>
#include <cassert>
#include <charconv>
#include <cmath>

#include "base/utf8.h"

namespace berth {
namespace {

constexpr std::array<bool, 256> kPlain = [] {
  std::array<bool, 256> plain{};
  for (std::size_t c = 0x20; c < 0x7f; ++c) plain[c] = c != '"' && c != '\\';
  return plain;
}();

template <class Number>
void append_number(std::string& out, Number number) {
  char buffer[32];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, number);
  assert(error == std::errc());
  out.append(buffer, end);
}

void append_escaped_unit(std::string& out, std::uint32_t unit) {
  constexpr std::string_view kHex = "0123456789abcdef";
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += kHex[unit >> shift & 0xf];
}

// JSON has escapes of 16 bits; what is beyond takes two.
void append_escaped_point(std::string& out, char32_t point) {
  const auto number = static_cast<std::uint32_t>(point);
  if (number < 0x10000) return append_escaped_unit(out, number);
  append_escaped_unit(out, 0xd800 + ((number - 0x10000) >> 10));
  append_escaped_unit(out, 0xdc00 + ((number - 0x10000) & 0x3ff));
}

void append_escaped(std::string& out, char c) {
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      break;
  }
  append_escaped_unit(out, static_cast<unsigned char>(c));
}

}  // namespace

JsonWriter& JsonWriter::begin_object() { return open('{', false); }
JsonWriter& JsonWriter::begin_flat_object() { return open('{', true); }
JsonWriter& JsonWriter::end_object() { return close('}'); }
JsonWriter& JsonWriter::begin_array() { return open('[', false); }
JsonWriter& JsonWriter::begin_flat_array() { return open('[', true); }
JsonWriter& JsonWriter::end_array() { return close(']'); }

JsonWriter& JsonWriter::open(char bracket, bool flat) {
  separate();
  const bool inside_flat = !levels_.empty() && levels_.back().flat;
  out_ += bracket;
  levels_.push_back({.flat = flat || inside_flat || style_ == Style::compact, .empty = true});
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  assert(!levels_.empty() && !after_key_);
  const Level level = levels_.back();
  levels_.pop_back();
  if (!level.flat && !level.empty) new_line();
  out_ += bracket;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  assert(!levels_.empty() && !after_key_);
  separate();
  append_quoted(name);
  out_ += style_ == Style::compact ? ":" : ": ";
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
  separate();
  append_quoted(text);
  return *this;
}

JsonWriter& JsonWriter::value(double number) {
  if (!std::isfinite(number)) return null();
  separate();
  // The shortest form of 2000000 is 2e+06. Whole numbers are easier to read and just as exact. Not
  // for -0.0, whose sign would be lost.
  const bool whole = std::abs(number) < 1e15 && number == std::trunc(number);
  if (whole && !(number == 0 && std::signbit(number))) {
    append_number(out_, static_cast<std::int64_t>(number));
  } else {
    append_number(out_, number);
  }
  return *this;
}

JsonWriter& JsonWriter::value(bool flag) {
  separate();
  out_ += flag ? "true" : "false";
  return *this;
}

JsonWriter& JsonWriter::null() {
  separate();
  out_ += "null";
  return *this;
}

JsonWriter& JsonWriter::signed_value(std::int64_t number) {
  separate();
  append_number(out_, number);
  return *this;
}

JsonWriter& JsonWriter::unsigned_value(std::uint64_t number) {
  separate();
  append_number(out_, number);
  return *this;
}

std::string JsonWriter::take() {
  assert(levels_.empty() && !after_key_);
  out_ += '\n';
  std::string finished = std::move(out_);
  out_.clear();
  return finished;
}

// Whatever goes between the last thing written and the next key, element or value.
void JsonWriter::separate() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (levels_.empty()) return;
  Level& level = levels_.back();
  if (!level.empty) out_ += level.flat && style_ == Style::indented ? ", " : ",";
  level.empty = false;
  if (!level.flat) new_line();
}

void JsonWriter::new_line() {
  out_ += '\n';
  out_.append(2 * levels_.size(), ' ');
}

void JsonWriter::append_quoted(std::string_view text) {
  out_ += '"';
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && kPlain[static_cast<unsigned char>(text[end])]) ++end;
    out_ += text.substr(at, end - at);
    at = end;
    if (at == text.size()) break;
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      append_escaped(out_, text[at++]);
      continue;
    }
    // The output must be valid whatever a name contains, so invalid bytes become U+FFFD.
    const CodePoint point = decode_utf8(text, at);
    if (point.length == 0) {
      append_utf8(out_, 0xfffd);
      ++at;
      continue;
    }
    if (is_control(point.value)) {
      append_escaped_point(out_, point.value);
    } else {
      out_ += text.substr(at, point.length);
    }
    at += point.length;
  }
  out_ += '"';
}

}  // namespace berth
