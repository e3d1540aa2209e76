#pragma once
// nearly-planar: graphs that a few edges keep from being planar.
#include "kernels/method.hpp"

namespace countpm {

/// Leaves out crossing edges until the graph is planar, and adds up the Pfaffians (determinants) of all sets
/// of disjoint crossing edges that a matching may use; 2^k for k that share no vertex, fewer else. Units are
/// groups of eight primes, as planar's, times shares of the sets where there are few primes. O(n^1.5)
/// multiplications a prime for all sets, and O(m^3) for the m vertices at which sets differ, times the sets.
const Method& nearly_planar_method();

}  // namespace countpm
