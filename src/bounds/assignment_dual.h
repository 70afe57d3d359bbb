// The least time in which kinds of device with limited memory can do work that consists of
// divisible items:
//
//   min T   s.t.  every item is spread over kinds, x_ik >= 0, sum over k of x_ik = 1
//                 sum over i of seconds_ik x_ik <= slots_k T          (prices y_k)
//                 sum over i of bytes_i x_ik    <= capacity_k         (prices z_k)
//
// It is solved by its dual. For given prices the dual decomposes: each item chooses its cheapest
// kind.
//
//   max over y, z >= 0 with sum of slots_k y_k = 1 of
//       sum over i of min over k of (y_k seconds_ik + z_k bytes_i)  -  sum over k of z_k capacity_k
//
// Any prices give a valid lower bound, so neither an iteration limit nor rounding during the search
// can make the result wrong. The maximum of this concave, piecewise linear function is found by
// cutting planes (Kelley 1960; in the primal, the column generation of Dantzig and Wolfe). Items
// are put into a few buckets. The choice of a bucket at the current prices is a column of the
// master problem (small_simplex.h), and the duals of the master are the next prices. They are
// averaged with the best prices so far, which keeps them from oscillating (Wentges 1997). The
// search ends when the value of the master and the best bound agree to 1e-10, usually after ten to
// fifty rounds of O(items x kinds).
//
// Where the items do not fit the capacities at all, the maximum is infinite. Prices are capped, and
// the result is then a finite value without a meaning. One kind is solved in closed form. With more
// than 64 kinds equal prices are used: all work at its least cost, spread over all slots.
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
