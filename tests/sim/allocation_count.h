// How often this program has allocated so far, so that a test can say that something never does.
#pragma once

namespace berth {

long allocation_count();

}  // namespace berth
