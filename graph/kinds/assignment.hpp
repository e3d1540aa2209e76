#pragma once
// The assignment problem on a sparse matrix: a perfect matching of least weight, and the proof that it is.
//
// Potentials u of rows and v of columns with c(i,j) - u(i) - v(j) >= 0 for every entry, and = 0 for those of
// the matching, show that no perfect matching weighs less, and that those of the same weight are the perfect
// matchings of the entries where it is 0, the tight ones (complementary slackness). Rows are assigned one
// after another along shortest paths of reduced costs (R. Jonker, A. Volgenant, A shortest augmenting path
// algorithm for dense and sparse linear assignment problems, Computing 38 (1987) 325), after columns and rows
// have taken their least costs: O(rows entries log columns), and far less where few rows are left over. What
// came out is then checked.
#include <gmpxx.h>

#include <optional>
#include <vector>

#include "graph/sparse_matrix.hpp"

namespace countpm {

struct LeastAssignment {
  mpz_class weight;
  std::vector<bool> tight;     // beside the entries
  std::vector<mpz_class> row;  // potentials
  std::vector<mpz_class> column;
};

/// Of a matrix whose entry k costs cost[k], of any sign. Empty where it has no perfect matching. Throws
/// CheckError where the potentials prove nothing.
std::optional<LeastAssignment> least_assignment(const SparsePattern& pattern,
                                                const std::vector<mpz_class>& cost);

}  // namespace countpm
