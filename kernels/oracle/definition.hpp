#pragma once
// definition: the permanent as it is defined, the oracle of everything else.
//
//   per(A) = sum over permutations p of prod_i a_{i, p(i)}
//
// Row by row, a stack of partial products; a branch ends where a row has no unused column left. O(n! n) time
// at most: the branches visited are at most sum_k prod_{i < k} min(d_i, n - i), d_i entries in row i. O(n)
// memory. A unit fixes the columns of the first few rows.
#include "kernels/method.hpp"

namespace countpm {

const Method& definition_method();

}  // namespace countpm
