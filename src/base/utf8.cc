#include "base/utf8.h"

namespace berth {
namespace {

constexpr CodePoint kInvalid{};

unsigned byte_at(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

// The smallest code point that needs that many bytes; anything less is an overlong form, by which
// a forbidden character could be smuggled past a check.
constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};

}  // namespace

CodePoint decode_utf8(std::string_view text, std::size_t at) {
  const unsigned lead = byte_at(text, at);
  if (lead < 0x80) return {lead, 1};
  std::size_t length = 0;
  char32_t value = 0;
  if ((lead & 0xe0) == 0xc0) {
    length = 2;
    value = lead & 0x1f;
  } else if ((lead & 0xf0) == 0xe0) {
    length = 3;
    value = lead & 0x0f;
  } else if ((lead & 0xf8) == 0xf0) {
    length = 4;
    value = lead & 0x07;
  } else {
    return kInvalid;
  }
  if (text.size() - at < length) return kInvalid;
  for (std::size_t i = 1; i < length; ++i) {
    const unsigned byte = byte_at(text, at + i);
    if ((byte & 0xc0) != 0x80) return kInvalid;
    value = (value << 6) | (byte & 0x3f);
  }
  const bool surrogate = value >= 0xd800 && value <= 0xdfff;
  if (value < kSmallest[length] || surrogate || value > 0x10ffff) return kInvalid;
  return {value, length};
}

std::size_t find_invalid_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    if (byte_at(text, at) < 0x80) {
      ++at;
      continue;
    }
    const CodePoint point = decode_utf8(text, at);
    if (point.length == 0) return at;
    at += point.length;
  }
  return std::string_view::npos;
}

bool is_control(char32_t c) {
  if (c < 0x300) return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xad;
  return c == 0x61c || c == 0x180e || (c >= 0x200b && c <= 0x200f) ||
         (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff ||
         (c >= 0xfff9 && c <= 0xfffb) || (c >= 0xe0000 && c <= 0xe007f);
}

std::string without_controls(std::string_view text, char instead) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = decode_utf8(text, at);
    if (point.length == 0 || is_control(point.value)) {
      out += instead;
    } else {
      out += text.substr(at, point.length);
    }
    at += point.length == 0 ? 1 : point.length;
  }
  return out;
}

void append_utf8(std::string& out, char32_t code_point) {
  const auto byte = [&out](char32_t bits) { out += static_cast<char>(bits); };
  if (code_point < 0x80) {
    byte(code_point);
    return;
  }
  if (code_point < 0x800) {
    byte(0xc0 | (code_point >> 6));
  } else {
    if (code_point < 0x10000) {
      byte(0xe0 | (code_point >> 12));
    } else {
      byte(0xf0 | (code_point >> 18));
      byte(0x80 | ((code_point >> 12) & 0x3f));
    }
    byte(0x80 | ((code_point >> 6) & 0x3f));
  }
  byte(0x80 | (code_point & 0x3f));
}

}  // namespace berth
