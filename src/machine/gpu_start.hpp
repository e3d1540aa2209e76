#pragma once
// GPUs that start while other things are done.
#include "src/api/entries.hpp"

namespace countpm {

/// Whether the options allow GPUs and there is a sign of one. Its code, as that of the others: resources.cpp.
bool may_start_gpu(const CountOptions& options);
/// Where it may: loads the driver, which takes some 0.1 s, and begins to start the GPU, once a process, on a
/// thread of its own. Says whether it may.
bool start_gpu_behind(const CountOptions& options);

/// Whether such a start is under way. A process that ends by exit() waits for its end, some tenths of a
/// second; one that does not want to leaves by _exit().
bool gpu_is_starting();
/// Waits for its end.
void await_gpu_start();

}  // namespace countpm
