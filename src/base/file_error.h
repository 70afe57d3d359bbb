// An error of the operating system about a file, as a sentence for a person. It is an InputError
// where another file name or other permissions would help, and an OutsideError (outside_error.h)
// where the disk is full or the machine has no resources left, so that the same call may work
// later.
#pragma once

#include <string>
#include <string_view>

namespace berth {

// "cannot write "plan.json": No space left on device"; `error` is an errno.
[[noreturn]] void fail_on_file(std::string_view action, const std::string& path, int error);

}  // namespace berth
