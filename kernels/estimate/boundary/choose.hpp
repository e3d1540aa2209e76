#pragma once
// Whether a graph is sampled by the states of its boundary, and how large their matrices are.
#include <cstdint>
#include <optional>

#include "kernels/estimate/boundary/walk.hpp"

namespace countpm {

/// What all samples share.
struct ChosenBoundary {
  BoundarySweep sweep;
  BoundaryStates states;
};

/// Bonds of 8, 16, 32, ... until 8 pilot samples, of random numbers of their own, are spread by at most 6 %,
/// or until the next bond would take too long or too much memory: the graph decides, no clock. `asked`:
/// nothing else will do; throws UnableError where lines are longer than most_boundary_width. Otherwise
/// nothing where they are longer than narrow_boundary_width, or where no bond makes pilots steady. Throws
/// Stopped.
inline constexpr std::uint32_t most_boundary_width = 4096;
inline constexpr std::uint32_t narrow_boundary_width = 256;
std::optional<ChosenBoundary> choose_boundary(const SampleGraph& graph, bool asked, std::uint64_t seed,
                                              std::uint64_t stream);

/// About how many nanoseconds a walk takes.
double boundary_work(const ChosenBoundary& boundary);

}  // namespace countpm
