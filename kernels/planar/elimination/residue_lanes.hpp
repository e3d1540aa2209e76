#pragma once
// Dense linear algebra modulo several primes side by side: an element is `width` words, one residue for each
// prime, in Montgomery form.
//
// The same elimination runs for every prime, so lanes share all indices and all control flow; what differs by
// accident (a pivot that is zero modulo one prime only) is for the caller to see: zeros(). Sums of products
// are kept unreduced in two accumulators; P. L. Montgomery, Modular multiplication without trial division,
// Math. Comp. 44 (1985); B. A. LaMacchia, A. M. Odlyzko, Solving large sparse linear systems over finite
// fields, CRYPTO '90 (delayed reduction).
#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph/sparse_matrix.hpp"

namespace countpm::planar {

inline constexpr unsigned most_lanes = 8;

/// What the lanes compute modulo. Made by make_primes().
struct LanePrimes {
  alignas(64) std::uint64_t prime[most_lanes];
  alignas(64) std::uint64_t minus_inverse[most_lanes];  // -1/p modulo the radix
  alignas(64) std::uint64_t one[most_lanes];            // the radix modulo p
};

/// target[i][j] -= sum over t of left[i][t] right[t][j]. Strides count elements. depth <= most_depth; target
/// overlaps neither.
struct ProductTask {
  std::uint64_t* target;
  std::size_t target_stride;
  const std::uint64_t* left;
  std::size_t left_stride;
  const std::uint64_t* right;
  std::size_t right_stride;
  std::size_t rows;
  std::size_t columns;
  std::size_t depth;
};
inline constexpr std::size_t most_depth = 32;

/// target[to_row[i]][to_column[j]] += source[i][j]; for upper triangles j > i only.
struct ScatterTask {
  std::uint64_t* target;
  std::size_t target_stride;
  const std::uint64_t* source;
  std::size_t source_stride;
  const Index* to_row;
  const Index* to_column;
  std::size_t rows;
  std::size_t columns;
  bool upper;
};

/// row[k] := pivot row[k] - sum over t of left[t] right[t][k], k < count. 1 <= depth <= most_condensed; row
/// and right do not overlap.
template <class Word>
struct CondenseTask {
  Word* row;
  const Word* pivot;
  const Word* left;
  const Word* right;
  std::size_t right_stride;
  std::size_t count;
  std::size_t depth;
};
inline constexpr std::size_t most_condensed = 2;

enum class Zeros : std::uint8_t { none, some, all };

/// One instruction set's code.
struct LaneCode {
  const char* name;
  unsigned width;       // lanes: 1 or 8
  unsigned radix_bits;  // of the Montgomery form
  unsigned prime_bits;  // primes must be odd and below 2^prime_bits

  Zeros (*zeros)(const std::uint64_t* element);
  /// target[k stride] *= factor, for k = 0 .. count - 1.
  void (*scale)(const LanePrimes&, std::uint64_t* target, std::size_t stride, std::size_t count,
                const std::uint64_t* factor);
  /// element := -element.
  void (*negate)(const LanePrimes&, std::uint64_t* element);
  /// inverse := 1 / element; no lane is zero.
  void (*invert)(const LanePrimes&, std::uint64_t* inverse, const std::uint64_t* element);
  void (*subtract_product)(const LanePrimes&, const ProductTask&);
  void (*scatter_add)(const LanePrimes&, const ScatterTask&);
  void (*condense)(const LanePrimes&, const CondenseTask<std::uint64_t>&);
};

/// portable: any processor, 1 lane, primes below 2^62. avx512: InstructionSet::avx512 (for IFMA), 8 lanes,
/// primes below 2^50.
const LaneCode& portable_lanes();
const LaneCode& avx512_lanes();
/// The code with several lanes that runs here: avx512, or in WebAssembly simd128, primes below 2^29; null
/// where there is none.
const LaneCode* wide_lanes();
/// How large primes are to be for it, everywhere the same on machines that count together.
#ifdef __wasm_simd128__
inline constexpr unsigned lane_prime_bits = 29;
#else
inline constexpr unsigned lane_prime_bits = 50;
#endif

/// primes.size() <= code.width; lanes left over repeat the first.
LanePrimes make_primes(const LaneCode& code, const std::vector<std::uint64_t>& primes);

}  // namespace countpm::planar
