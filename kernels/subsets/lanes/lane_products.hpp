#pragma once
// The inner loop of floating sums over SIMD lanes, compiled once for each instruction set. Plain data only
// and no standard library: an inline function of the library compiled with -mavx512f could be the copy that
// the linker keeps for everyone.
//
// Each lane walks the same steps over the same columns from a start of its own. Its factors are exact sums of
// whole multiples of one unit a row; lane_sums.hpp says how they come to be, and what the bounds mean.
#include <cstdint>

namespace countpm::products {

inline constexpr unsigned most_lanes = 8;

/// What happens before a term: every factor changes by `delta` (of each row one number, of complex ones re
/// and im), and how the term counts.
struct Step {
  const double* delta;
  double weight;
};

struct Program {
  bool complex;
  bool bounded;           // factors are off by a little
  unsigned rows;          // in all
  const unsigned* power;  // of each row, ascending
  // Of a sum, bounded: bound sums |weight| sqrt(M), M the product of |z|^2 + inflation over z: products of
  // two factors whose rows are neighbours and of one power, and of one where a power's rows are odd in
  // number; as often as these stand. Not bounded: |weight product|.
  double inflation;
  // Of minors: bound sums |weight| sqrt(of_product M + of_factors E), M the product of all Q = |y|^2 + shift,
  // without one of the row, and E the sum of M / Q over all other factors.
  double shift;
  double of_product;
  double of_factors;
  const Step* step;
  std::uint64_t steps;
};

/// A sum is hi + lo.
struct Totals {
  double hi[2][most_lanes];
  double lo[2][most_lanes];
  double bound[most_lanes];
};

/// The sum over all steps of weight times the product of the factors. sums: of each row as many numbers as
/// there are lanes, of complex ones the real parts and then the imaginary ones; changed.
using Run = void (*)(const Program& program, double* sums, Totals& totals);

/// The same without one factor of a row, for each row: totals[row], all of which have one bound, from the sum
/// of M / Q over all factors and the sum of M / (Q Q') over all pairs of them. `room`: 8 (rows + 1) vectors.
using RunMinors = void (*)(const Program& program, double* sums, double* room, Totals* totals);

struct Variant {
  unsigned lanes;
  Run run;
  RunMinors run_minors;
};

namespace baseline {
Variant variant();
}
namespace avx2 {
Variant variant();
}
namespace avx512 {
Variant variant();
}

}  // namespace countpm::products
