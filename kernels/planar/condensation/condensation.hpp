#pragma once
// The determinant, or Pfaffian, of an oriented graph's matrix by condensation of the dense matrix: no order
// to look for, no fronts, and no division before the end.
//
// With p = a_11, the first entry of the first row that is not zero having been brought there,
//   b_ij = p a_ij - a_i1 a_1j                      det A = det B / p^(n-2)        i, j = 2 .. n
// and for a skew-symmetric A with p = a_12,
//   b_ij = p a_ij - a_1i a_2j + a_2i a_1j          Pf A = Pf B / p^(n/2-2)        i, j = 3 .. n
// since B is p times the Schur complement. In a prime field the pivots are kept in a list, and the list's
// powers are divided by at the end. In doubles, where such products would overflow, the pivot is the row's
// largest entry and is divided by at once, so that the determinant is the product of the list. A. Salem, K.
// Said, as given in S. A. Haque, M. Moreno Maza, Determinant computation on the GPU using the condensation
// method, J. Phys. Conf. Ser. 341 (2012) 012031. O(n^3) time, O(n^2) memory.
#include <cstdint>
#include <vector>

#include "kernels/planar/condensation/dense_form.hpp"
#include "kernels/planar/elimination/lane_arithmetic.hpp"
#include "kernels/planar/elimination/time_limit.hpp"
#include "kernels/planar/log/log_determinant.hpp"

namespace countpm::planar {

/// One residue for each prime; primes odd, below 2^code.prime_bits, dividing no denominator, at most
/// code.width of them. Throws PivotsDiffer (code.width > 1 only), Stopped. With a time limit: stops there.
std::vector<std::uint64_t> condensation(const SignedMatrix& matrix, const LaneCode& code,
                                        const std::vector<std::uint64_t>& primes, const StopSignal& stop,
                                        TimeLimit* limit = nullptr);
/// Multiplications that takes, modulo one prime, and words of memory.
double condensation_multiplications(const BlockGraph& graph);
std::uint64_t condensation_words(const BlockGraph& graph);
/// The dense matrix, and its entries other than zero; values as the matrix numbers them.
DenseForm dense_form(const BlockGraph& graph);
std::vector<CondensationEntry> dense_entries(const SignedMatrix& matrix);

/// ln |det|, or ln |Pf|, in doubles, without an error; not a number where a pivot was zero. Bit for bit the
/// same on a GPU, where one is given. Throws Stopped, UnableError where the memory does not suffice, and
/// CudaError.
double ln_by_condensation(const SignedMatrix& matrix, const LogDeterminantLimits& limits,
                          const StopSignal& stop, const GpuInfo* gpu = nullptr);

/// That with an error: its difference from a logarithm whose error is known, and that one's: condensation has
/// none of its own that is not the inverse matrix's. Where they are farther apart than that and 10^-9, the
/// certain one.
LogDeterminant nearer(double own, const LogDeterminant& certain);

/// nearer() of ln_by_condensation() and log_determinant(), which goes along.
LogDeterminant log_condensation(const SignedMatrix& matrix, const LogDeterminantLimits& limits,
                                const StopSignal& stop, const GpuInfo* gpu = nullptr);

}  // namespace countpm::planar
