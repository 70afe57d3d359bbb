#include "report/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/quantity.h"
#include "base/terminal.h"
#include "base/utf8.h"

namespace berth::report {
namespace {

// Length of the colour code that starts at `at`, or 0.
std::size_t escape_length(std::string_view text, std::size_t at) {
  if (text[at] != '\x1b' || at + 1 >= text.size() || text[at + 1] != '[') return 0;
  const std::size_t end = text.find('m', at);
  return end == std::string_view::npos ? 0 : end + 1 - at;
}

}  // namespace

std::size_t visible_width(std::string_view text) {
  std::string without_codes;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t skipped = escape_length(text, at);
    if (skipped == 0) without_codes += text[at];
    at += std::max<std::size_t>(skipped, 1);
  }
  return static_cast<std::size_t>(display_width(without_codes));
}

std::string plain_name(std::string_view name, std::size_t most) {
  std::string safe = without_controls(name);
  const int width = display_width(safe);
  const int limit = static_cast<int>(most);
  if (width <= limit) return safe;
  const int tail = limit / 2;
  const int head = limit - tail - 1;
  std::size_t tail_begin = cut_to_width(safe, width - tail).size();
  // A wide character across the cut goes too.
  if (display_width(safe.substr(tail_begin)) > tail) {
    tail_begin += decode_utf8(safe, tail_begin).length;
  }
  return std::string(cut_to_width(safe, head)) + "…" + safe.substr(tail_begin);
}

std::string format_work(double flops) {
  // The same scale as rates, without the "per second".
  std::string text = format_flops(flops);
  const std::size_t end = text.find("FLOPS");
  return end == std::string::npos ? text : text.substr(0, end) + "flop";
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
  // A share above 0 is never shown as empty.
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
    const std::size_t word_width = visible_width(word);
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

std::string title_line(std::string_view model, std::string_view cluster, std::string_view method) {
  const auto line = [&](std::size_t most_model, std::size_t most_cluster, std::size_t most_method) {
    std::string text = plain_name(model, most_model) + " on " + plain_name(cluster, most_cluster);
    return method.empty() ? text : text + ", " + plain_name(method, most_method);
  };
  std::string whole = line(kPageColumns, kPageColumns, kPageColumns);
  if (visible_width(whole) <= kPageColumns) return whole;
  // Of model, cluster and method the model is the most informative.
  const std::size_t others = visible_width(line(1, 28, 24)) - 1;
  return line(kPageColumns - others, 28, 24);
}

std::string list_item(std::string_view sentence) {
  std::string lines = wrap_text(sentence, kPageColumns, 4);
  lines.replace(0, 4, "  - ");
  return lines;
}

std::string Ink::wrap(std::string_view code, std::string_view text) const {
  if (!color_ || text.empty()) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

}  // namespace berth::report
