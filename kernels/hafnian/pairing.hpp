#pragma once
// Which vertices of a block are pairs, and in which order.
#include <cstdint>
#include <vector>

#include "kernels/hafnian/pair_walk.hpp"
#include "matching/block.hpp"

namespace countpm::pair_sets {

/// Vertex v stands at place[v], and places 2 k and 2 k + 1 are pair pairs - 1 - k. With monomers and an odd
/// number of vertices, one more vertex that is always alone, with weight 1, is the last of place.
struct Pairing {
  PairShape shape;
  std::vector<Index> place;
  std::vector<Index> twin_of;           // of each vertex: the first of its class
  bool twins = false;                   // some pairs are alike
  std::vector<std::int64_t> exponents;  // in floating point, of each vertex: balanced_exponents()
  unsigned decided = 0;                 // pairs whose groups tell the units apart
  std::uint64_t units = 1;
  std::uint64_t sets = 1;  // of each unit
};

/// Pairs of twin classes, the largest classes with one another, so that pairs that are alike are many: c of
/// them make c + 1 choices instead of 2^c. Without twins, vertices 2 k and 2 k + 1. O(n^3). Precondition: the
/// block is general, of at most 2 most_pairs vertices, and of an even number without monomers.
Pairing pairing_of(const AnyBlock& block);

}  // namespace countpm::pair_sets
