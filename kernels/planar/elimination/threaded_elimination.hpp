#pragma once
// The elimination of front_elimination.hpp on several threads, which take parts of the tree from its leaves
// up. What limits it are the last fronts, one above the other: of a square lattice they have a tenth of the
// multiplications. Memory: a front and a stack for every thread, and what waits between parts. The parts are
// taken in their order as far as that goes, so that as much waits as on one thread's stack, and what a part
// more for each thread leaves.
#include <optional>

#include "kernels/planar/elimination/front_elimination.hpp"

namespace countpm::planar {

/// The same pivots as one thread finds, for any number of threads, in whatever order; none where the rank is
/// too small. `seen` is called for every front once, from any thread. Throws PivotsDiffer, Stopped.
std::optional<Pivots> eliminate_on_threads(const SignedMatrix& matrix, const FrontTree& tree,
                                           const LaneArithmetic& lanes, int threads, const StopSignal& stop,
                                           const FrontElimination::Seen& seen = {});

}  // namespace countpm::planar
