// Where exceptions of the inside become the one exception of the outside.
//
// Every public function that can fail runs its body in guarded(), with the name of what it is
// about. An exception of a callback must reach the caller as it is: the callback's wrapper packs it
// into CallbackError, which no code inside catches, and guarded() unpacks it.
#pragma once

#include <exception>
#include <string>

#include "berth/error.h"

namespace berth::v1 {

struct CallbackError {
  std::exception_ptr exception;
};

// Throws what the exception being handled is to the caller. `subject` serves where the exception
// does not know what it is about.
[[noreturn]] void rethrow_as_error(const std::string& subject);

template <class Body>
auto guarded(const std::string& subject, Body&& body) {
  try {
    return body();
  } catch (...) {
    rethrow_as_error(subject);
  }
}

// Runs a callback of the user.
template <class Body>
auto run_callback(Body&& body) {
  try {
    return body();
  } catch (...) {
    throw CallbackError{std::current_exception()};
  }
}

// For numbers of ops, devices and groups that the caller made up.
void require_index(std::size_t index, std::size_t count, const char* what);

}  // namespace berth::v1
