#pragma once
// A GPU's start, which takes some tenths of a second, before anyone needs it. Its code: device_info.cpp.

namespace countpm {

/// Whether this build has CUDA code and there is a sign of a GPU: a file, looked at in no time. gpus() may
/// say otherwise.
bool gpus_are_likely();
/// Starts the driver and makes the context of the first GPU; others who ask for GPUs meanwhile wait. Says
/// nothing of what fails: that is for who uses them.
void wake_gpu();

}  // namespace countpm
