#pragma once
// Determinants and Pfaffians of matrices, exactly: what counts of planar graphs are made of, for whoever has
// a matrix.
//
// A matrix falls into the blocks of its structure (matching/structure.hpp), whose determinants multiply; a
// block's is computed modulo so many primes that Hadamard's inequality leaves one number
// (kernels/planar/elimination/matrix_residues.hpp), and modulo one more by another order, which must agree.
#include "graph/read.hpp"
#include "src/api/entries.hpp"

namespace countpm {

/// Of a square matrix, given as a bipartite or directed graph. Numbers are taken as the fractions that they
/// are, and the answer is exact: of decimals, doubles and complex numbers rounded once in the end, to
/// options.precision_bits bits or as doubles are, unless InputInfo::exact. Uses the limits, threads, progress
/// and interruption of `options`. Throws InputError where the matrix is not square; UnableError beyond the
/// limits; CheckError where the two orders disagree; UsageError for options that are about counts alone.
Value determinant(ReadResult matrix, const CountOptions& options);

/// Of a skew-symmetric matrix, likewise: Pf(A)^2 = det(A), and with A_12 = a and A_21 = -a Pf(A) = a. Of an
/// odd number of rows: 0. Throws InputError where an entry is not minus its mirror image.
Value pfaffian(ReadResult matrix, const CountOptions& options);

}  // namespace countpm
