#pragma once
// What would let plans be carried out that are beyond a limit: more time, cores or memory, or a GPU.
#include <string>
#include <vector>

#include "src/plan/plan.hpp"

namespace countpm {

/// Of plans that take longer than the time limit, by their forecasts: a longer one, more threads or cores, an
/// H100, or the memory for a method that wants more; each where it would do. Empty where nothing would.
std::string what_would_be_in_time(const std::vector<const BlockPlan*>& plans, const CountOptions& options,
                                  const Resources& resources, double elapsed_seconds);

/// Of a block that no method can count within the memory: how much the fastest method wants that could in so
/// many seconds with more. Empty where none could.
std::string what_memory_would_do(const BlockForecast& forecast, double seconds);

}  // namespace countpm
