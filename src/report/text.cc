#include "report/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/units.h"
#include "base/utf8.h"

namespace berth {
namespace {

bool is_control(char32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x200b && c <= 0x200f) ||
         (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

bool is_combining(char32_t c) {
  return (c >= 0x300 && c <= 0x36f) || (c >= 0x1ab0 && c <= 0x1aff) ||
         (c >= 0x20d0 && c <= 0x20ff) || (c >= 0xfe00 && c <= 0xfe0f);
}

bool is_wide(char32_t c) {
  return (c >= 0x1100 && c <= 0x115f) || (c >= 0x2e80 && c <= 0xa4cf) ||
         (c >= 0xac00 && c <= 0xd7a3) || (c >= 0xf900 && c <= 0xfaff) ||
         (c >= 0xfe30 && c <= 0xfe6f) || (c >= 0xff00 && c <= 0xff60) ||
         (c >= 0xffe0 && c <= 0xffe6) || (c >= 0x1f300 && c <= 0x1faff) ||
         (c >= 0x20000 && c <= 0x3fffd);
}

std::size_t columns_of(char32_t c) {
  if (is_control(c) || is_combining(c)) return 0;
  return is_wide(c) ? 2 : 1;
}

// Length of the colour code that starts at `at`, or 0.
std::size_t escape_length(std::string_view text, std::size_t at) {
  if (text[at] != '\x1b' || at + 1 >= text.size() || text[at + 1] != '[') return 0;
  const std::size_t end = text.find('m', at);
  return end == std::string_view::npos ? 0 : end + 1 - at;
}

std::string without_controls(std::string_view name) {
  std::string out;
  for (std::size_t at = 0; at < name.size();) {
    const CodePoint point = decode_utf8(name, at);
    if (point.length == 0 || is_control(point.value)) {
      out += '?';
    } else {
      out += name.substr(at, point.length);
    }
    at += std::max<std::size_t>(point.length, 1);
  }
  return out;
}

// The bytes of the longest start of valid text that takes at most `columns`.
std::size_t prefix_bytes(std::string_view text, std::size_t columns) {
  std::size_t at = 0;
  while (at < text.size()) {
    const CodePoint point = decode_utf8(text, at);
    const std::size_t width = columns_of(point.value);
    if (width > columns) break;
    columns -= width;
    at += std::max<std::size_t>(point.length, 1);
  }
  return at;
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t skipped = escape_length(text, at)) {
      at += skipped;
      continue;
    }
    const CodePoint point = decode_utf8(text, at);
    width += point.length == 0 ? 1 : columns_of(point.value);
    at += std::max<std::size_t>(point.length, 1);
  }
  return width;
}

std::string plain_name(std::string_view name, std::size_t most) {
  std::string safe = without_controls(name);
  const std::size_t width = display_width(safe);
  if (width <= most) return safe;
  const std::size_t tail = most / 2;
  const std::size_t head = most - tail - 1;
  // The end is what remains after as many columns as leave `tail`.
  const std::size_t tail_begin = prefix_bytes(safe, width - tail);
  return safe.substr(0, prefix_bytes(safe, head)) + "…" + safe.substr(tail_begin);
}

std::string format_percent(double fraction) {
  const double percent = fraction * 100;
  const double size = std::abs(percent);
  if (!std::isfinite(percent)) return "unknown";
  if (size == 0 || size >= 9.95) return fmt::format("{:.0f}%", percent);
  if (size >= 0.095) return fmt::format("{:.1f}%", percent);
  return size >= 0.005 ? fmt::format("{:.2f}%", percent) : "<0.01%";
}

std::string format_ratio(double ratio) {
  if (!std::isfinite(ratio)) return "-";
  if (ratio >= 99.95) return fmt::format("{:.0f}x", ratio);
  return ratio >= 9.995 ? fmt::format("{:.1f}x", ratio) : fmt::format("{:.2f}x", ratio);
}

std::string format_number_of(std::size_t count, std::string_view singular,
                             std::string_view plural) {
  if (count == 1) return fmt::format("1 {}", singular);
  if (plural.empty()) return fmt::format("{} {}s", format_count(count), singular);
  return fmt::format("{} {}", format_count(count), plural);
}

std::string text_bar(double fraction, std::size_t width) {
  const double clamped = std::clamp(std::isfinite(fraction) ? fraction : 0.0, 0.0, 1.0);
  auto filled = static_cast<std::size_t>(std::lround(clamped * static_cast<double>(width)));
  // Something is never shown as nothing.
  if (filled == 0 && clamped > 0.01) filled = 1;
  std::string bar;
  for (std::size_t i = 0; i < width; ++i) bar += i < filled ? "█" : "░";
  return bar;
}

std::string wrap_text(std::string_view paragraph, std::size_t width, std::size_t indent) {
  std::string out;
  std::size_t column = 0;
  for (std::size_t at = 0; at < paragraph.size();) {
    std::size_t end = paragraph.find(' ', at);
    if (end == std::string_view::npos) end = paragraph.size();
    const std::string_view word = paragraph.substr(at, end - at);
    at = end + 1;
    if (word.empty()) continue;
    const std::size_t word_width = display_width(word);
    if (column > 0 && indent + column + 1 + word_width <= width) {
      out += ' ';
      column += 1;
    } else {
      if (column > 0) out += '\n';
      out.append(indent, ' ');
      column = 0;
    }
    out += word;
    column += word_width;
  }
  return out + "\n";
}

std::string Ink::wrap(std::string_view code, std::string_view text) const {
  if (!color_ || text.empty()) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

}  // namespace berth
