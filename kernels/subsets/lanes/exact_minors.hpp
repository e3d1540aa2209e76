#pragma once
// The permanents of a matrix without one of its rows, for each row, in one pass and exactly.
//
// Every row is made whole by its denominators. Modulo a prime p = 1 (mod 4) minus one has a root r, and i is
// a residue: r gives x = re + r im, -r gives y = re - r im of every permanent, so that re = (x + y) / 2 and
// im = (x - y) / (2 r). The walk is subset_plan.hpp's halved form; all products that lack one row are those
// of the rows before it times those of the rows behind it. O(primes prod (copies + 1) rows) time.
#include <vector>

#include "graph/stop_signal.hpp"
#include "graph/weight.hpp"
#include "kernels/subsets/lanes/factor_matrix.hpp"

namespace countpm {

/// Beside matrix.power: the permanent without one copy of that row. The powers add up to one more than the
/// copies do. They go through verify_minors() where that takes a fifth of the time, or 0.1 s. Throws Stopped,
/// CheckError.
std::vector<ComplexRational> exact_minors(const FactorMatrix& matrix, const StopSignal& stop);

/// One residue more, of weights that are residues before anything else: a bound or a denominator that is
/// wrong does not pass. Throws CheckError, with both values, where a permanent has another.
void verify_minors(const FactorMatrix& matrix, const std::vector<ComplexRational>& minors,
                   const StopSignal& stop);

/// log2 of the multiplications that takes.
double log2_work_of_exact_minors(const FactorMatrix& matrix);

}  // namespace countpm
