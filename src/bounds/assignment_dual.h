// The least time in which divisible items can be worked off by kinds of device with limited memory:
//
//   min T   s.t.  every item is spread over kinds, x_ik >= 0, sum over k of x_ik = 1
//                 sum over i of seconds_ik x_ik <= slots_k T          (prices y_k)
//                 sum over i of bytes_i x_ik    <= capacity_k         (prices z_k)
//
// by its dual, which for given prices falls apart into items that each choose the cheapest kind:
//
//   max over y, z >= 0 with sum of slots_k y_k = 1 of
//       sum over i of min over k of (y_k seconds_ik + z_k bytes_i)  -  sum over k of z_k capacity_k
//
// Any prices give a valid lower bound, so neither a stop at an iteration limit nor rounding in the
// search can make the result wrong. The maximum of this concave, piecewise linear function is found
// by cutting planes (Kelley 1960; in the primal, Dantzig and Wolfe's column generation): items fall
// into a few buckets, a bucket's choice at the current prices is a column of the master problem
// (small_simplex.h), and the master's duals are the next prices, drawn halfway to the best so far,
// which keeps them from jumping (Wentges 1997). It ends when the master's value and the best bound
// agree to 1e-10, after some ten to fifty rounds of O(items x kinds).
//
// Where the items do not fit the capacities at all the maximum is infinite; prices are capped, and
// the result is then some finite value of no meaning. One kind is solved in closed form. Beyond 64
// kinds equal prices are used: all work at its least cost, over all slots.
#pragma once

#include <cstddef>
#include <vector>

namespace berth::bounds {

struct AssignmentProgram {
  std::vector<double> slots;     // by kind
  std::vector<double> capacity;  // by kind, in bytes; infinite where memory is no matter
  std::vector<double> seconds;   // item x kind; infinite: the item cannot be there
  std::vector<double> bytes;     // by item

  std::size_t kinds() const { return slots.size(); }
  std::size_t items() const { return bytes.size(); }
};

struct AssignmentDual {
  double seconds = 0;               // rounded down: never above the true value at these prices
  std::vector<double> slot_prices;  // y
  std::vector<double> byte_prices;  // z; 0 where the capacity is infinite
  int rounds = 0;
};

AssignmentDual maximise_dual(const AssignmentProgram& program);

// The bound that these prices give, rounded down. Prices are not negative.
double dual_value(const AssignmentProgram& program, const std::vector<double>& slot_prices,
                  const std::vector<double>& byte_prices);

}  // namespace berth::bounds
