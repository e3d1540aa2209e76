#pragma once
// A loop over independent parts on several threads, which can be stopped and may throw.
#include <cstddef>
#include <functional>

#include "graph/stop_signal.hpp"

namespace countpm {

/// body(part) for parts 0 .. count - 1 on `threads` threads, in any order. What one of them throws comes out
/// here; the signal is looked at before every part, and is check_stop()'s within one. Throws Stopped.
void for_parts(std::size_t count, int threads, const StopSignal& stop,
               const std::function<void(std::size_t)>& body);

}  // namespace countpm
