#include "cost/glob.h"

#include <cstring>

#include "base/utf8.h"

namespace berth {
namespace {

// Bytes of the character at `at`; what is no UTF-8 goes byte by byte.
std::size_t length_at(std::string_view text, std::size_t at) {
  const std::size_t length = decode_utf8(text, at).length;
  return length == 0 ? 1 : length;
}

// One of the characters in brackets, ranges such as a-z included. `at` stands behind the opening
// bracket and is moved behind the closing one, which must be there.
bool set_matches(std::string_view pattern, std::size_t& at, char32_t character) {
  bool found = false;
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
  return found;
}

// Whether an opening bracket at `at` begins a set: it must be closed, with something inside.
bool begins_set(std::string_view pattern, std::size_t at) {
  return pattern[at] == '[' && pattern.find(']', at + 2) != std::string_view::npos;
}

// How many bytes of the name the piece takes from `at` on; npos where it does not match there.
std::size_t match_at(std::string_view piece, std::string_view name, std::size_t at) {
  const std::size_t begin = at;
  for (std::size_t i = 0; i < piece.size();) {
    if (at >= name.size()) return std::string_view::npos;
    const std::size_t length = length_at(name, at);
    if (piece[i] == '?') {
      ++i;
    } else if (begins_set(piece, i)) {
      ++i;
      if (!set_matches(piece, i, decode_utf8(name, at).value)) return std::string_view::npos;
    } else {
      if (!piece.substr(i).starts_with(name.substr(at, length))) return std::string_view::npos;
      i += length;
    }
    at += length;
  }
  return at - begin;
}

// Where plain text is found first from `at` on. memmem is linear however the text repeats itself,
// which std::string_view::find is not.
std::size_t find_plain(std::string_view text, std::string_view name, std::size_t at) {
  if (at + text.size() > name.size()) return std::string_view::npos;
  const void* found = memmem(name.data() + at, name.size() - at, text.data(), text.size());
  if (!found) return std::string_view::npos;
  return static_cast<std::size_t>(static_cast<const char*>(found) - name.data());
}

}  // namespace

Glob::Glob(std::string_view pattern) : pattern_(pattern), pieces_(1) {
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    if (pattern[at] == '*') {
      // Stars in a row are one.
      if (pieces_.size() == 1 || !pieces_.back().text.empty()) pieces_.emplace_back();
      continue;
    }
    Piece& piece = pieces_.back();
    std::size_t end = at + 1;
    if (begins_set(pattern, at)) set_matches(pattern, end, 0);
    piece.plain = piece.plain && pattern[at] != '?' && end == at + 1;
    piece.text += pattern.substr(at, end - at);
    at = end - 1;
  }
}

bool Glob::matches(std::string_view name) const {
  if (pattern_ == name) return true;
  const Piece& first = pieces_.front();
  if (first.plain && !name.starts_with(first.text)) return false;
  std::size_t at = first.plain ? first.text.size() : match_at(first.text, name, 0);
  if (at == std::string_view::npos) return false;
  if (pieces_.size() == 1) return at == name.size();
  // Each piece where it is found first leaves most to those that follow.
  for (std::size_t i = 1; i + 1 < pieces_.size(); ++i) {
    const Piece& piece = pieces_[i];
    if (piece.plain) {
      at = find_plain(piece.text, name, at);
      if (at == std::string_view::npos) return false;
      at += piece.text.size();
      continue;
    }
    std::size_t taken = std::string_view::npos;
    while (at < name.size()) {
      taken = match_at(piece.text, name, at);
      if (taken != std::string_view::npos) break;
      at += length_at(name, at);
    }
    if (taken == std::string_view::npos) return false;
    at += taken;
  }
  const Piece& last = pieces_.back();
  if (last.plain) {
    return name.size() - at >= last.text.size() && name.ends_with(last.text);
  }
  for (; at < name.size(); at += length_at(name, at)) {
    if (match_at(last.text, name, at) == name.size() - at) return true;
  }
  return false;
}

bool glob_matches(std::string_view pattern, std::string_view name) {
  return Glob(pattern).matches(name);
}

}  // namespace berth
