#include "base/error.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"

namespace berth {
namespace {

constexpr std::size_t kLongestQuoted = 100;  // code points
constexpr std::size_t kLongestCompared = 64;
constexpr std::size_t kShortestAbbreviation = 3;

void append_escaped(std::string& out, char32_t c) {
  switch (c) {
    case '\n':
      out += "\\n";
      return;
    case '\t':
      out += "\\t";
      return;
    case '\r':
      out += "\\r";
      return;
    default:
      break;
  }
  const auto number = static_cast<std::uint32_t>(c);
  out += c < 0x100 ? fmt::format("\\x{:02x}", number) : fmt::format("\\u{:04x}", number);
}

std::string printable(std::string_view text, bool escape_quotes) {
  std::string out;
  std::size_t shown = 0;
  for (std::size_t at = 0; at < text.size(); ++shown) {
    if (shown == kLongestQuoted) return out + "...";
    const CodePoint point = decode_utf8(text, at);
    if (point.length == 0) {
      append_escaped(out, static_cast<unsigned char>(text[at]));
      ++at;
      continue;
    }
    if (is_control(point.value)) {
      append_escaped(out, point.value);
    } else {
      if (escape_quotes && (point.value == '"' || point.value == '\\')) out += '\\';
      out += text.substr(at, point.length);
    }
    at += point.length;
  }
  return out;
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other,
// upper and lower case being the same.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  const std::size_t width = b.size() + 1;
  std::vector<std::size_t> table((a.size() + 1) * width);
  const auto cell = [&](std::size_t i, std::size_t j) -> std::size_t& {
    return table[i * width + j];
  };
  for (std::size_t i = 0; i <= a.size(); ++i) cell(i, 0) = i;
  for (std::size_t j = 0; j <= b.size(); ++j) cell(0, j) = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      std::size_t best = std::min({cell(i - 1, j) + 1, cell(i, j - 1) + 1,
                                   cell(i - 1, j - 1) + (same ? std::size_t{0} : std::size_t{1})});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                           lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) best = std::min(best, cell(i - 2, j - 2) + 1);
      cell(i, j) = best;
    }
  }
  return cell(a.size(), b.size());
}

// The only known name that begins with the word: "memory" for "mem". None if there are several.
const std::string* abbreviated(std::string_view wrong, const std::vector<std::string>& known) {
  const std::string* only = nullptr;
  for (const std::string& name : known) {
    if (wrong.size() < kShortestAbbreviation || wrong.size() >= name.size()) continue;
    if (edit_distance(wrong, name.substr(0, wrong.size())) != 0) continue;
    if (only != nullptr) return nullptr;
    only = &name;
  }
  return only;
}

}  // namespace

InputError InputError::in(const std::string& source) const {
  ErrorFacts facts = facts_;
  if (facts.place.empty()) facts.place = source;
  return InputError(source + ": " + what(), std::move(facts));
}

std::string join_names(const std::vector<std::string>& names, std::size_t most) {
  // Counting a single name as "1 more" would take as much room as the name.
  const bool all = names.size() <= most + 1;
  const std::size_t shown = all ? names.size() : most;
  std::string out;
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) out += all && i + 1 == shown ? " and " : ", ";
    out += printable(names[i], false);
  }
  if (!all) out += fmt::format("{}{} more", shown > 0 ? " and " : "", names.size() - shown);
  return out;
}

std::string did_you_mean(std::string_view wrong, const std::vector<std::string>& known) {
  if (wrong.empty() || wrong.size() > kLongestCompared) return {};
  const std::string* nearest = nullptr;
  std::size_t nearest_distance = std::max<std::size_t>(1, wrong.size() / 3) + 1;
  for (const std::string& name : known) {
    const std::size_t gap =
        name.size() > wrong.size() ? name.size() - wrong.size() : wrong.size() - name.size();
    if (gap >= nearest_distance) continue;
    const std::size_t distance = edit_distance(wrong, name);
    // Any single letter is one edit away from any other, which is no similarity.
    if (distance < nearest_distance && distance < std::max(wrong.size(), name.size())) {
      nearest_distance = distance;
      nearest = &name;
    }
  }
  if (nearest == nullptr) nearest = abbreviated(wrong, known);
  return nearest ? fmt::format("; did you mean {}?", quoted(*nearest)) : std::string();
}

std::string quoted(std::string_view text) { return '"' + printable(text, true) + '"'; }

}  // namespace berth
