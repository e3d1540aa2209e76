#pragma once
// Sums over matchings of which only those with the most edges are kept: the leading terms of polynomials in a
// variable that every edge has once. Where these cancel, the sum is 0 and the number of edges stays.
#include <gmpxx.h>

#include <cstdint>
#include <utility>

namespace countpm {

/// Modulo the prime 2^61 - 1.
struct Residue {
  static constexpr std::uint64_t prime = (std::uint64_t{1} << 61U) - 1;
  std::uint64_t value = 0;

  Residue() = default;
  explicit Residue(const mpz_class& number) : value(mpz_fdiv_ui(number.get_mpz_t(), prime)) {}
  bool operator==(const Residue&) const = default;
  friend Residue operator+(const Residue& a, const Residue& b) {
    const std::uint64_t sum = a.value + b.value;
    return of(sum >= prime ? sum - prime : sum);
  }
  friend Residue operator-(const Residue& a, const Residue& b) {
    return of(a.value >= b.value ? a.value - b.value : a.value + prime - b.value);
  }
  friend Residue operator*(const Residue& a, const Residue& b) {
    __extension__ using Product = unsigned __int128;
    const Product product = static_cast<Product>(a.value) * b.value;
    const auto sum =
        (static_cast<std::uint64_t>(product) & prime) + static_cast<std::uint64_t>(product >> 61U);
    return of(sum >= prime ? sum - prime : sum);
  }

 private:
  static Residue of(std::uint64_t value) {
    Residue result;
    result.value = value;
    return result;
  }
};

/// A complex number with parts of type T.
template <class T>
struct Gaussian {
  T re{};
  T im{};

  bool operator==(const Gaussian&) const = default;
  friend Gaussian operator+(const Gaussian& a, const Gaussian& b) { return {T(a.re + b.re), T(a.im + b.im)}; }
  friend Gaussian operator*(const Gaussian& a, const Gaussian& b) {
    return {T(a.re * b.re - a.im * b.im), T(a.re * b.im + a.im * b.re)};
  }
};

template <class Number>
struct Leading {
  static constexpr std::int64_t no_matching = -1;
  std::int64_t edges = no_matching;
  Number sum{};

  bool operator==(const Leading&) const = default;
  bool exists() const { return edges != no_matching; }
  friend Leading operator*(const Leading& a, const Leading& b) {
    if (!a.exists() || !b.exists()) return {};
    return {a.edges + b.edges, Number(a.sum * b.sum)};
  }
  friend Leading operator+(Leading a, Leading b) {
    if (a.edges != b.edges) return a.edges > b.edges ? std::move(a) : std::move(b);
    if (!a.exists()) return a;
    return {a.edges, Number(a.sum + b.sum)};
  }
};

/// The weight of an edge, as a fraction.
template <class Number>
struct Fraction {
  Number numerator;
  Number denominator;
};

/// What hangs on a vertex, in two sums: over the matchings that leave it to others, and over those in which
/// it is matched or stays alone; both over one denominator, the product of all edges' denominators.
template <class Number>
struct VertexSums {
  Leading<Number> left;
  Leading<Number> settled;
  Number denominator;

  bool operator==(const VertexSums&) const = default;
};

}  // namespace countpm
