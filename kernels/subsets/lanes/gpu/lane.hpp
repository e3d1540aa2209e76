#pragma once
// What a thread of the sums over classes computes with.
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "kernels/arithmetic/host_device.hpp"
#include "kernels/arithmetic/prime_ring.hpp"

namespace countpm::class_sums {

/// Modulo a prime below 2^62.
struct PrimeLane {
  using Value = std::uint64_t;    // of a row; Montgomery form
  using Product = std::uint64_t;  // of rows
  using Weight = std::uint64_t;
  using Total = std::uint64_t;

  PrimeRing ring{3};

  COUNTPM_HD_INLINE Value number(std::uint32_t copies) const { return ring.from_residue(copies); }
  COUNTPM_HD_INLINE void add_copies(Value& row, Value change, Value copies) const {
    ring.add_to(row, ring.mul(copies, change));
  }
  COUNTPM_HD_INLINE Value changed(Value row, Value change, bool out) const {
    return out ? ring.sub(row, change) : ring.add(row, change);
  }
  COUNTPM_HD_INLINE Product one() const { return ring.one(); }
  COUNTPM_HD_INLINE Product factor(Value row) const { return row; }
  COUNTPM_HD_INLINE void times(Product& product, Product other) const { ring.mul_to(product, other); }
  COUNTPM_HD_INLINE void times_factor(Product& product, Product other) const { times(product, other); }
  COUNTPM_HD_INLINE Weight unit_weight() const { return ring.one(); }
  COUNTPM_HD_INLINE void weigh(Weight& weight, Weight other) const { ring.mul_to(weight, other); }
  COUNTPM_HD_INLINE void add(Total& total, Product product, Weight weight) const {
    ring.add_to(total, ring.mul(product, weight));
  }
  /// An item's sum, whose terms have their steps' weights alone.
  COUNTPM_HD_INLINE void join(Total& total, Total items, Weight weight) const {
    ring.add_to(total, ring.mul(items, weight));
  }
};

/// high + low, each addition's rounding kept (D. E. Knuth's two-sum).
struct KeptSum {
  double high = 0;
  double low = 0;

  COUNTPM_HD_INLINE void add(double term, double rest) {
    const double sum = high + term;
    const double part = sum - high;
    low += ((high - (sum - part)) + (term - part)) + rest;
    high = sum;
  }
  COUNTPM_HD_INLINE void add_product(const KeptSum& sum, double weight) {
    const double product = sum.high * weight;
    add(product, std::fma(sum.high, weight, -product) + sum.low * weight);
  }
};

struct RowPair {
  double re = 0;
  double im = 0;
};

/// Doubles, real or complex, with the bounds of lane_sums.hpp: rows are exact, off the true ones by a little.
template <bool complex>
struct DoubleLane {
  using Value = std::conditional_t<complex, RowPair, double>;
  struct Product {
    double re;
    double im;
    double m;  // of Q = |y|^2 + shift
    double e;  // the sum over the factors of m without one
  };
  using Weight = double;
  struct Total {
    KeptSum re;
    KeptSum im;
    double bound = 0;
  };

  double shift = 0;
  double of_product = 0;
  double of_factors = 0;

  COUNTPM_HD_INLINE double number(std::uint32_t copies) const { return copies; }
  COUNTPM_HD_INLINE void add_copies(Value& row, const Value& change, double copies) const {
    if constexpr (complex) {
      row.re = std::fma(copies, change.re, row.re);
      row.im = std::fma(copies, change.im, row.im);
    } else {
      row = std::fma(copies, change, row);
    }
  }
  COUNTPM_HD_INLINE Value changed(const Value& row, const Value& change, bool out) const {
    Value result = row;
    add_copies(result, change, out ? -1 : 1);
    return result;
  }
  COUNTPM_HD_INLINE Product one() const { return {1, 0, 1, 0}; }
  COUNTPM_HD_INLINE Product factor(const Value& row) const {
    Product result{1, 0, shift, 1};
    if constexpr (complex) {
      result.re = row.re;
      result.im = row.im;
      result.m = std::fma(row.im, row.im, shift);
    } else {
      result.re = row;
    }
    result.m = std::fma(result.re, result.re, result.m);
    return result;
  }
  COUNTPM_HD_INLINE void times(Product& product, const Product& other) const {
    product.e = std::fma(product.e, other.m, product.m * other.e);
    multiply(product, other);
  }
  /// Of a single row.
  COUNTPM_HD_INLINE void times_factor(Product& product, const Product& other) const {
    product.e = std::fma(product.e, other.m, product.m);
    multiply(product, other);
  }
  COUNTPM_HD_INLINE Weight unit_weight() const { return 1; }
  COUNTPM_HD_INLINE void weigh(Weight& weight, Weight other) const { weight *= other; }
  COUNTPM_HD_INLINE void add(Total& total, const Product& product, Weight weight) const {
    total.re.add(product.re * weight, 0);
    if constexpr (complex) total.im.add(product.im * weight, 0);
    total.bound += std::sqrt(std::fma(product.m, of_product, product.e * of_factors)) * std::fabs(weight);
  }
  COUNTPM_HD_INLINE void join(Total& total, const Total& items, Weight weight) const {
    total.re.add_product(items.re, weight);
    if constexpr (complex) total.im.add_product(items.im, weight);
    total.bound += items.bound * std::fabs(weight);
  }

 private:
  COUNTPM_HD_INLINE static void multiply(Product& product, const Product& other) {
    product.m *= other.m;
    if constexpr (complex) {
      const double re = std::fma(product.re, other.re, -(product.im * other.im));
      product.im = std::fma(product.re, other.im, product.im * other.re);
      product.re = re;
    } else {
      product.re *= other.re;
    }
  }
};

}  // namespace countpm::class_sums
