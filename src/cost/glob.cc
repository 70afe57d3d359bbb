#include "cost/glob.h"

#include <algorithm>
#include <cstring>

#include "base/utf8.h"

namespace berth {
namespace {

constexpr std::size_t kAscii = 128;
constexpr std::size_t kWordBits = 64;

// Length in bytes of the character at `at`; invalid UTF-8 is taken byte by byte.
std::size_t length_at(std::string_view text, std::size_t at) {
  if (static_cast<unsigned char>(text[at]) < kAscii) return 1;
  const std::size_t length = decode_utf8(text, at).length;
  return length == 0 ? 1 : length;
}

// Matches one of the characters in brackets, ranges such as a-z included, or after ! any other, as
// in a shell. `at` is behind the opening bracket and is moved behind the closing one, which must
// exist.
bool set_matches(std::string_view pattern, std::size_t& at, char32_t character) {
  bool found = false;
  const bool negated = pattern[at] == '!';
  if (negated) ++at;
  const auto next = [&] {
    const CodePoint point = decode_utf8(pattern, at);
    at += point.length == 0 ? 1 : point.length;
    return point.value;
  };
  do {
    const char32_t low = next();
    char32_t high = low;
    const bool range = at + 1 < pattern.size() && pattern[at] == '-' && pattern[at + 1] != ']';
    if (range) {
      ++at;
      high = next();
    }
    found = found || (low <= character && character <= high);
  } while (pattern[at] != ']');
  ++at;
  return found != negated;
}

// Whether an opening bracket at `at` begins a set: it must be closed, with something inside.
bool begins_set(std::string_view pattern, std::size_t at) {
  if (pattern[at] != '[') return false;
  const std::size_t first = at + (pattern.substr(at).starts_with("[!") ? 2 : 1);
  return pattern.find(']', first + 1) != std::string_view::npos;
}

// A unit is a character that stands for itself, ? or a set.
bool unit_matches(std::string_view unit, std::string_view character) {
  if (unit == "?") return true;
  if (unit.size() == 1 || unit[0] != '[') return unit == character;
  std::size_t behind_bracket = 1;
  return set_matches(unit, behind_bracket, decode_utf8(character, 0).value);
}

// The first position of plain text from `at` on. memmem is linear even if the text repeats itself,
// which std::string_view::find is not.
std::size_t find_plain(std::string_view text, std::string_view name, std::size_t at) {
  if (at + text.size() > name.size()) return std::string_view::npos;
  const void* found = memmem(name.data() + at, name.size() - at, text.data(), text.size());
  if (!found) return std::string_view::npos;
  return static_cast<std::size_t>(static_cast<const char*>(found) - name.data());
}

}  // namespace

Glob::Glob(std::string_view pattern) : pattern_(pattern), pieces_(1) {
  for (std::size_t at = 0; at < pattern.size();) {
    if (pattern[at] == '*') {
      // Stars in a row are one.
      if (pieces_.size() == 1 || !pieces_.back().text.empty()) pieces_.emplace_back();
      ++at;
      continue;
    }
    Piece& piece = pieces_.back();
    std::size_t end = at + 1;
    const bool is_set = begins_set(pattern, at);
    if (is_set) {
      set_matches(pattern, end, 0);  // for where it closes
    } else {
      end = at + length_at(pattern, at);
    }
    piece.plain = piece.plain && pattern[at] != '?' && !is_set;
    piece.units.emplace_back(pattern.substr(at, end - at));
    piece.text += piece.units.back();
    at = end;
  }
  for (Piece& piece : pieces_) {
    if (!piece.plain) fill_masks(piece);
  }
}

void Glob::fill_masks(Piece& piece) {
  const std::size_t words = (piece.units.size() + kWordBits - 1) / kWordBits;
  piece.masks.assign(kAscii * words, 0);
  for (std::size_t c = 0; c < kAscii; ++c) {
    const char character = static_cast<char>(c);
    for (std::size_t unit = 0; unit < piece.units.size(); ++unit) {
      if (!unit_matches(piece.units[unit], {&character, 1})) continue;
      piece.masks[c * words + unit / kWordBits] |= std::uint64_t{1} << unit % kWordBits;
    }
  }
}

// Bit k of the state says that the last k + 1 characters match the first k + 1 units.
std::size_t Glob::find_end(const Piece& piece, std::string_view name, std::size_t at, Where where) {
  const std::size_t last = piece.units.size() - 1;
  const std::size_t words = last / kWordBits + 1;
  std::vector<std::uint64_t> state(words, 0);
  for (bool is_first = true; at < name.size(); is_first = false) {
    const std::size_t length = length_at(name, at);
    const auto byte = static_cast<unsigned char>(name[at]);
    std::uint64_t carry = is_first || where != Where::here ? 1 : 0;
    for (std::size_t word = 0; word < words; ++word) {
      const std::uint64_t shifted = state[word] << 1 | carry;
      carry = state[word] >> (kWordBits - 1);
      std::uint64_t mask = 0;
      if (byte < kAscii) {
        mask = piece.masks[byte * words + word];
      } else {
        // Characters beyond ASCII have no table, so their units are compared one by one.
        for (std::size_t unit = word * kWordBits; unit <= std::min(last, word * kWordBits + 63);
             ++unit) {
          const bool matches = unit_matches(piece.units[unit], name.substr(at, length));
          mask |= std::uint64_t{matches} << unit % kWordBits;
        }
      }
      state[word] = shifted & mask;
    }
    at += length;
    const bool ended = (state[last / kWordBits] >> last % kWordBits & 1) != 0;
    if (ended && (where != Where::at_the_end || at == name.size())) return at;
    // Tied to the beginning, no match can begin any more.
    if (where == Where::here && std::ranges::count(state, 0u) == static_cast<std::ptrdiff_t>(words))
      break;
  }
  return std::string_view::npos;
}

bool Glob::matches(std::string_view name) const {
  if (pattern_ == name) return true;
  std::size_t at = 0;
  // A piece taken where it is found first leaves the most for those that follow, so this greedy
  // choice never misses a match.
  for (std::size_t i = 0; i + 1 < pieces_.size(); ++i) {
    const Piece& piece = pieces_[i];
    if (piece.text.empty()) continue;
    if (!piece.plain) {
      at = find_end(piece, name, at, i == 0 ? Where::here : Where::anywhere);
    } else if (i == 0) {
      at = name.starts_with(piece.text) ? piece.text.size() : std::string_view::npos;
    } else {
      at = find_plain(piece.text, name, at);
      if (at != std::string_view::npos) at += piece.text.size();
    }
    if (at == std::string_view::npos) return false;
  }
  const Piece& last = pieces_.back();
  const bool alone = pieces_.size() == 1;
  if (last.plain) {
    if (alone) return name == last.text;
    return name.size() - at >= last.text.size() && name.ends_with(last.text);
  }
  return find_end(last, name, at, alone ? Where::here : Where::at_the_end) == name.size();
}

bool glob_matches(std::string_view pattern, std::string_view name) {
  return Glob(pattern).matches(name);
}

}  // namespace berth
