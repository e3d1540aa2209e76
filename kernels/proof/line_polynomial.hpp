#pragma once
// A table on a line: a polynomial in the line's parameter.
//
// A table f of states extends to points x of a field, linearly in each coordinate. Along a line, on which
// coordinate u is x_u = start_u + way_u t,
//   q(t) = sum over the states S of f(S) prod over u of (x_u if u in S, else 1 - x_u),
// of degree m, the number of coordinates that move. The states come in the order of their keys. Of a block's
// 64 places the products are in a table; what a digit of the key (four bits) contributes is multiplied in
// when the digits from it on have changed: sums over states that agree in these are polynomials of the degree
// that the lower digits have. O(moving among the lowest six bits + 1) products a state, and for every block
// and every change of a digit the product of two short polynomials; no memory beside the table.
#include <vector>

#include "kernels/proof/state_table.hpp"

namespace countpm {

struct LineCoordinate {
  unsigned bit = 0;
  bool moving = false;
  FieldElement start;
  FieldElement way;  // 0 where it does not move
};

/// q_0 .. q_m. coordinate: all of the table. Throws Stopped.
template <class Key>
std::vector<FieldElement> line_polynomial(const PrimeField& field, const StateTable<Key>& table,
                                          const std::vector<LineCoordinate>& coordinate, int threads);

}  // namespace countpm
