// Eight primes below 2^50 side by side: 52-bit multiply-add (IFMA), radix 2^52. Compiled with its own flags
// (kernels/CMakeLists.txt); called only where processor_has(InstructionSet::avx512). Everything but the
// table is internal, so that no inline function compiled for this instruction set can end up elsewhere.
#if defined(__GNUC__) && !defined(__clang__)
// g++ 12 says so of its own _mm512_undefined_epi32
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif
#include <immintrin.h>

#include "kernels/planar/elimination/residue_lanes.hpp"

namespace countpm::planar {
namespace {

using Vector = __m512i;
constexpr std::size_t width = 8;

inline Vector load(const std::uint64_t* from) {
  return _mm512_loadu_si512(from);
}
inline void store(std::uint64_t* to, Vector value) {
  _mm512_storeu_si512(to, value);
}

struct Ring {
  Vector prime;
  Vector minus_inverse;
  Vector low_bits;

  explicit Ring(const LanePrimes& primes)
      : prime(load(primes.prime)),
        minus_inverse(load(primes.minus_inverse)),
        low_bits(_mm512_set1_epi64((1LL << 52) - 1)) {}

  /// value mod p for value < 2p: where value - p wraps around it is the larger one.
  Vector once(Vector value) const { return _mm512_min_epu64(value, _mm512_sub_epi64(value, prime)); }
  Vector add(Vector a, Vector b) const { return once(_mm512_add_epi64(a, b)); }
  /// a - b, or a - b + p where that has wrapped.
  Vector subtract(Vector a, Vector b) const {
    const Vector difference = _mm512_sub_epi64(a, b);
    return _mm512_min_epu64(difference, _mm512_add_epi64(difference, prime));
  }
  /// (high 2^52 + low) / 2^52, modulo p but below high + low / 2^52 + p + 1 only.
  Vector lazy_reduce(Vector low, Vector high) const {
    const Vector m =
        _mm512_madd52lo_epu64(_mm512_setzero_si512(), low, minus_inverse);  // reads 52 bits of low
    high = _mm512_add_epi64(high, _mm512_srli_epi64(low, 52));
    low = _mm512_and_si512(low, low_bits);
    // low + (m p mod 2^52) is 0 or 2^52
    const __mmask8 carries = _mm512_test_epi64_mask(low, low);
    high = _mm512_madd52hi_epu64(high, m, prime);
    return _mm512_mask_sub_epi64(high, carries, high, _mm512_set1_epi64(-1));
  }
  Vector multiply(Vector a, Vector b) const {
    const Vector low = _mm512_madd52lo_epu64(_mm512_setzero_si512(), a, b);
    const Vector high = _mm512_madd52hi_epu64(_mm512_setzero_si512(), a, b);
    return once(lazy_reduce(low, high));  // a b / 2^52 < p / 4
  }
};

/// The remainder of sums of up to 32 products: below 32 p^2 / 2^52 + p + 1 < 16 p.
struct SumRing : Ring {
  Vector prime2, prime4, prime8;

  explicit SumRing(const LanePrimes& primes)
      : Ring(primes),
        prime2(_mm512_slli_epi64(prime, 1)),
        prime4(_mm512_slli_epi64(prime, 2)),
        prime8(_mm512_slli_epi64(prime, 3)) {}

  Vector reduce(Vector low, Vector high) const {
    Vector value = lazy_reduce(low, high);
    value = _mm512_min_epu64(value, _mm512_sub_epi64(value, prime8));
    value = _mm512_min_epu64(value, _mm512_sub_epi64(value, prime4));
    value = _mm512_min_epu64(value, _mm512_sub_epi64(value, prime2));
    return once(value);
  }
};
static_assert(most_depth <= 32);

Zeros zeros(const std::uint64_t* element) {
  const Vector value = load(element);
  const unsigned nonzero = _mm512_test_epi64_mask(value, value);
  if (nonzero == 0) return Zeros::all;
  return nonzero == 0xff ? Zeros::none : Zeros::some;
}

void scale(const LanePrimes& primes, std::uint64_t* target, std::size_t stride, std::size_t count,
           const std::uint64_t* factor) {
  const Ring ring(primes);
  const Vector by = load(factor);
  for (std::size_t k = 0; k < count; ++k) {
    std::uint64_t* element = target + k * stride * width;
    store(element, ring.multiply(load(element), by));
  }
}

void negate(const LanePrimes& primes, std::uint64_t* element) {
  store(element, Ring(primes).subtract(_mm512_setzero_si512(), load(element)));
}

void invert(const LanePrimes& primes, std::uint64_t* inverse, const std::uint64_t* element) {
  const Ring ring(primes);
  Vector power = load(element);
  Vector result = load(primes.one);
  // Every lane has its own exponent p - 2.
  Vector exponent = _mm512_sub_epi64(ring.prime, _mm512_set1_epi64(2));
  const Vector lowest = _mm512_set1_epi64(1);
  while (_mm512_test_epi64_mask(exponent, exponent) != 0) {
    const __mmask8 odd = _mm512_test_epi64_mask(exponent, lowest);
    result = _mm512_mask_mov_epi64(result, odd, ring.multiply(result, power));
    power = ring.multiply(power, power);
    exponent = _mm512_srli_epi64(exponent, 1);
  }
  store(inverse, result);
}

/// A tile of the target in registers: 2 rows columns accumulators, rows + columns operands.
template <std::size_t rows, std::size_t columns>
inline void tile(const SumRing& ring, const ProductTask& task, std::size_t i, std::size_t j) {
  Vector low[rows][columns];
  Vector high[rows][columns];
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c) low[r][c] = high[r][c] = _mm512_setzero_si512();
  }
  const std::uint64_t* left = task.left + i * task.left_stride * width;
  const std::uint64_t* right = task.right + j * width;
  for (std::size_t t = 0; t < task.depth; ++t) {
    Vector b[columns];
    for (std::size_t c = 0; c < columns; ++c) b[c] = load(right + c * width);
    for (std::size_t r = 0; r < rows; ++r) {
      const Vector a = load(left + r * task.left_stride * width);
      for (std::size_t c = 0; c < columns; ++c) {
        low[r][c] = _mm512_madd52lo_epu64(low[r][c], a, b[c]);
        high[r][c] = _mm512_madd52hi_epu64(high[r][c], a, b[c]);
      }
    }
    left += width;
    right += task.right_stride * width;
  }
  for (std::size_t r = 0; r < rows; ++r) {
    std::uint64_t* target = task.target + ((i + r) * task.target_stride + j) * width;
    for (std::size_t c = 0; c < columns; ++c) {
      std::uint64_t* element = target + c * width;
      store(element, ring.subtract(load(element), ring.reduce(low[r][c], high[r][c])));
    }
  }
}

template <std::size_t columns>
inline void strip(const SumRing& ring, const ProductTask& task, std::size_t j) {
  constexpr std::size_t rows = 3;
  std::size_t i = 0;
  for (; i + rows <= task.rows; i += rows) tile<rows, columns>(ring, task, i, j);
  for (; i < task.rows; ++i) tile<1, columns>(ring, task, i, j);
}

void subtract_product(const LanePrimes& primes, const ProductTask& task) {
  const SumRing ring(primes);
  constexpr std::size_t columns = 4;
  std::size_t j = 0;
  for (; j + columns <= task.columns; j += columns) strip<columns>(ring, task, j);
  for (; j < task.columns; ++j) strip<1>(ring, task, j);
}

void scatter_add(const LanePrimes& primes, const ScatterTask& task) {
  const Ring ring(primes);
  for (std::size_t i = 0; i < task.rows; ++i) {
    std::uint64_t* target = task.target + task.to_row[i] * task.target_stride * width;
    const std::uint64_t* source = task.source + i * task.source_stride * width;
    for (std::size_t j = task.upper ? i + 1 : 0; j < task.columns; ++j) {
      std::uint64_t* entry = target + task.to_column[j] * width;
      store(entry, ring.add(load(entry), load(source + j * width)));
    }
  }
}

void condense(const LanePrimes& primes, const CondenseTask<std::uint64_t>& task) {
  const SumRing ring(primes);
  const Vector pivot = load(task.pivot);
  Vector minus_left[most_condensed];
  for (std::size_t t = 0; t < task.depth; ++t)
    minus_left[t] = ring.subtract(_mm512_setzero_si512(), load(task.left + t * width));
  for (std::size_t k = 0; k < task.count; ++k) {
    std::uint64_t* element = task.row + k * width;
    const Vector old = load(element);
    Vector low = _mm512_madd52lo_epu64(_mm512_setzero_si512(), pivot, old);
    Vector high = _mm512_madd52hi_epu64(_mm512_setzero_si512(), pivot, old);
    for (std::size_t t = 0; t < task.depth; ++t) {
      const Vector right = load(task.right + (t * task.right_stride + k) * width);
      low = _mm512_madd52lo_epu64(low, minus_left[t], right);
      high = _mm512_madd52hi_epu64(high, minus_left[t], right);
    }
    store(element, ring.once(ring.lazy_reduce(low, high)));  // 3 p^2 / 2^52 < 3 p / 4
  }
}
static_assert(most_condensed <= 2);

}  // namespace

const LaneCode& avx512_lanes() {
  static const LaneCode code{"avx512",         width,       52,      50, zeros, scale, negate, invert,
                             subtract_product, scatter_add, condense};
  return code;
}

}  // namespace countpm::planar
