// A call of place() as its caller made it. It is passed through the internal request to placers
// that were registered at run time, which are written against the public types.
#pragma once

#include "berth/place.h"

namespace berth::v1 {

struct Call {
  Problem problem;
  Request request;
};

}  // namespace berth::v1
