// What a case (case.h) prepares for the policy that will read it: which units are placed, and which
// of the costly tables are computed. Apart from case.h, so that code that only reads settings does
// not need libtorch's headers.
#pragma once

#include <cstdint>
#include <string>

#include "base/options.h"

namespace berth::learn {

struct CaseSettings {
  std::string units;           // as place::make_units() reads them
  std::int64_t adjacency = 0;  // columns of the adjacency; 0: the method does not read it
  bool reachability = false;   // for methods that pass messages
  bool convolution = false;    // for methods with a graph convolution
  bool decisions = false;      // for methods that decide along a list schedule
  bool listed = false;         // for methods that improve a placement
  bool standardized = false;   // shapes

  // `options` are those of a learned method, with its preset resolved. A table is computed if the
  // method has the option that sets its size.
  static CaseSettings parse(const Options& options);
};

}  // namespace berth::learn
