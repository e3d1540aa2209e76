#pragma once
// GPUs that start while other things are done.
#include "src/api/entries.hpp"

namespace countpm {

/// Where the options allow GPUs and there is a sign of one: begins to start it, once a process, on a thread
/// of its own. Says whether there is such a sign. Its code: resources.cpp.
bool start_gpu_behind(const CountOptions& options);

/// Whether such a start is under way. A process that ends then must not run its exit handlers: the driver's
/// wait for the thread that starts it, which waits for what they hold. Before it returns from main() it waits
/// by await_gpu_start(), or leaves by _exit().
bool gpu_is_starting();
void await_gpu_start();

}  // namespace countpm
