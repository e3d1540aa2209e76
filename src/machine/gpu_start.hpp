#pragma once
// GPUs that start while other things are done.
#include "src/api/entries.hpp"

namespace countpm {

/// Where the options allow GPUs and there is a sign of one: begins to start it, once a process, on a thread
/// of its own. Says whether there is such a sign. Its code: resources.cpp.
bool start_gpu_behind(const CountOptions& options);

}  // namespace countpm
