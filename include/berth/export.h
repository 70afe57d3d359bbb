// What every public header needs: the attribute of exported symbols, and the namespace of the
// version.
//
// All names are in the namespace berth::v1, and programs write berth::Graph. A later version with
// other layouts will be berth::v2, so a program never calls functions of a version that it was not
// compiled for.
#pragma once

#define BERTH_API __attribute__((visibility("default")))

namespace berth {
namespace v1 {}
#ifndef BERTH_BUILDING  // the sources of the library have another berth::Graph beside this one
using namespace v1;
#endif
}  // namespace berth
