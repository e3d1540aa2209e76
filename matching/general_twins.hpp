#pragma once
// Twins of a general block: vertices that no other vertex can tell apart.
//
// i and j are open twins where they are not adjacent and a_ix = a_jx for all x, closed twins where they are
// adjacent and a_ix = a_jx for all x but i and j. Both are equivalence relations. Closed ones, as the others
// are plain: let i, j be closed twins with a_ij = w and j, k with a_jk = v. Then a_ik = a_jk = v (x = k for
// i, j) and a_ik = a_ij = w (x = i for j, k, the matrix being symmetric), so v = w; a_ix = a_jx = a_kx for
// every x but these three, and for x = j both are w. So all edges within a class of closed twins have one
// value. No vertex has twins of both kinds: for i, j open and i, k closed twins a_jk = a_ik != 0 (x = k for
// i, j), but a_jk = a_kj = a_ij = 0 (x = j for i, k). So the two relations together cut the vertices into
// classes, and between two classes all edges have one value or there are none.
#include <vector>

#include "matching/block.hpp"

namespace countpm {

struct GeneralTwins {
  Index classes = 0;
  std::vector<Index> class_of;        // of every vertex; classes are numbered by their first vertex
  std::vector<std::uint64_t> inside;  // of every class, an entry between two of its members ...
  static constexpr std::uint64_t no_entry = ~std::uint64_t{0};  // ... or this, where they are not adjacent
};

/// Vertices are hashed and then compared in full: O(entries) expected.
template <class Value>
GeneralTwins general_twins(const SparseMatrix<Value>& symmetric);

/// The same of a block with monomers, whose diagonal has the weights of vertices that stay alone: twins in
/// the graph without loops, whose loops have one value, or which have none. Between two classes, and within
/// one, it is as above.
template <class Value>
GeneralTwins general_twins_with_loops(const SparseMatrix<Value>& symmetric);

/// Of a general block without tiles, with monomers or without.
template <class Value>
GeneralTwins general_twins(const Block<Value>& block) {
  return block.monomers ? general_twins_with_loops(block.matrix) : general_twins(block.matrix);
}

}  // namespace countpm
