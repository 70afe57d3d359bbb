// The message of the InputError a piece of code throws, for tests that check the sentence.
#pragma once

#include <string>

#include "base/error.h"

namespace berth {

template <class Action>
std::string thrown(Action&& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "(nothing was thrown)";
}

}  // namespace berth
