#pragma once
// A block's entries in the order of a walk over its pairs, as ring elements.
#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernels/arithmetic/ring_values.hpp"
#include "kernels/hafnian/pairing.hpp"
#include "kernels/hafnian/simd.hpp"
#include "matching/pattern_of.hpp"

namespace countpm::pair_sets {

/// Where each vertex goes, 2 k beside 2 k + 1: pairs of the heaviest edges first. A way that passes a pair
/// does not use the edge between its two vertices, so that what is heavy counts once, not again and again in
/// terms that cancel.
std::vector<Index> heaviest_pairs(const SparsePattern& pattern, const std::vector<double>& magnitude);

/// The entries by entry_index(), times 2^-exponent together.
template <Ring R>
struct Entries {
  std::vector<typename R::Element> matrix;
  std::int64_t exponent = 0;
  bool vanished = false;  // some are too small for a double
};

/// Exact ones as the vertices are, since their pairs tell units apart.
template <Ring R>
Entries<R> entries_of(const R& ring, const AnyBlock& block, const Pairing& pairing) {
  const PairShape& shape = pairing.shape;
  const SparsePattern& pattern = pattern_of(block);
  const RingValues<R> values = ring_values(ring, block, pairing.exponents);
  Entries<R> result;
  result.exponent = values.exponent;
  std::vector<typename R::Element>& matrix = result.matrix;
  matrix.assign(shape.polynomials(0), ring.zero());
  std::vector<Index> place = pairing.place;
  if constexpr (!R::exact) {
    std::vector<double> magnitude;
    for (const auto& value : values.value) magnitude.push_back(ring.magnitude(value));
    // a block has no zeros of its own
    result.vanished = std::find(magnitude.begin(), magnitude.end(), 0.0) != magnitude.end();
    if (!pairing.twins) place = heaviest_pairs(pattern, magnitude);
  }
  for (Index i = 0; i < pattern.rows; ++i) {
    for (std::uint64_t k = pattern.row_start[i]; k < pattern.row_start[i + std::uint64_t{1}]; ++k) {
      const Index j = pattern.column[k];
      if (j == i && shape.monomers != 0) {
        matrix[entry_index(place[i] + 1, 0)] = values.value[k];
      } else if (j < i) {
        const Index a = place[i] + shape.monomers;
        const Index b = place[j] + shape.monomers;
        matrix[entry_index(std::max(a, b), std::min(a, b))] = values.value[k];
      }
    }
  }
  if (pattern.rows % 2 != 0) matrix[entry_index(place.back() + 1, 0)] = ring.one();
  return result;
}

/// Bounds of the entries' magnitudes.
struct Sizes {
  std::vector<double> size;  // more than the true entries, and than the rounded ones
  double smallest = 1;       // of those that are not zero; 0: some have vanished
};
template <FloatingRing R>
Sizes sizes_of(const R& ring, const Entries<R>& entries) {
  Sizes result;
  for (const auto& value : entries.matrix) {
    const double size = ring.magnitude(value);
    result.size.push_back(size == 0 ? 0 : size * (1 + 0x1p-20) + underflow_bound);
    if (size != 0) result.smallest = std::min(result.smallest, size);
  }
  if (entries.vanished) result.smallest = 0;
  return result;
}

/// As lanes::Task::entries has them.
template <FloatingRing R>
std::vector<double> in_words(const R& /*ring*/, const std::vector<typename R::Element>& matrix) {
  std::vector<double> words;
  const auto put_part = [&](const auto& part) {
    if constexpr (std::is_same_v<std::decay_t<decltype(part)>, double>) {
      words.push_back(part);
    } else {
      words.insert(words.end(), {part.high, part.low});
    }
  };
  for (const auto& value : matrix) {
    if constexpr (R::complex) {
      put_part(value.re);
      put_part(value.im);
    } else {
      put_part(value);
    }
  }
  return words;
}

/// The entries in doubles or pairs of doubles, as lanes and GPUs have them.
struct FloatingEntries {
  lanes::Kind kind = lanes::Kind::real;
  std::vector<double> words;
  Sizes sizes;
  std::int64_t exponent = 0;
};

}  // namespace countpm::pair_sets
