#pragma once
// sparyser: ryser's sum over compressed columns. Three things make it cheap on sparse blocks:
// - SortOrder: the columns by rising number of entries, so that the column that flips in every second step
// has the fewest;
// - the number of zero rows is kept, and a subset with one costs no product;
// - products of row groups are kept, rows ordered by the first position that touches them: suffix_k = prod of
// groups k, k + 1, ...;
//   a flip at position p touches the groups up to some k_p alone, small for small p, and only suffix_{k_p} ..
//   suffix_0 are built again.
// A product is never divided by a factor: that drifts in floating point and is wrong modulo a prime where the
// factor is 0. O(2^(n-1) x entries of the columns flipped) time: about 2 to 4 times the lightest columns a
// subset. O(n^2) memory. K. Kaya, Parallel algorithms for computing sparse matrix permanents, Turk. J. Elec.
// Eng. & Comp. Sci. 27 (2019) 4284-4297.
#include "kernels/method.hpp"

namespace countpm {

const Method& sparyser_method();

}  // namespace countpm
