// Something that is neither wrong in the input nor in Berth: memory that is not there, a file that
// another program cuts short while it is read. The message is a sentence for a person, as that of
// InputError (base/error.h); the command line prints it and exits with 1.
#pragma once

#include <stdexcept>

namespace berth {

class [[gnu::visibility("default")]] OutsideError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace berth
