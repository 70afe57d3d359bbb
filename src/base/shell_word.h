// Words of a command line, quoted so that a user can copy them from a message into a shell.
#pragma once

#include <string>
#include <string_view>

namespace berth {

// The word as a shell takes it, quoted if it must be. What controls a terminal is left out (see
// is_control), and so are bytes that are no UTF-8: a name with such in it cannot be shown as it is.
std::string shell_word(std::string_view word);

}  // namespace berth
