// What the system said of a file, as a sentence for a person: InputError where another name or
// another right would do, OutsideError (outside_error.h) where the disk or the machine is at its
// end and the same call may work later.
#pragma once

#include <string>
#include <string_view>

namespace berth {

// "cannot write "plan.json": No space left on device"; `error` is an errno.
[[noreturn]] void fail_on_file(std::string_view action, const std::string& path, int error);

}  // namespace berth
