// The placer whose plan training begins with.
#pragma once

#include <string>

#include "place/placer.h"

namespace berth::learn {

// The placer that `start` names. Throws InputError when it names none, a learned method, or a
// method that uses a policy: such methods could name each other as their start without end.
place::Method start_method(const std::string& start);

}  // namespace berth::learn
