#pragma once
// The rings of kernels/arithmetic as numbers of a PairWalk: one set at a time.
#include <cstdint>

#include "kernels/arithmetic/ring.hpp"

namespace countpm::pair_sets {

template <Ring R>
class RingNumbers {
 public:
  using Value = typename R::Element;
  using Accumulator = Value;
  using Sum = typename R::Accumulator;
  static constexpr unsigned block = 1;

  explicit RingNumbers(const R& ring) : ring_(ring), product_(ring.zero()) {}

  Value zero() const { return ring_.zero(); }
  Value one() const { return ring_.one(); }
  const Value& start(const Value& summand) const { return summand; }
  void multiply_add(Accumulator& sum, const Value& a, const Value& b) const {
    product_ = a;
    ring_.mul_to(product_, b);
    ring_.add_to(sum, product_);
  }
  const Value& finish(const Accumulator& sum) const { return sum; }
  void add(Sum& sum, const Accumulator& term, bool negative, unsigned long long weight) const {
    product_ = term;
    if (weight != 1) ring_.mul_to(product_, ring_.from_int64(static_cast<std::int64_t>(weight)));
    if (negative) product_ = ring_.neg(product_);
    ring_.accumulate(sum, product_);
  }

 private:
  R ring_;
  mutable Value product_;  // numbers of many words would be allocated each time
};

}  // namespace countpm::pair_sets
