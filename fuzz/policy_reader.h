// readers.h for policy files. Their checksum keeps nearly every change of a file from being looked
// at, so texts are also tried as what stands inside a file that is whole.
#pragma once

#include <string>
#include <string_view>

#include "learn/policy_file.h"
#include "learn/policy_layout.h"
#include "readers.h"

namespace berth::fuzz {

inline std::string little_endian(std::uint64_t number, std::size_t bytes) {
  std::string out;
  for (std::size_t i = 0; i < bytes; ++i) out += static_cast<char>(number >> (8 * i) & 0xff);
  return out;
}

// The bytes with the checksum that belongs to them.
inline std::string sealed(std::string bytes) {
  const std::string checksum = learn::policy_layout::checksum_of(bytes);
  return std::move(bytes) + checksum;
}

inline std::string policy_around(std::string_view header, std::string_view numbers) {
  using namespace learn::policy_layout;
  std::string bytes(kMagic);
  bytes += little_endian(kVersion, kVersionBytes) + little_endian(header.size(), kLengthBytes);
  return sealed(bytes.append(header).append(numbers));
}

inline bool check_policy_bytes(std::string_view bytes) {
  learn::PolicyFile file;
  if (!understood([&] { file = learn::policy_from_bytes(bytes, "text"); })) return false;
  require(learn::policy_from_bytes(learn::to_bytes(file), "written") == file,
          "the policy changed on its way");
  return true;
}

// The text as a file, as a file without its checksum, and as a header (one line) with numbers.
inline bool check_policy(std::string_view text) {
  const std::size_t line = std::min(text.find('\n'), text.size());
  const bool any = check_policy_bytes(text);
  return check_policy_bytes(sealed(std::string(text))) ||
         check_policy_bytes(policy_around(text.substr(0, line), text.substr(line))) || any;
}

}  // namespace berth::fuzz
