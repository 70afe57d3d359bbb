// Translates internal exceptions into the one public exception.
//
// Every public function that can fail runs its body in guarded(), with the name of its subject. An
// exception of a callback must reach the caller unchanged: the callback's wrapper packs it into
// CallbackError, which no internal code catches, and guarded() unpacks it.
#pragma once

#include <exception>
#include <string>

#include "berth/error.h"

namespace berth::v1 {

struct CallbackError {
  std::exception_ptr exception;
};

// Throws the public form of the exception being handled. `subject` is used where the exception has
// none.
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

// For indices of ops, devices and groups that come from the caller.
void require_index(std::size_t index, std::size_t count, const char* what);

}  // namespace berth::v1
