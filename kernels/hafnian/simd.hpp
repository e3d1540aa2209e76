#pragma once
// The walk of hafnian over SIMD lanes, compiled three times (baseline x86-64, AVX2, AVX-512). Plain data only
// and no standard library: an inline function of the library compiled here with -mavx512f could be the copy
// that the linker keeps for everyone.
//
// Every lane walks over the same pairs from a matrix of its own: the pairs that the lane's number stands for
// are all taken, and those that it leaves out have zeros for entries. So all lanes do the same.
#include "kernels/hafnian/pair_walk.hpp"

namespace countpm::pair_sets::lanes {

/// residues: modulo one odd number below 2^31. Below 2^29 the 2 (most_pairs - 1) products of a sum fit 64
/// bits, else sums are folded on the way. The others are doubles: real and complex ones, and as pairs (high,
/// low) of about 106 bits.
enum class Kind { residues, real, complex, real_pair, complex_pair };

/// Words (of 8 bytes) that a number has in each lane.
constexpr unsigned words_of(Kind kind) {
  return kind == Kind::residues || kind == Kind::real ? 1 : kind == Kind::complex_pair ? 4 : 2;
}
/// Of a sum: of floating kinds two for each part.
constexpr unsigned sum_words(Kind kind) {
  return kind == Kind::residues ? 1 : kind == Kind::real || kind == Kind::real_pair ? 2 : 4;
}
/// Coefficients that are computed side by side.
constexpr unsigned block_of(Kind kind) {
  return kind == Kind::real_pair || kind == Kind::complex_pair ? 2 : 4;
}
inline constexpr unsigned most_lanes = 8;
inline constexpr unsigned prime_bits = 29;
inline constexpr unsigned folded_bits = 31;

/// How many products of residues below `modulus` fit into the 62/64 of 2^64 that finish() takes; beside a sum
/// that was folded, which is below modulus 2^32. At least 1 up to 2^31.
constexpr unsigned products_that_fit(unsigned long long modulus, bool beside_folded) {
  const unsigned long long all = ~0ULL / 64 * 62;
  const unsigned long long room = beside_folded ? all - (modulus << 32) : all;
  const unsigned long long fit = room / ((modulus - 1) * (modulus - 1));
  return fit < 1024 ? static_cast<unsigned>(fit) : 1024;
}

struct Task {
  Kind kind;
  PairShape shape;
  // residues: in Montgomery form, a 2^32 mod prime
  unsigned long long prime;
  unsigned long long minus_inverse;  // -1/prime mod 2^32
  unsigned long long word_power;     // 2^32 mod prime
  unsigned long long one;            // of the kind's numbers: residues only
  /// entry_index(row, column): words_of(kind) words each, uint64 or double.
  const void* entries;
  unsigned first;           // pairs that the unit decides; the next are the lanes', groups of one pair each
  unsigned long long unit;  // decide_pairs()
  bool alternate;           // false: sets of any size count with +
  void* storage;            // storage_bytes(), aligned to 64
  bool (*go_on)(void*);     // asked before every step but the first
  void* caller;
  /// The lanes' sums, each with the sign + where it takes all of the lane's own pairs: lane k's words from
  /// k * sum_words(kind) on, of floating kinds doubles to add up for each part.
  void* sums;
};

struct Variant {
  const char* name;
  unsigned lanes;
  bool floating;  // whether it has more than residues
  void (*run)(const Task& task);
};

/// Bytes of Task::storage; `lanes` a power of two.
constexpr unsigned long long storage_bytes(const PairShape& shape, Kind kind, unsigned lanes) {
  return shape.values(block_of(kind)) * words_of(kind) * lanes * 8;
}

namespace baseline {
Variant variant();
}
namespace avx2 {
Variant variant();
}
namespace avx512 {
Variant variant();
}

}  // namespace countpm::pair_sets::lanes
