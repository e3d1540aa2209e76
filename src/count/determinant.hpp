#pragma once
// Determinants and Pfaffians of matrices, exactly: what counts of planar graphs are made of, for whoever has
// a matrix.
//
// A matrix falls into the blocks of its structure (matching/structure.hpp), whose determinants multiply; a
// block's is computed modulo so many primes that Hadamard's inequality leaves one number
// (kernels/planar/elimination/matrix_residues.hpp), and modulo one more by another order, which must agree.
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "graph/read.hpp"
#include "src/api/entries.hpp"

namespace countpm {

/// Of a square matrix, given as a bipartite or directed graph. Numbers are taken as the fractions that they
/// are, and the answer is exact: of decimals, doubles and complex numbers rounded once in the end, to
/// options.arithmetic.bits bits or as doubles are, unless InputInfo::exact. Uses the limits, threads,
/// progress and interruption of `options`. Throws InputError where the matrix is not square; UnableError
/// beyond the limits; CheckError where the two orders disagree; UsageError for options that are about counts
/// alone.
Value determinant(ReadResult matrix, const CountOptions& options);

/// Of a skew-symmetric matrix, likewise: Pf(A)^2 = det(A), and with A_12 = a and A_21 = -a Pf(A) = a. Of an
/// odd number of rows: 0. Throws InputError where an entry is not minus its mirror image.
Value pfaffian(ReadResult matrix, const CountOptions& options);

/// The same of a file, with what is to know of it.
struct DeterminantResult : InputSummary {  // NOLINT(bugprone-exception-escape): numbers are moved by swapping
  bool skew = false;                       // a Pfaffian
  bool triangle = false;                   // of which the file has the entries above the diagonal alone
  std::uint64_t rows = 0;
  Value value;
  std::string digits;  // of the value, as CountResult::count has them
  std::string error;   // the bound on theirs; empty where they are exact
  std::string sign;    // "1", "0", "-1"; of complex values the value over its absolute value, "(0.6,-0.8)"
  double ln = -std::numeric_limits<double>::infinity();  // of the absolute value, rounded from the exact one
  std::uint64_t blocks = 0;                              // of more than one row that were computed
  std::uint64_t primes = 0;                              // of all these, and one more each to check
  int threads = 1;
  std::vector<std::string> notes;
  double seconds = 0;
};

/// Of a source, whose values count whatever the options say: of an undirected graph the determinant is that
/// of its adjacency matrix. Throws as determinant() above, and what read_graph() does.
DeterminantResult determinant(const Source& source, const ReadOptions& read_options,
                              const CountOptions& options);
/// Likewise; a source that has entries above the diagonal alone is taken for half of a skew-symmetric matrix,
/// as DeterminantResult::triangle and a note say. Throws InputError for an undirected graph, whose matrix is
/// symmetric.
DeterminantResult pfaffian(const Source& source, const ReadOptions& read_options,
                           const CountOptions& options);

}  // namespace countpm
