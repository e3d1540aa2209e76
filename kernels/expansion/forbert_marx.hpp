#pragma once
// forbert-marx: the expansion of sparse blocks into sums of smaller ones.
//
//   per(A) = per(A with two entries of a line of degree 3 or 4 zeroed) + per(A without the line, those two
//   columns merged)
//
// and the rules for lines of degree 1 and 2 in between, until blocks are small or dense. First the widest
// terms are split until there are enough for work units; each unit then goes on depth-first (expansion.hpp).
// Blocks of up to 13 rows are counted over sets of columns (small_permanent.hpp), larger ones without a line
// of degree up to 4 by the cheapest other method. Exponential in the number of splits, which Knuth's random
// descents predict. H. Forbert, D. Marx, Calculation of the permanent of a sparse positive matrix, Comput.
// Phys. Commun. 150 (2003); D. E. Knuth, Estimating the efficiency of backtrack programs, Math. Comp. 29
// (1975).
#include "kernels/expansion/expansion.hpp"
#include "kernels/method.hpp"

namespace countpm {

const Method& forbert_marx_method();

/// The method's own make_job takes the defaults; tests and benchmarks choose the leaves. options.arithmetic
/// and options.rules are used.
std::unique_ptr<Job> make_forbert_marx_job(const AnyBlock& block, const ExpansionOptions& options,
                                           std::uint64_t seed);

}  // namespace countpm
