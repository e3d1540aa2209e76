#pragma once
// What ryser's GPU kernel computes in: the numbers that row sums, products and totals are made of.
//
//   RegisterIntegers<N, W>  row sums within +-64, N of them, products exact modulo 2^(64 W): five factors to
//                           a 32-bit word, ten to a 64-bit word, the words onto W words
//   Integers                row sums of 64 bits, any number of them, `per_word` factors to a word, modulo
//                           2^512
//   Doubles<N>              doubles with compensated sums; N == 0: any number of rows. Beside the sum what
//   its
//                           error bound needs (running_error.hpp)
//   Pairs<N>, Triples<N>    the same in double-doubles and triple-doubles
// Complex numbers in subsets/gpu/complex_numbers.hpp, Primes in ryser/gpu/lane.hpp.
//
// A template for host and device: the CPU executor computes with the same code. Compiled by NVRTC, too
// (subsets/gpu/embedded_headers.hpp): no headers but those that it is given.
#include <cmath>
#include <cstdint>
#include <cstring>

#include "kernels/arithmetic/host_device.hpp"
#include "kernels/arithmetic/kahan.hpp"
#include "kernels/arithmetic/wide_integer.hpp"
#include "kernels/subsets/gpu/eight_terms.hpp"
#include "kernels/subsets/gpu/expansions.hpp"
#include "kernels/subsets/gpu/slope_bound.hpp"

namespace countpm::gray {

/// What the integers share: sums of row sums, totals of words.
template <class Int, unsigned W>
struct IntegerNumbers {
  using Value = Int;
  using Total = WideInteger<W>;
  static constexpr unsigned words = W;
  COUNTPM_HD static Value one() { return 1; }
  COUNTPM_HD static void add(Value& x, Value a) { x += a; }
  COUNTPM_HD static void subtract(Value& x, Value a) { x -= a; }
  COUNTPM_HD static void join(Total& total, const Total& other) { total.add(other, false); }
};

/// |row sums| <= 64.
template <unsigned N, unsigned W>
struct RegisterIntegers : IntegerNumbers<std::int32_t, W> {
  static constexpr unsigned rows = N;
  static constexpr unsigned threads = 256;
  static constexpr unsigned blocks_per_multiprocessor = 2;
  static constexpr std::int64_t largest_sum = 64;

  template <class Sums>
  COUNTPM_HD void term(WideInteger<W>& total, const Sums& x, unsigned, bool minus) const {
    // Limbs of 32 bits: a limb times 64^5 = 2^30 and a carry below 2^31 fit into 64 bits.
    std::uint32_t limb[2 * W] = {};
    std::int32_t signs = 0;
    COUNTPM_UNROLL
    for (unsigned group = 0; group * per_limb < N; ++group) {
      std::int32_t factor = x[group * per_limb];
      COUNTPM_UNROLL
      for (unsigned k = 1; k < per_limb; ++k) {
        if (group * per_limb + k < N) factor *= x[group * per_limb + k];
      }
      signs ^= factor;
      const auto magnitude = static_cast<std::uint32_t>(factor < 0 ? -factor : factor);
      if (group == 0) {
        limb[0] = magnitude;
        continue;
      }
      const std::uint32_t carry = multiply_limbs(limb, group, magnitude);
      if (group < 2 * W) limb[group] = carry;
    }
    total.add(WideInteger<W>::of(limb), (signs < 0) != minus);
  }

 private:
  static constexpr unsigned per_limb = 5;
};

/// The product of `per_word` row sums is below 2^63 in magnitude; any number of rows.
struct Integers : IntegerNumbers<std::int64_t, 8> {
  static constexpr unsigned rows = 0;
  static constexpr unsigned threads = 128;
  static constexpr unsigned blocks_per_multiprocessor = 4;
  unsigned per_word = 1;

  template <class Sums>
  COUNTPM_HD void term(WideInteger<8>& total, const Sums& x, unsigned count, bool minus) const {
    WideInteger<8> product;
    product.word[0] = 1;
    bool negative = minus;
    unsigned size = 1;
    for (unsigned first = 0; first < count; first += per_word) {
      std::int64_t word = 1;
      for (unsigned i = first; i < count && i < first + per_word; ++i) word *= x[i];
      negative ^= word < 0;
      product.multiply(static_cast<std::uint64_t>(word < 0 ? -word : word), size);
      if (size < 8) ++size;
    }
    total.add(product, negative);
  }
};

/// exact_sums: the row sums are exact, and no term has a slope.
template <unsigned N, bool exact_sums = false>
struct Doubles : SlopeBound {
  using Value = double;
  using Total = FloatingTotal<NeumaierSum>;
  static constexpr unsigned chains = 4;
  static constexpr unsigned rows = N;
  static constexpr bool exact = exact_sums;
  static constexpr unsigned threads = 256;
  static constexpr unsigned blocks_per_multiprocessor = N > 24 ? 1 : N > 0 ? 2 : 3;

  Doubles() = default;
  /// The rows that fill up N are factors 1.
  Doubles(double its_spread, unsigned its_rows) : SlopeBound(its_spread, N > 0 ? N - its_rows : 0) {}

  COUNTPM_HD static Value one() { return 1; }
  COUNTPM_HD static void add(Value& x, Value a) { x += a; }
  COUNTPM_HD static void subtract(Value& x, Value a) { x -= a; }
  COUNTPM_HD static void multiply(Value& x, Value a) { x *= a; }
  /// Of 1 / |x|, and |x|: from above.
  COUNTPM_HD static float share_of(Value x) { return reciprocal_share(x); }
  COUNTPM_HD static double above(Value x) { return magnitude_of(x); }
  COUNTPM_HD static void add_product(Total& total, Value product, bool minus) {
    total.sum.add(negated_if(product, minus));
  }
  COUNTPM_HD static void join(Total& total, const Total& other) {
    total.sum.add(other.sum.sum);
    total.sum.correction += other.sum.correction;
    total.products += other.products;
    total.errors += other.errors;
  }
  template <class Sums>
  COUNTPM_HD void term(Total& total, const Sums& x, unsigned count, bool minus) const {
    add_product(total, bounded_product(total, x, count), minus);
  }

  /// The product; its magnitude and its slope are added to the total.
  template <class Sums>
  COUNTPM_HD double bounded_product(Total& total, const Sums& x, unsigned count) const {
    // Several chains: a warp has few others to wait beside.
    double part[chains];
    float share[chains];
    COUNTPM_UNROLL
    for (unsigned k = 0; k < chains; ++k) {
      part[k] = 1;
      share[k] = k == 0 ? start : 0;
    }
    const unsigned end = N > 0 ? N : count;
    COUNTPM_UNROLL
    for (unsigned i = 0; i < end; ++i) {
      const double factor = x[i];
      part[i % chains] *= factor;
      if constexpr (!exact_sums) share[i % chains] += share_of(factor);
    }
    const double product = (part[0] * part[1]) * (part[2] * part[3]);
    if constexpr (exact_sums) {
      total.products += above(product);
    } else {
      const float reciprocals = (share[0] + share[1]) + (share[2] + share[3]);
      bound_term<N>(total, x, count, above(product), reciprocals, [&] { return above(product); });
    }
    return product;
  }
};

/// Number: DoubleDouble or TripleDouble.
template <class Number, unsigned N>
struct Expansions {
  using Value = Number;
  using Total = FloatingTotal<Number>;
  static constexpr unsigned rows = N;
  static constexpr unsigned threads = 128;
  static constexpr unsigned blocks_per_multiprocessor = N > 0 ? 2 : 4;
  double spread = 0;

  Expansions() = default;
  Expansions(double its_spread, unsigned) : spread(its_spread) {}

  COUNTPM_HD static Value one() { return {1}; }
  COUNTPM_HD static void add(Value& x, const Value& a) { x = expansion::sum(x, a); }
  COUNTPM_HD static void subtract(Value& x, const Value& a) { x = expansion::sum(x, expansion::negative(a)); }
  COUNTPM_HD static void join(Total& total, const Total& other) {
    add(total.sum, other.sum);
    total.products += other.products;
    total.errors += other.errors;
  }
  template <class Sums>
  COUNTPM_HD void term(Total& total, const Sums& x, unsigned count, bool minus) const {
    Value product = one();
    double wide = 1;
    const unsigned end = N > 0 ? N : count;
    COUNTPM_UNROLL
    for (unsigned i = 0; i < end; ++i) {
      const Value factor = x[i];
      product = expansion::product(product, factor);
      wide *= std::fabs(factor.high) + spread;
    }
    if (minus) {
      subtract(total.sum, product);
    } else {
      add(total.sum, product);
    }
    total.products += std::fabs(product.high);
    total.errors += wide;
  }
  double wides(const Total& total) const { return total.errors; }
};
template <unsigned N>
using Pairs = Expansions<DoubleDouble, N>;
template <unsigned N>
using Triples = Expansions<TripleDouble, N>;

}  // namespace countpm::gray
