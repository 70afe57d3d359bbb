#include <cassert>
#include <functional>

#include "graph/graph.h"

namespace berth {
namespace {

constexpr std::uint32_t kEmpty = 0xffffffffu;

std::size_t hash_of(std::string_view text) { return std::hash<std::string_view>()(text); }

}  // namespace

std::uint32_t* StringTable::slot(std::string_view text, std::uint64_t hash) {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  while (slots_[at] != kEmpty && (*this)[slots_[at]] != text) at = (at + 1) & mask;
  return &slots_[at];
}

void StringTable::grow() {
  slots_.assign(slots_.empty() ? 16 : 2 * slots_.size(), kEmpty);
  for (std::uint32_t number = 0; number < size(); ++number) {
    *slot((*this)[number], hash_of((*this)[number])) = number;
  }
}

std::uint32_t StringTable::intern(std::string_view text) {
  // Load stays at or below two thirds, where linear probing is still short.
  if (3 * (static_cast<std::size_t>(size()) + 1) > 2 * slots_.size()) grow();
  std::uint32_t* found = slot(text, hash_of(text));
  if (*found == kEmpty) {
    *found = size();
    characters_ += text;
    begins_.push_back(characters_.size());
  }
  return *found;
}

std::optional<std::uint32_t> StringTable::find(std::string_view text) const {
  if (slots_.empty()) return std::nullopt;
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash_of(text) & mask; slots_[at] != kEmpty; at = (at + 1) & mask) {
    if ((*this)[slots_[at]] == text) return slots_[at];
  }
  return std::nullopt;
}

}  // namespace berth
