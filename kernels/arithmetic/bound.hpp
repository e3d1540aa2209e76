#pragma once
// Bound first: how large a permanent can be, and so how many residues prove it.
#include "matching/block.hpp"

namespace countpm {

/// An upper bound on log2 |per(block)|, rounded upwards; the least of: Bregman-Minc on rows and on columns,
/// each row scaled by its largest absolute value (per <= prod m_i (d_i!)^(1/d_i)), and the products of
/// absolute row and column sums. For rational values: of per(block) * denominator(block). 0 x 0: 0.
/// O(entries). L. M. Bregman, Some properties of nonnegative matrices and their permanents, Soviet Math.
/// Dokl. 14 (1973). Of a general block: of the hafnian, |haf(A)|^2 <= per(|A|); with monomers, of the
/// loop hafnian (both in hafnian_bound.hpp).
double log2_upper_bound(const AnyBlock& block);

/// The product over rows of the least common multiple of the row's denominators: per(block) times it is an
/// integer. Of a general block about the square root of that (hafnian_bound.hpp). 1 for int64.
mpz_class denominator(const AnyBlock& block);

/// Whether a value is negative (or not real): then residues must tell signs apart, which takes one bit more.
bool has_negative(const AnyBlock& block);

}  // namespace countpm
