#pragma once
// A general block as pairs of vertices, and what a unit of sets of pairs adds to its hafnian.
#include <cstdint>
#include <vector>

#include "graph/stop_signal.hpp"
#include "kernels/arithmetic/arithmetic.hpp"
#include "kernels/hafnian/entries.hpp"
#include "kernels/hafnian/pairing.hpp"
#include "kernels/support/instruction_sets.hpp"
#include "matching/block.hpp"

namespace countpm::pair_sets {

/// How long a slice of a unit took.
struct SliceTime {
  double seconds = 0;
  double sets = 0;
};

/// One unit in every modulus, or in floating point (where, without twins, the ends of the heaviest edges are
/// pairs instead): doubles for Precision::plain, MPFR numbers, else pairs of
/// doubles.
Partial run_unit(const AnyBlock& block, const Pairing& pairing, const Arithmetic& arithmetic,
                 LaneChoice choice, std::uint64_t unit, const StopSignal& stop);
/// A unit, or its first sets for about `seconds`, in one modulus: what a whole unit takes.
SliceTime time_unit(const AnyBlock& block, const Pairing& pairing, const Arithmetic& arithmetic,
                    LaneChoice choice, double seconds, const StopSignal& stop);

/// The numbers of lanes and GPUs; of MPFR's there are none.
lanes::Kind kind_of(const Arithmetic& arithmetic, bool complex);
/// Whether all moduli are primes below 2^lanes::prime_bits, as lanes and GPUs have them.
bool has_small_primes(const Arithmetic& arithmetic);
/// The entries by entry_index() modulo such a prime, in Montgomery form: times 2^32.
std::vector<std::uint64_t> word_entries(const AnyBlock& block, const Pairing& pairing, std::uint64_t prime);
/// The same in floating point but MPFR: in the numbers that run_unit() takes.
FloatingEntries floating_entries(const AnyBlock& block, const Pairing& pairing, const Arithmetic& arithmetic);

/// Whether sets run in lanes; how many, and in what numbers, is what nominal rates depend on.
unsigned lanes_of(const Pairing& pairing, const Arithmetic& arithmetic, LaneChoice choice);
/// Products of numbers in one arithmetic, over all sets.
double log2_products(const PairShape& shape);
std::uint64_t bytes_of(const PairShape& shape, const Arithmetic& arithmetic);

}  // namespace countpm::pair_sets
