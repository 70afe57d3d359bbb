#include "report/html/packed_numbers.h"

#include <string_view>

namespace berth::report {

void PackedNumbers::add(std::int64_t number) {
  std::uint64_t rest = static_cast<std::uint64_t>(number) << 1;
  if (number < 0) rest = ~rest;
  for (; rest >= 0x80; rest >>= 7) bytes_ += static_cast<char>(rest | 0x80);
  bytes_ += static_cast<char>(rest);
}

std::string PackedNumbers::base64() const {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes_.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes_.size(); at += 3) {
    const auto byte = [&](std::size_t k) -> unsigned {
      return at + k < bytes_.size() ? static_cast<unsigned char>(bytes_[at + k]) : 0u;
    };
    const unsigned three = byte(0) << 16 | byte(1) << 8 | byte(2);
    for (std::size_t digit = 0; digit < 4; ++digit) {
      const bool there = at + digit <= bytes_.size();
      out += there ? kDigits[three >> (18 - 6 * digit) & 63] : '=';
    }
  }
  return out;
}

}  // namespace berth::report
