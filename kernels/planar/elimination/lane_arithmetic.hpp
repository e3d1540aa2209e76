#pragma once
// One group of primes and the code that computes modulo them: what the fronts are factored with.
#include <algorithm>
#include <cstring>

#include "kernels/planar/elimination/residue_lanes.hpp"

namespace countpm::planar {

/// A pivot that is zero modulo some but not all primes of a group: they have to go on one by one.
class PivotsDiffer : public std::exception {};

class LaneArithmetic {
 public:
  LaneArithmetic(const LaneCode& code, const std::vector<std::uint64_t>& primes)
      : code_(code), primes_(make_primes(code, primes)) {}

  std::size_t width() const { return code_.width; }
  const LanePrimes& primes() const { return primes_; }
  unsigned radix_bits() const { return code_.radix_bits; }

  Zeros zeros(const std::uint64_t* element) const { return code_.zeros(element); }
  void scale(std::uint64_t* target, std::size_t stride, std::size_t count,
             const std::uint64_t* factor) const {
    code_.scale(primes_, target, stride, count, factor);
  }
  void negate(std::uint64_t* element) const { code_.negate(primes_, element); }
  void invert(std::uint64_t* inverse, const std::uint64_t* element) const {
    if (std::memcmp(element, primes_.one, code_.width * sizeof(std::uint64_t)) == 0) {
      copy(inverse, element);
    } else {
      code_.invert(primes_, inverse, element);
    }
  }
  void subtract_product(const ProductTask& task) const {
    if (task.rows != 0 && task.columns != 0 && task.depth != 0) code_.subtract_product(primes_, task);
  }
  void scatter_add(const ScatterTask& task) const { code_.scatter_add(primes_, task); }

  /// Out of Montgomery form.
  void decode(std::uint64_t* element) const {
    const std::uint64_t one[most_lanes] = {1, 1, 1, 1, 1, 1, 1, 1};
    static_assert(most_lanes == 8);
    code_.scale(primes_, element, 0, 1, one);
  }
  void condense(const CondenseTask<std::uint64_t>& task) const { code_.condense(primes_, task); }

  void copy(std::uint64_t* to, const std::uint64_t* from) const {
    std::memcpy(to, from, code_.width * sizeof(std::uint64_t));
  }
  void swap(std::uint64_t* a, std::uint64_t* b) const { std::swap_ranges(a, a + code_.width, b); }

 private:
  const LaneCode& code_;
  LanePrimes primes_;
};

}  // namespace countpm::planar
