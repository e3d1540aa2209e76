#pragma once
// The smallest inputs that the tests of planner, executor and checks need.
#include "kernels/arithmetic/arithmetic.hpp"
#include "matching/block.hpp"

namespace countpm::testing {

/// n x n, every entry 1: its permanent is n!.
inline Block<std::int64_t> all_ones(Index n) {
  Block<std::int64_t> block;
  block.matrix.rows = block.matrix.columns = n;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      block.matrix.column.push_back(j);
      block.matrix.value.push_back(1);
    }
    block.matrix.row_start.push_back(block.matrix.column.size());
  }
  return block;
}

/// Residues modulo one prime.
inline Arithmetic one_prime() {
  Arithmetic arithmetic;
  arithmetic.moduli = choose_primes(1);
  return arithmetic;
}

}  // namespace countpm::testing
