// SHA-256 (FIPS 180-4), so that a plan can record exactly which model and cluster it was made for.
#pragma once

#include <string>
#include <string_view>

namespace berth {

std::string sha256_hex(std::string_view bytes);

}  // namespace berth
