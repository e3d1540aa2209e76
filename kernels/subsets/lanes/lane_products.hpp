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
  bool bounded;           // factors are off by a little: bound sums sqrt(of_product M + of_factors E)
  unsigned rows;          // in all
  unsigned single_rows;   // the first ones, whose factors stand once in a product
  const unsigned* power;  // of each row, ascending
  double shift;       // Q = |y|^2 + shift; M is the product of all Q, and E the sum of M / Q over all factors
  double of_product;  // not bounded: bound sums |weight product|
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

/// The same without one factor of a row, for each row: totals[row], in whose bound E stands for M and the sum
/// of M / (Q Q') over all pairs of factors for E. `room`: 8 (rows + 1) vectors.
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
