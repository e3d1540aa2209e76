#pragma once
// GPUs that start while other things are done.
#include "src/api/entries.hpp"

namespace countpm {

/// Where the options allow GPUs and there is a sign of one: begins to start it, once a process, on a thread
/// of its own. Says whether there is such a sign. Its code: resources.cpp.
bool start_gpu_behind(const CountOptions& options);

/// Whether such a start is under way. A process that ends by exit() waits for its end, some tenths of a
/// second; one that does not want to leaves by _exit().
bool gpu_is_starting();
/// Waits for its end.
void await_gpu_start();

}  // namespace countpm
