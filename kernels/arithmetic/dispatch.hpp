#pragma once
// From an Arithmetic, which is data, to a Ring, which is a type: the one place where the two meet.
#include <optional>
#include <utility>

#include "graph/refusal.hpp"
#include "kernels/arithmetic/ball.hpp"
#include "kernels/arithmetic/complex.hpp"
#include "kernels/arithmetic/float_ring.hpp"
#include "kernels/arithmetic/mpfr_ring.hpp"
#include "kernels/arithmetic/prime_ring.hpp"
#include "kernels/arithmetic/running_error.hpp"
#include "kernels/arithmetic/wrap_ring.hpp"
#include "matching/block.hpp"

namespace countpm {

/// Whether the values need a complex ring.
inline bool is_complex(const AnyBlock& block) {
  return std::holds_alternative<Block<ComplexRational>>(block);
}

/// Why these entries have no place in this arithmetic; empty where they have. What a method adds to that
/// (characteristic 2, say) is its own. O(entries * moduli) for rationals, O(1) for integers.
std::optional<Refusal> obstacle(const AnyBlock& block, const Arithmetic& arithmetic);

/// Calls f with the ring of one modulus.
template <class F>
decltype(auto) with_exact_ring(const Modulus& modulus, F&& f) {
  if (modulus.prime != 0) return std::forward<F>(f)(PrimeRing(modulus.prime));
  if (modulus.power_of_two == 64) return std::forward<F>(f)(WrapRing<std::uint64_t>());
  return std::forward<F>(f)(WrapRing<uint128>());
}

/// Calls f with the ring of a floating arithmetic.
template <class F>
decltype(auto) with_floating_ring(const Arithmetic& arithmetic, bool complex, F&& f) {
  const auto call = [&](const auto& real) -> decltype(auto) {
    if (complex) return std::forward<F>(f)(ComplexRing(real));
    return std::forward<F>(f)(real);
  };
  switch (arithmetic.precision) {
    case Precision::plain:
      return call(DoubleRing());
    case Precision::kahan:
      return call(KahanRing());
    case Precision::double_double:
      return call(DoubleDoubleRing());
    case Precision::mpfr:
      break;
  }
  return call(MpfrRing(arithmetic.bits));
}

/// A unit's share in every ring of the arithmetic: calls kernel(ring, sum) once a modulus, or once for
/// floats, where `sum` is an empty RunningSum of that ring that the kernel adds its terms to.
template <class Kernel>
Partial sum_in_rings(const Arithmetic& arithmetic, bool complex, Kernel&& kernel) {
  if (arithmetic.kind == Arithmetic::Kind::residues) {
    Residues result;
    for (const Modulus& modulus : arithmetic.moduli) {
      result.residue.push_back(with_exact_ring(modulus, [&](const auto& ring) {
        RunningSum sum(ring);
        kernel(ring, sum);
        return ring.to_residue(sum.exact_value());
      }));
    }
    return result;
  }
  Ball ball = zero_ball(ball_bits(arithmetic));
  with_floating_ring(arithmetic, complex, [&](const auto& ring) {
    RunningSum sum(ring);
    kernel(ring, sum);
    sum.store(ball);
  });
  return ball;
}

}  // namespace countpm
