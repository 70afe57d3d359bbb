// A lower bound on the time from the end of an op to the end of the step, by the kind of the op's
// device: the recurrence of path_bound.h backwards.
//
//   tail(op, d) = max over tensors t it makes and ops c that read them of
//                     min over d' of (d' = d ? 0 : transfer of t) + cost(c, d') + tail(c, d'),
//                 over ops that come after it of min over d' of cost + tail
//
// Of several sorts of route between two kinds the quickest counts. Sums are in another order than
// the simulator's, so results have to be shrunk for rounding.
#pragma once

#include <vector>

#include "bounds/path_table.h"

namespace berth::bounds {

class PathTails {
 public:
  explicit PathTails(const PathTable& table);

  double tail(OpId op, std::size_t kind) const { return tails_[op.index() * width_ + kind]; }
  // The least step with the op in it, wherever it is: start + cost + tail.
  double through(OpId op) const;

 private:
  double from_start(OpId op, std::size_t kind) const;
  double after_reading(TensorId tensor, OpId consumer, std::size_t kind) const;

  const PathTable* table_;
  std::size_t width_;
  Rows<Arc> departures_;  // by kind of the sender, with the kind of the receiver in `from_kind`
  std::vector<double> tails_;
};

}  // namespace berth::bounds
