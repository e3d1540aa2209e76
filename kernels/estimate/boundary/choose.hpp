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
  double spread = 0;  // of pilot samples, in ln
  double work = 0;    // about how many nanoseconds a walk takes
};

/// Bonds of 8, 16, 32, ... until pilot samples, of random numbers of their own, are spread by at most 6 %, or
/// until the next bond would take longer than the samples of this one (work_to_goal), or more than
/// `most_preparation` nanoseconds, or too much memory: the graph decides, no clock. `asked`: nothing else
/// will do, and most_preparation bears on larger bonds alone; throws UnableError where lines are longer than
/// most_boundary_width. Otherwise nothing where they are longer than narrow_boundary_width, or where no bond
/// makes pilots steady. Throws Stopped.
inline constexpr std::uint32_t most_boundary_width = 4096;
inline constexpr std::uint32_t narrow_boundary_width = 256;
std::optional<ChosenBoundary> choose_boundary(const SampleGraph& graph, bool asked, double most_preparation,
                                              std::uint64_t seed, std::uint64_t stream);

/// How long samples take until their mean is known (pilot_spread.hpp).
double work_to_goal(const ChosenBoundary& boundary);

}  // namespace countpm
