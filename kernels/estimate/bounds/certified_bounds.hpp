#pragma once
// Bounds on a permanent that hold for certain, at once, for any size: the error of an estimate can be judged
// by them.
#include "matching/block.hpp"

namespace countpm {

/// log2 of a number below and of one above the permanent, with the name of the theorem that gave each.
struct CertifiedBounds {
  double log2_lower = 0;  // -infinity: nothing is known but that it is not negative
  double log2_upper = 0;
  const char* lower_by = "";  // "Bethe", "Gurvits", "integer" (a positive one); "bipartite part"; "zero"
  const char* upper_by = "";  // "Bregman-Minc" (or products of sums), "Bethe"; "Alon-Friedland"
};

/// Of an irreducible block with a perfect matching and no negative weight. Every doubly stochastic P on the
/// block's pattern gives, with sums over its entries,
///   log per(A) >= sum p log(a/p) + (1-p) log(1-p)                        (Bethe)
///   log per(A) >= sum p log(a/p) + sum_j log G(min(j, d_j)), G(k) = ((k-1)/k)^(k-1), columns by falling
///   degree,
///                 or rows                                                (Gurvits)
///   log per(A) <= n/2 log 2 + sum log(1-p) + sum u_i + sum v_j  for u_i + v_j >= log a - log p - log(1-p)
///   (Bethe):
/// per(A) is at most 2^(n/2) times the maximum of the first over all P, which is concave in P, so that its
/// tangent at P and a dual solution of the assignment problem bound it. P comes from belief propagation and
/// is made doubly stochastic exactly, in integers over 2^50, by corrections along a spanning tree; where that
/// leaves a negative entry, or a row's weights are too far apart for doubles, only "integer" and Bregman-Minc
/// remain. Everything is rounded outwards (MPFR). O(entries) a sweep, at most 400 sweeps; logarithms, most of
/// the time, are taken on `threads` threads, whose number changes nothing.
/// Of a general block: above Alon-Friedland (bound.hpp) or, "Bethe of the permanent", the square root of the
/// third, which haf(A)^2 <= per(A) allows; below "integer" or the first two of a bipartite part
/// (bipartite_part.hpp), less the matchings that need the other edges. With monomers: only what bound.hpp
/// says, and "zero" below where no matching leaves alone only vertices that may be. A. Schrijver, Counting
/// 1-factors in regular bipartite graphs, J. Combin. Theory B 72 (1998); L. Gurvits, Unleashing the power of
/// Schrijver's permanental inequality with the help of the Bethe approximation (2011); L. Gurvits, Van der
/// Waerden/Schrijver-Valiant like conjectures, Electron. J. Combin. 15 (2008); P. O. Vontobel, The Bethe
/// permanent of a nonnegative matrix, IEEE Trans. Inform. Theory 59 (2013); N. Anari, A. Rezaei, A tight
/// analysis of Bethe approximation for permanent, FOCS 2019.
CertifiedBounds certified_bounds(const AnyBlock& block, int threads = 1);
/// The same without belief propagation: "integer" below, what bound.hpp has above. O(entries), and no more
/// than microseconds a row.
CertifiedBounds bounds_at_once(const AnyBlock& block);
/// About what certified_bounds() takes for so many entries, of a general block three times its edges, on one
/// thread.
inline constexpr double seconds_to_bound_an_entry = 20e-6;

}  // namespace countpm
