// Favourite children: which edges of the graph should stay on one device.
//
// Every op may have one reader as its favourite child, and every op may be the favourite of at most
// one op, so the favoured edges form paths. Favoured edges cost no communication, all others do:
//
//   t(j) >= t(i) + p(i) + c(i, j) x [j is not i's favourite],   minimise max of t(i) + p(i)
//
// Hanen and Munier relax this integer program to a linear one and round: an edge is favoured when
// its variable is below one half. There is no solver here for linear programs of a million rows, so
// a greedy matching is used instead. Edges are taken by the length of the longest path through them
// (all communication charged), longest first, ties by the larger communication. An edge is favoured
// when both its ends are free. Then the lengths are computed again with favoured edges at no
// charge, and the matching is repeated. Of four rounds the one with the shortest longest path is
// kept. The guarantee of the relaxation, (2 + 2r) / (2 + r) with r the largest ratio of
// communication to computation, is lost; tests compare with the optimum on small graphs.
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
