// The portable code, one prime at a time in 64-bit Montgomery form, and what all codes share.
#include "kernels/planar/elimination/residue_lanes.hpp"

#include <stdexcept>

#include <algorithm>

#include "kernels/arithmetic/arithmetic.hpp"
#include "kernels/arithmetic/wide_product.hpp"
#include "kernels/support/instruction_sets.hpp"
#ifdef __wasm_simd128__
#include <wasm_simd128.h>

#include "kernels/planar/elimination/residue_lanes_simd128.inc"
#endif

namespace countpm::planar {
namespace {

class Scalar {
 public:
  explicit Scalar(const LanePrimes& primes)
      : prime_(primes.prime[0]), minus_inverse_(primes.minus_inverse[0]), one_(primes.one[0]) {}

  /// sum / 2^64 mod p, for sum < p 2^64.
  std::uint64_t reduce(uint128 sum) const {
    const std::uint64_t m = static_cast<std::uint64_t>(sum) * minus_inverse_;
    // sum + m p < 2^127 for primes below 2^62
    const auto reduced = static_cast<std::uint64_t>((sum + wide_product(m, prime_)) >> 64);
    return reduced >= prime_ ? reduced - prime_ : reduced;
  }
  std::uint64_t multiply(std::uint64_t a, std::uint64_t b) const { return reduce(wide_product(a, b)); }
  std::uint64_t subtract(std::uint64_t a, std::uint64_t b) const { return a >= b ? a - b : a + prime_ - b; }
  std::uint64_t add(std::uint64_t a, std::uint64_t b) const {
    const std::uint64_t sum = a + b;
    return sum >= prime_ ? sum - prime_ : sum;
  }
  /// How many products of residues may be added before reduce(): k p^2 < p 2^64.
  std::size_t chunk() const {
    return static_cast<std::size_t>(std::min<std::uint64_t>(~std::uint64_t{0} / prime_, most_depth));
  }
  std::uint64_t prime() const { return prime_; }
  std::uint64_t one() const { return one_; }

 private:
  std::uint64_t prime_;
  std::uint64_t minus_inverse_;
  std::uint64_t one_;
};

Zeros zeros(const std::uint64_t* element) {
  return *element == 0 ? Zeros::all : Zeros::none;
}

void scale(const LanePrimes& primes, std::uint64_t* target, std::size_t stride, std::size_t count,
           const std::uint64_t* factor) {
  const Scalar ring(primes);
  for (std::size_t k = 0; k < count; ++k) target[k * stride] = ring.multiply(target[k * stride], *factor);
}

void negate(const LanePrimes& primes, std::uint64_t* element) {
  *element = Scalar(primes).subtract(0, *element);
}

void invert(const LanePrimes& primes, std::uint64_t* inverse, const std::uint64_t* element) {
  const Scalar ring(primes);
  std::uint64_t power = *element;
  std::uint64_t result = ring.one();
  for (std::uint64_t exponent = ring.prime() - 2; exponent != 0; exponent >>= 1) {
    if (exponent & 1) result = ring.multiply(result, power);
    power = ring.multiply(power, power);
  }
  *inverse = result;
}

// One row of the target, four columns at a time.
void subtract_product_row(const Scalar& ring, const ProductTask& task, std::size_t i) {
  constexpr std::size_t tile = 4;
  const std::size_t chunk = ring.chunk();
  const std::uint64_t* left = task.left + i * task.left_stride;
  std::uint64_t* target = task.target + i * task.target_stride;
  for (std::size_t j = 0; j < task.columns; j += tile) {
    const std::size_t columns = std::min(tile, task.columns - j);
    for (std::size_t first = 0; first < task.depth; first += chunk) {
      const std::size_t last = std::min(first + chunk, task.depth);
      uint128 sum[tile] = {};
      for (std::size_t t = first; t < last; ++t) {
        const std::uint64_t* right = task.right + t * task.right_stride + j;
        for (std::size_t c = 0; c < columns; ++c) sum[c] += wide_product(left[t], right[c]);
      }
      for (std::size_t c = 0; c < columns; ++c)
        target[j + c] = ring.subtract(target[j + c], ring.reduce(sum[c]));
    }
  }
}

void subtract_product(const LanePrimes& primes, const ProductTask& task) {
  const Scalar ring(primes);
  for (std::size_t i = 0; i < task.rows; ++i) subtract_product_row(ring, task, i);
}

void scatter_add(const LanePrimes& primes, const ScatterTask& task) {
  const Scalar ring(primes);
  for (std::size_t i = 0; i < task.rows; ++i) {
    std::uint64_t* target = task.target + task.to_row[i] * task.target_stride;
    const std::uint64_t* source = task.source + i * task.source_stride;
    for (std::size_t j = task.upper ? i + 1 : 0; j < task.columns; ++j) {
      std::uint64_t& entry = target[task.to_column[j]];
      entry = ring.add(entry, source[j]);
    }
  }
}

// Three products are below 3 p^2 < p 2^64.
void condense(const LanePrimes& primes, const CondenseTask<std::uint64_t>& task) {
  const Scalar ring(primes);
  std::uint64_t minus_left[most_condensed];
  for (std::size_t t = 0; t < task.depth; ++t) minus_left[t] = ring.subtract(0, task.left[t]);
  for (std::size_t k = 0; k < task.count; ++k) {
    uint128 sum = wide_product(*task.pivot, task.row[k]);
    for (std::size_t t = 0; t < task.depth; ++t)
      sum += wide_product(minus_left[t], task.right[t * task.right_stride + k]);
    task.row[k] = ring.reduce(sum);
  }
}
static_assert(most_condensed <= 2);

}  // namespace

const LaneCode& portable_lanes() {
  static const LaneCode code{"portable",       1,           64,      62, zeros, scale, negate, invert,
                             subtract_product, scatter_add, condense};
  return code;
}

#ifndef __x86_64__
const LaneCode& avx512_lanes() {
  throw std::logic_error("this processor has no AVX-512");
}
#endif

const LaneCode* wide_lanes() {
#ifdef __wasm_simd128__
  return &simd128::code;
#else
  return processor_has(InstructionSet::avx512) ? &avx512_lanes() : nullptr;
#endif
}

LanePrimes make_primes(const LaneCode& code, const std::vector<std::uint64_t>& primes) {
  LanePrimes result{};
  for (unsigned lane = 0; lane < most_lanes; ++lane) {
    const std::uint64_t p = primes[lane < primes.size() ? lane : 0];
    // Newton's iteration for 1/p: p is its own inverse modulo 8, and each round doubles the 3 good bits.
    std::uint64_t inverse = p;
    for (int round = 0; round < 5; ++round) inverse *= 2 - p * inverse;
    const std::uint64_t mask =
        code.radix_bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << code.radix_bits) - 1;
    result.prime[lane] = p;
    result.minus_inverse[lane] = (~inverse + 1) & mask;
    result.one[lane] = static_cast<std::uint64_t>((uint128{1} << code.radix_bits) % p);
  }
  return result;
}

}  // namespace countpm::planar
