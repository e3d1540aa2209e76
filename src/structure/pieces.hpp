#pragma once
// An instance cut into the pieces whose perfect matchings are independent, unreduced: every entry of a piece
// is still an edge of the input.
#include <cstdint>
#include <vector>

#include "graph/instance.hpp"
#include "matching/block.hpp"
#include "matching/general_structure.hpp"
#include "matching/structure.hpp"

namespace countpm {

/// Line k of the block is row rows[k] (column columns[k]) of the instance, its entry k the instance's
/// entries[k]. Of a general block, columns is empty: its lines are vertices.
struct Piece {
  AnyBlock block;
  std::vector<Index> rows;
  std::vector<Index> columns;
  std::vector<std::uint64_t> entries;
};

/// Entries that are in no piece are in no perfect matching.
struct Pieces {
  std::vector<std::uint64_t> forced;  // entries in every perfect matching; of a general graph both directions
  std::vector<Piece> pieces;
};

/// Cuts along the fine Dulmage-Mendelsohn decomposition: blocks of one entry are forced. O(entries).
Pieces cut_pieces(const Instance& instance, const BlockDecomposition& decomposition);
struct Analysis;
/// As the structure that was found asks for. Precondition: no violator.
Pieces cut_pieces(const Instance& instance, const Analysis& analysis);
/// Cuts the symmetric matrix of a general graph, with monomers or without, into its components, without the
/// forbidden edges.
Pieces cut_pieces(const Instance& instance, const GeneralStructure& structure);

}  // namespace countpm
