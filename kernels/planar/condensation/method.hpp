#pragma once
// condensation: planar's determinants and Pfaffians without its elimination.
#include "kernels/method.hpp"

namespace countpm {

/// What planar counts, with its embedding, orientations, bound and primes, by condensation of dense matrices
/// (condensation.hpp). Units are groups of eight primes, as planar's. For blocks so small that nothing is
/// gained by an order, and to check planar's elimination by one that shares nothing with it. O(n^3) time a
/// prime, O(n^2) memory.
const Method& condensation_method();

}  // namespace countpm
