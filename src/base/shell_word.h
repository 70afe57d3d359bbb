// Words of a command line, quoted so that a user can copy them from a message into a shell.
#pragma once

#include <string>
#include <string_view>

namespace berth {

// The word as a shell takes it, quoted if necessary. Characters that control a terminal (see
// is_control) and invalid UTF-8 are left out: such a name cannot be shown as it is.
std::string shell_word(std::string_view word);

}  // namespace berth
