#pragma once
// Determinants (Pfaffians) of one oriented matrix at points: the letter of its weights is another number
// modulo each of the job's moduli (kernels/at_points.hpp). Planar's elimination, primes and points side by
// side.
#include <memory>

#include "kernels/at_points.hpp"
#include "kernels/planar/preparation.hpp"

namespace countpm::planar {

/// The method's answer for a block: null where it is not planar, nor a torus, or has no perfect matching.
std::unique_ptr<CountAtPoints> count_at_points(const AnyBlock& block, std::uint64_t bits,
                                               const MethodOptions& options);

}  // namespace countpm::planar
