#pragma once
// Draws and tallies of a piece as bytes, for other ranks, and back, with all that can be checked of them.
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/passes/edge_uses.hpp"
#include "src/matchings/passes.hpp"
#include "src/matchings/piece_tally.hpp"

namespace countpm {

/// All that fixes the pieces of an input, as 64 hexadecimal digits. O(entries).
std::string pieces_digest(const Pieces& pieces);

std::string draws_to_bytes(const std::vector<PairList>& draws);
/// Throws CheckError where these are not so many perfect matchings of the piece. O(pairs log degree).
std::vector<PairList> draws_from_bytes(const std::string& bytes, std::uint64_t count, const Piece& piece);

std::string tallies_to_bytes(const std::vector<PieceTally>& tallies);
/// Throws CheckError where these are not so many tallies of a piece with so many entries.
std::vector<PieceTally> tallies_from_bytes(const std::string& bytes, std::uint64_t count,
                                           std::size_t entries);
/// Whether they are the same, but for the last digits of functions that another machine may round otherwise.
bool alike(const PieceTally& one, const PieceTally& other);

}  // namespace countpm
