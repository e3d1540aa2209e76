#pragma once
// Refusals of counts that are beyond their limits say that an estimate is not, where there are estimates.
#include <string>
#include <utility>

#include "graph/graph.hpp"
#include "graph/stop_signal.hpp"
#include "src/plan/beyond_limits.hpp"
#include "src/watch/monitor.hpp"

namespace countpm {

/// What then stands at their end.
inline constexpr const char* advised_estimate = "--on-limit estimate gives an estimate";

/// Of matchings without letters or weights below 0.
bool can_be_estimated(const Graph& graph);

/// The refusal with the advice behind its remedy.
BeyondLimits with_advised_estimate(const BeyondLimits& error);
UnableError with_advised_estimate(const UnableError& error);

/// Does the work; what it throws for its limits has the advice, where it is `advised`.
template <class Work>
decltype(auto) advising_estimates(bool advised, const Monitor& monitor, const Work& work) {
  if (!advised) return work();
  try {
    return monitor.explained(work);
  } catch (const BeyondLimits& error) {
    throw with_advised_estimate(error);
  } catch (const UnableError& error) {
    if (!monitor.limit_is_over()) throw;
    throw with_advised_estimate(error);
  }
}

}  // namespace countpm
