#pragma once
// Draws and tallies of a piece as bytes, for other ranks, and back, with all that can be checked of them.
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/passes/edge_uses.hpp"
#include "src/journal/ratio_ledger.hpp"
#include "src/matchings/passes.hpp"
#include "src/matchings/piece_tally.hpp"
#include "src/matchings/shared_uses.hpp"

namespace countpm {

/// All that fixes the pieces of an input, as 64 hexadecimal digits. O(entries).
std::string pieces_digest(const Pieces& pieces);

std::string draws_to_bytes(const std::vector<PairList>& draws);
/// Throws CheckError where these are not so many perfect matchings of the piece. O(pairs log degree).
std::vector<PairList> draws_from_bytes(const std::string& bytes, std::uint64_t count, const Piece& piece);

std::string tallies_to_bytes(const std::vector<PieceTally>& tallies);
/// Throws CheckError where these are not so many tallies of so many entries and pairs of them.
std::vector<PieceTally> tallies_from_bytes(const std::string& bytes, std::uint64_t count, std::size_t entries,
                                           std::size_t pairs);
/// Whether they are the same, but for the last digits of functions that another machine may round otherwise.
bool alike(const PieceTally& one, const PieceTally& other);

/// Chunks of samples.
std::string ratio_chunks_to_bytes(const std::vector<RatioSamples>& chunks);
/// Throws CheckError where these are not so many of them.
std::vector<RatioSamples> ratio_chunks_from_bytes(const std::string& bytes, std::uint64_t count);
/// As of the other tallies.
bool alike(const RatioSample& one, const RatioSample& other);

std::string residues_to_bytes(const PrimeResidues& residues);
/// Throws CheckError where these are not those of the primes, so many of each or none.
PrimeResidues residues_from_bytes(const std::string& bytes, const std::vector<std::uint64_t>& primes,
                                  std::size_t values);

std::string uses_to_bytes(const std::vector<PieceUses>& uses);
/// Of the pieces with these numbers. Throws CheckError where the edges of a line do not share all matchings.
std::vector<PieceUses> uses_from_bytes(const std::string& bytes, const UnitRange& numbers,
                                       const std::vector<Piece>& pieces);

std::string fractions_to_bytes(const std::vector<mpq_class>& fractions);
/// Throws CheckError where these are not so many fractions in lowest terms.
std::vector<mpq_class> fractions_from_bytes(const std::string& bytes, std::size_t count);

}  // namespace countpm
