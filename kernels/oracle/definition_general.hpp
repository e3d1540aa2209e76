#pragma once
// definition on a general block: the hafnian as it is defined, the oracle of everything else on general
// graphs.
//
//   haf(A) = sum over perfect matchings M of prod over uv in M of a_uv
//
// The first free vertex takes each of its free neighbours in turn, with a stack of partial products; a branch
// ends where it has none. O((n - 1)!!) partial matchings at most, n vertices. O(n) memory. A unit fixes the
// first few edges. E. R. Caianiello, On quantum field theory I, Nuovo Cimento 10 (1953).
#include <memory>

#include "kernels/method.hpp"

namespace countpm {

/// Precondition: is_general(block).
std::unique_ptr<Job> make_general_definition_job(const AnyBlock& block, const Arithmetic& arithmetic);

}  // namespace countpm
