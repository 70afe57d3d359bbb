#include "learn/policy_layout.h"

#include <algorithm>

#include "base/sha256.h"

namespace berth::learn::policy_layout {

std::optional<std::uint64_t> array_bytes(StoredArray::Type type,
                                         std::span<const std::int64_t> shape, std::uint64_t most) {
  // Nothing times anything is nothing, however large.
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  std::uint64_t bytes = kTypeBytes[static_cast<std::size_t>(type)];
  for (const std::int64_t dimension : shape) {
    if (static_cast<std::uint64_t>(dimension) > most / bytes) return std::nullopt;
    bytes *= static_cast<std::uint64_t>(dimension);
  }
  if (bytes > most) return std::nullopt;
  return bytes;
}

std::string checksum_of(std::string_view bytes) {
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  const std::string hex = sha256_hex(bytes);
  std::string raw;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    raw += static_cast<char>(16 * digit(hex[i]) + digit(hex[i + 1]));
  }
  return raw;
}

}  // namespace berth::learn::policy_layout
