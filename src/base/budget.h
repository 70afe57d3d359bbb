// How much a search may spend: wall time, or evaluations of the simulator. One evaluation is as
// many op simulations as the graph has ops. With a budget in evaluations a search gives the same
// result on a slow and on a fast machine.
#pragma once

#include <limits>
#include <string>
#include <string_view>

namespace berth {

struct Budget {
  double seconds = std::numeric_limits<double>::infinity();
  double evaluations = std::numeric_limits<double>::infinity();

  bool operator==(const Budget&) const = default;
};

// "10s", "500ms", "2min", "1h", "5000evals", or both as "10s,5000evals" (whichever is spent first).
// More than 0. Throws InputError.
Budget parse_budget(std::string_view text);

// In a form that parse_budget reads back to the same budget; "unlimited" if there is none.
std::string format_budget(const Budget& budget);

}  // namespace berth
