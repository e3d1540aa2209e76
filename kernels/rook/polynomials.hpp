#pragma once
// Runs a RookPlan to its end: the sums over all placements of k rooks, k = 0 .. n.
#include <gmpxx.h>

#include <cstdint>
#include <vector>

#include "kernels/arithmetic/arithmetic.hpp"
#include "kernels/method.hpp"
#include "kernels/rook/plan.hpp"

namespace countpm {

/// How a run is done, and what became of it.
struct RookRun {
  const StopSignal* stop = nullptr;
  int threads = 1;
  bool plain = false;       // ComplementGraph::plain
  double seconds = 0;       // > 0: cut off after that long (for measuring); the result is then empty
  double predicted = 0;     // > 0: coefficients to add in all, for StopSignal::report_share
  std::uint64_t added = 0;  // out: coefficients added
};

/// Whether the sums fit 128 bits with their sign, so that rook_numbers() is exact.
bool rook_numbers_fit(const RookPlan& plan);

/// entry k: the sum over placements of k rooks of the products of their weights and the bases of the rows
/// without one (isolated rows apart). Tables of 64 bits as long as the bound allows, then of 128.
/// Precondition: rook_numbers_fit.
std::vector<mpz_class> rook_numbers(const RookPlan& plan, RookRun& run);
/// The same modulo one modulus, in [0, modulus).
std::vector<uint128> rook_numbers(const RookPlan& plan, const Modulus& modulus, RookRun& run);

/// The coefficients that a run adds, and 1.
double rook_additions(const RookPlan& plan);
/// The seconds that the first `additions` of them are expected to take one thread of the machine that the
/// figures are from: short vectors, wide numbers, weights and tables beyond the cache each have their price.
double rook_seconds(const RookPlan& plan, bool exact, bool plain, double additions);
/// The two buffers that the tables take turns in, in bytes.
std::uint64_t rook_bytes(const RookPlan& plan, bool exact, const Modulus& modulus);

}  // namespace countpm
