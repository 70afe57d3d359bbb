// Favourite children: which edges of the graph should stay on one device.
//
// Every op may name one reader its favourite child, and every op be the favourite of one op at
// most, so the favoured edges form paths. Edges inside paths cost no communication, all others
// do:
//
//   t(j) >= t(i) + p(i) + c(i, j) x [j is not i's favourite],   minimise max of t(i) + p(i)
//
// Hanen and Munier relax this integer program to a linear one and round: an edge is favoured when
// its variable is below one half. We have no solver for linear programs of a million rows, and use
// a greedy matching instead: take the edges by the length of the longest path through them (all
// communication charged), longest first, ties by the larger communication, and favour an edge when
// both its ends are free. Then the lengths are computed anew with the favoured edges free of charge
// and the matching is redone; of four rounds the one with the shortest longest path is kept. The
// guarantee of the relaxation, (2 + 2r) / (2 + r) with r the largest ratio of communication to
// computation, is lost; tests compare with the optimum on small graphs.
//
// p is the op's cost on its fastest device, c the mean transfer over all routes. O(edges log
// edges).
#pragma once

#include <vector>

#include "cost/problem.h"

namespace berth::place {

struct Favourites {
  std::vector<OpId> children;       // by op; none where it has none
  double longest_path_seconds = 0;  // with favoured edges free of charge
};

Favourites favourite_children(const Problem& problem);

// The longest path when exactly the edges to `children` are free.
double longest_path_seconds(const Problem& problem, const std::vector<OpId>& children);

}  // namespace berth::place
