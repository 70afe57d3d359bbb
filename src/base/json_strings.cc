// The strings of JsonReader: a fast path for plain text, which is returned as a view of the input,
// and a slow one that resolves escapes into storage of the reader.
#include <fmt/format.h>

#include <array>

#include "base/error.h"
#include "base/json_reader.h"
#include "base/utf8.h"

namespace berth {
namespace {

// Bytes at which the scan of a plain string stops: the quote, the backslash, control characters.
constexpr std::array<bool, 256> kStops = [] {
  std::array<bool, 256> stops{};
  for (std::size_t c = 0; c < 0x20; ++c) stops[c] = true;
  stops['"'] = true;
  stops['\\'] = true;
  return stops;
}();

struct Scan {
  std::size_t stop;  // position of the first byte that stops, or the end of the text
  bool ascii;
};

Scan scan_plain(std::string_view text, std::size_t at) {
  unsigned seen = 0;
  while (at < text.size()) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (kStops[byte]) break;
    seen |= byte;
    ++at;
  }
  return {at, seen < 0x80};
}

}  // namespace

std::string_view JsonReader::string_token() {
  const std::size_t begin = at_ + 1;
  const Scan scan = scan_plain(text_, begin);
  if (!scan.ascii) validate_utf8(begin, scan.stop);
  if (scan.stop < text_.size() && text_[scan.stop] == '"') {
    at_ = scan.stop + 1;
    return text_.substr(begin, scan.stop - begin);
  }
  return unescape(begin);
}

std::string_view JsonReader::unescape(std::size_t begin) {
  std::string out;
  const std::size_t quote = begin - 1;
  at_ = begin;
  for (;;) {
    const Scan scan = scan_plain(text_, at_);
    if (!scan.ascii) validate_utf8(at_, scan.stop);
    out += text_.substr(at_, scan.stop - at_);
    at_ = scan.stop;
    if (at_ == text_.size()) fail_at(quote, "the text ends inside the string that begins here");
    const char c = text_[at_];
    if (c == '\n' || c == '\r')
      fail_at(quote, "the string that begins here is not closed on its line");
    if (c != '"' && c != '\\') {
      fail_at(at_, fmt::format("a control character (byte 0x{:02x}) must be escaped in a string",
                               static_cast<unsigned char>(c)));
    }
    ++at_;
    if (c == '"') break;
    append_escape(out);
  }
  return unescaped_.emplace_back(std::move(out));
}

void JsonReader::append_escape(std::string& out) {
  constexpr std::string_view kLetters = "\"\\/bfnrt";
  constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  const std::size_t backslash = at_ - 1;
  if (at_ == text_.size()) fail_at(backslash, "the text ends inside an escape of a string");
  const char c = text_[at_++];
  if (c == 'u') {
    append_unicode_escape(out);
    return;
  }
  const std::size_t index = kLetters.find(c);
  if (index == std::string_view::npos) {
    fail_at(backslash, fmt::format("{} is not an escape of JSON; write \\\\ for a backslash",
                                   quoted(text_.substr(backslash, 2))));
  }
  out += kMeanings[index];
}

void JsonReader::append_unicode_escape(std::string& out) {
  const std::size_t backslash = at_ - 2;
  const auto fail_lone = [&] {
    fail_at(backslash, fmt::format("{} is half of a surrogate pair without its other half",
                                   text_.substr(backslash, 6)));
  };
  char32_t code_point = read_hex4();
  if (code_point >= 0xdc00 && code_point <= 0xdfff) fail_lone();
  if (code_point >= 0xd800 && code_point <= 0xdbff) {
    if (!text_.substr(at_).starts_with("\\u")) fail_lone();
    at_ += 2;
    const char32_t low = read_hex4();
    if (low < 0xdc00 || low > 0xdfff) fail_lone();
    code_point = 0x10000 + ((code_point - 0xd800) << 10) + (low - 0xdc00);
  }
  append_utf8(out, code_point);
}

unsigned JsonReader::read_hex4() {
  const std::size_t backslash = at_ - 2;
  unsigned value = 0;
  for (int i = 0; i < 4; ++i, ++at_) {
    const char c = at_ < text_.size() ? text_[at_] : '\0';
    unsigned digit = 0;
    if (c >= '0' && c <= '9')
      digit = static_cast<unsigned>(c - '0');
    else if (c >= 'a' && c <= 'f')
      digit = static_cast<unsigned>(c - 'a' + 10);
    else if (c >= 'A' && c <= 'F')
      digit = static_cast<unsigned>(c - 'A' + 10);
    else
      fail_at(backslash, "\\u must be followed by four hexadecimal digits");
    value = value * 16 + digit;
  }
  return value;
}

void JsonReader::validate_utf8(std::size_t begin, std::size_t end) const {
  const std::size_t invalid = find_invalid_utf8(text_.substr(begin, end - begin));
  if (invalid == std::string_view::npos) return;
  fail_at(begin + invalid, fmt::format("the byte 0x{:02x} is not valid UTF-8",
                                       static_cast<unsigned char>(text_[begin + invalid])));
}

}  // namespace berth
