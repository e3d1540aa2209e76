#pragma once
// hafnian: sets of pairs, for dense graphs with odd cycles.
//
// The n = 2 m vertices are put into m pairs. A perfect matching and the pairs together are cycles through all
// pairs, each pair once. For a set S of pairs let f(S) be the sum over collections of closed ways that begin
// and end at the two vertices of a pair of S, lead through pairs of S that come before it, and visit m pairs
// together, some perhaps several times. Then
//
//   haf(A) = sum over S of (-1)^(m - |S|) f(S),
//
// since what misses a pair cancels, and a way's last pair is the one that it begins at. Pair by pair, with
// polynomials in x, which counts visits: b_ij, the ways from i to j through the pairs so far, begins as a_ij;
// a pair (u, v) that is taken adds x (b_iu b_vj + b_iv b_uj) to it, and multiplies the product of all closed
// ways by 1 + x b_uv. f(S) is the coefficient of x^m. A. Bjorklund, Counting perfect matchings as fast as
// Ryser, SODA 2012. (n - 2)^2 polynomials have to be renewed for the first pair, and a few for each of the
// 2^(m - 1) sets at the end.
//
// What is left out: after p pairs, coefficients beyond x^p belong to ways that visit a pair twice and so miss
// another, whatever is decided about it, and cancel. So polynomials are short where matrices are large, and
// the last pair is in every set: without it nothing has x^m. No division: any ring will do.
//
// Twins: pairs of the same two classes are a group, of which only the number taken matters; c pairs are c + 1
// choices, with binomials (pairing.hpp), on GPUs, too. f(S) depends on the order of the pairs: a way passes a
// pair at most once between two visits to later ones. So do sums over some of the sets, but not the sum over
// all.
//
// Loops (monomers): vertex 0 stands for all of them, b_v0 is the sum of ways from v to a monomer, and a pair
// closes b_uv + b_u0 b_v0. An odd number of vertices takes one more, alone with weight 1.
//
// About 10 m^2 / 2 products a set, O(2^(n/2) n^2) time, O(n^3) memory. Modulo primes below 2^29 and in
// floating point vectors hold several sets (simd.hpp); GPUs count in both, too (gpu/). Floating point: the
// same walk over the magnitudes of the entries, in doubles, bounds the error (rounding.hpp).
#include "kernels/method.hpp"
#include "kernels/support/instruction_sets.hpp"

namespace countpm {

const Method& hafnian_method();

/// The method's own make_job takes LaneChoice::automatic; tests and benchmarks force the others. Where a
/// choice has no lanes for the arithmetic, sets run one at a time.
std::unique_ptr<Job> make_hafnian_job(const AnyBlock& block, const Arithmetic& arithmetic, LaneChoice choice);

}  // namespace countpm
