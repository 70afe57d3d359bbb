// UTF-8, as far as Berth needs it: is this text valid, and what is the next code point. Names come
// from other people's files, so every reader uses the same strict decoder (no overlong forms, no
// surrogates, nothing above U+10FFFF).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace berth {

struct CodePoint {
  char32_t value = 0;
  std::size_t length = 0;  // bytes it takes; 0 when the bytes are not valid UTF-8
};

// The code point that starts at text[at]; at < text.size().
CodePoint decode_utf8(std::string_view text, std::size_t at);

// Position of the first byte that is not valid UTF-8, or npos.
std::size_t find_invalid_utf8(std::string_view text);

// Whether it is a control instead of a visible character: controls (C0, DEL, C1) and marks that
// change the direction of a line, break it, have no width or change how others are shown. On a
// terminal they can move the cursor or make one name look like another, so they are never printed
// as they are.
bool is_control(char32_t code_point);

// The text with another character for each control and each byte that is no UTF-8.
std::string without_controls(std::string_view text, char instead = '?');

void append_utf8(std::string& out, char32_t code_point);

}  // namespace berth
