#pragma once
// How many states and transitions an elimination really has: the bound times sampled shares.
#include <cstdint>

#include "kernels/frontier/order/order_search.hpp"

namespace countpm {

/// Tests random vectors of the largest tables (reachable_states.hpp); the others get the share of the nearest
/// table tested in the program. A step's transitions have its input's share, a join's the shares of both
/// inputs. Standard error of a share p from t tests: sqrt(p (1 - p) / t). About `effort` looks at edges.
/// Throws Stopped. sampled is false where nothing could be tested: then it is the bound.
EliminationForecast sampled_forecast(const ClassGraph& graph, const Elimination& elimination,
                                     std::uint64_t effort, std::uint64_t seed, const StopSignal& stop);

}  // namespace countpm
