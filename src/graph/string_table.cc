#include <functional>

#include "graph/graph.h"

namespace berth {
namespace {

constexpr std::uint32_t kEmpty = 0xffffffffu;

std::size_t hash_of(std::string_view text) { return std::hash<std::string_view>()(text); }
// Other bits than those that choose the slot.
std::uint32_t mark_of(std::size_t hash) { return static_cast<std::uint32_t>(hash >> 32); }

}  // namespace

// Where the text is, or the empty slot where it would go.
std::size_t StringTable::find_slot(std::string_view text, std::size_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    if (slots_[at].number == kEmpty) return at;
    if (slots_[at].hash == mark_of(hash) && (*this)[slots_[at].number] == text) return at;
  }
}

void StringTable::grow() {
  slots_.assign(slots_.empty() ? 16 : 2 * slots_.size(), Slot{kEmpty, 0});
  for (std::uint32_t number = 0; number < size(); ++number) {
    const std::size_t hash = hash_of((*this)[number]);
    slots_[find_slot((*this)[number], hash)] = {number, mark_of(hash)};
  }
}

std::uint32_t StringTable::intern(std::string_view text) {
  // Load stays at or below two thirds, where linear probing is still short.
  if (3 * (static_cast<std::size_t>(size()) + 1) > 2 * slots_.size()) grow();
  const std::size_t hash = hash_of(text);
  Slot& slot = slots_[find_slot(text, hash)];
  if (slot.number == kEmpty) {
    slot = {size(), mark_of(hash)};
    characters_ += text;
    begins_.push_back(characters_.size());
  }
  return slot.number;
}

std::optional<std::uint32_t> StringTable::find(std::string_view text) const {
  if (slots_.empty()) return std::nullopt;
  const Slot& slot = slots_[find_slot(text, hash_of(text))];
  if (slot.number == kEmpty) return std::nullopt;
  return slot.number;
}

}  // namespace berth
