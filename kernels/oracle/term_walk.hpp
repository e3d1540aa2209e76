#pragma once
// What the jobs have in common that add up the terms of the definition one by one, once for each modulus.
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "graph/stop_poll.hpp"
#include "kernels/arithmetic/dispatch.hpp"
#include "kernels/arithmetic/ring_values.hpp"
#include "kernels/support/work_meter.hpp"

namespace countpm {

/// How often the terms are gone through: once for each modulus, once in floating point.
inline double passes_of(const Arithmetic& arithmetic) {
  if (arithmetic.kind == Arithmetic::Kind::floating) return 1;
  return static_cast<double>(std::max<std::size_t>(arithmetic.moduli.size(), 1));
}

/// Nominal rates of one pass.
struct PassRates {
  double residues;  // modulo one prime
  double floating;
  double mpfr;
};
inline double nominal_rate_of(const Arithmetic& arithmetic, const PassRates& rates) {
  if (arithmetic.kind == Arithmetic::Kind::residues) return rates.residues / passes_of(arithmetic);
  return arithmetic.precision == Precision::mpfr ? rates.mpfr : rates.floating;
}
/// What the meter has seen of all passes, in work units a second.
inline double measured_rate_of(const Arithmetic& arithmetic, const WorkMeter& meter) {
  return std::max(static_cast<double>(meter.done()) / meter.elapsed_seconds() / passes_of(arithmetic), 1.0);
}

/// An element of any of its rings, at the most.
inline std::uint64_t element_bytes(const Arithmetic& arithmetic) {
  return 64 + (arithmetic.kind == Arithmetic::Kind::floating ? 2 * arithmetic.bits / 8 : 0);
}

/// Concrete jobs derive as class X : public TermWalkJob<X>, are friends of it and have
///   bool walk(unit, values, sum, meter) const     adds the unit's terms; false where the meter called time
///   Index factors() const                         of a term
template <class Concrete>
class TermWalkJob : public Job {
 public:
  Partial run(std::uint64_t unit, const StopSignal& stop) const override {
    return sum_in_rings(arithmetic_, is_complex(block_), [&](const auto& ring, auto& sum) {
      const auto values = prepare(ring, sum);
      WorkMeter meter(stop);
      concrete().walk(unit, values, sum, meter);
    });
  }

  double measured_rate(double seconds) const override {
    const StopSignal& stop = stop_signal_here();
    WorkMeter meter(stop, seconds);
    sum_in_rings(arithmetic_, is_complex(block_), [&](const auto& ring, auto& sum) {
      const auto values = prepare(ring, sum);
      // Around and around, since a few units may be all there is.
      do {
        for (std::uint64_t unit = 0; unit < units() && concrete().walk(unit, values, sum, meter); ++unit) {
        }
      } while (meter.done() != 0 && meter.look());
    });
    return meter.done() == 0 ? nominal_rate() : measured_rate_of(arithmetic_, meter);
  }

  std::uint64_t bytes_per_thread() const override {
    return 4096 + element_bytes(arithmetic_) * (std::uint64_t{pattern().rows} * 2 + pattern().entries());
  }

 protected:
  TermWalkJob(AnyBlock block, Arithmetic arithmetic)
      : block_(std::move(block)), arithmetic_(std::move(arithmetic)) {}

  const AnyBlock& block() const { return block_; }
  const Arithmetic& arithmetic() const { return arithmetic_; }
  const SparsePattern& pattern() const {
    return std::visit([](const auto& block) -> const SparsePattern& { return block.matrix; }, block_);
  }

 private:
  const Concrete& concrete() const { return static_cast<const Concrete&>(*this); }

  /// The entries in the ring; the sum expects terms of them.
  template <class R, class Sum>
  auto prepare(const R& ring, Sum& sum) const {
    auto values = ring_values(ring, block_);
    sum.expect_entries(concrete().factors());
    sum.scale(values.exponent);
    return std::move(values.value);
  }

  AnyBlock block_;
  Arithmetic arithmetic_;
};

}  // namespace countpm
