#pragma once
// Random domino tilings of Aztec diamonds by domino shuffling, exactly.
//
// A tiling of order k becomes one of order k + 1: dominoes that face each other vanish, the others move one
// cell their way (north, south, west, east), and every 2 x 2 hole that is left is filled with two horizontal
// ones, with probability a^2 / (a^2 + b^2), or two vertical ones. O(order^3) cell steps, O(order^2) memory.
// N. Elkies, G. Kuperberg, M. Larsen, J. Propp, Alternating-sign matrices and domino tilings, J. Algebraic
// Combin. 1 (1992); weights: J. Propp, Generalized domino-shuffling, Theoret. Comput. Sci. 303 (2003).
#include <cstdint>
#include <vector>

#include "kernels/arithmetic/counter_random.hpp"
#include "kernels/method.hpp"

namespace countpm {

/// The way that a cell's domino moves. North and south ones are horizontal.
enum class Heading : std::uint8_t { none, north, south, west, east };

/// Of every cell of the 2 order x 2 order box, by rows; none outside the diamond: the rows have 2, 4, ..., 2
/// order, 2 order, ..., 4, 2 cells. A tiling has probability proportional to horizontal^(horizontal dominoes)
/// vertical^(vertical ones). Preconditions: order >= 1, both weights positive. Throws Stopped.
std::vector<Heading> shuffle_aztec(std::uint64_t order, const mpz_class& horizontal,
                                   const mpz_class& vertical, CounterRandom& random, const StopSignal& stop);

}  // namespace countpm
