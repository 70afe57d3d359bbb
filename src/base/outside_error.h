// A failure that is caused neither by the input nor by Berth: too little memory, a file that
// another program truncates while it is read. The message is a sentence for a person, as with
// InputError (base/error.h); the command line prints it and exits with status 1.
#pragma once

#include <stdexcept>

namespace berth {

class [[gnu::visibility("default")]] OutsideError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace berth
