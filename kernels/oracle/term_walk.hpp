#pragma once
// What the jobs share that add up the terms of the definition one by one, once for each modulus.
#include <cstdint>
#include <utility>
#include <vector>

#include "graph/stop_poll.hpp"
#include "kernels/arithmetic/dispatch.hpp"
#include "kernels/arithmetic/ring_values.hpp"
#include "kernels/support/pass_rates.hpp"
#include "kernels/support/work_meter.hpp"
#include "matching/pattern_of.hpp"

namespace countpm {

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
  const SparsePattern& pattern() const { return pattern_of(block_); }

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
