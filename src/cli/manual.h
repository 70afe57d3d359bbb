// The manual page: berth.1 in the macros of man(7), written from what the commands declare.
#pragma once

#include <span>
#include <string>

#include "cli/description.h"

namespace berth::cli {

std::string manual_page(std::span<const CommandDescription> commands);

}  // namespace berth::cli
