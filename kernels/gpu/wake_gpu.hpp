#pragma once
// A GPU's start, which takes some tenths of a second, before anyone needs it. Its code: device_info.cpp.
#include <functional>

namespace countpm {

/// Whether this build has CUDA code and there is a sign of a GPU: a file, looked at in no time. gpus() may
/// say otherwise.
bool gpus_are_likely();
/// Starts the driver and makes the context of the first GPU; others who ask for GPUs meanwhile wait. Says
/// nothing of what fails: that is for who uses them. after_step: called after each of the two.
void wake_gpu(void (*after_step)());

/// What is called once, before this process has anything to do with NVIDIA's driver, which maps much of the
/// host's memory; never in a build without CUDA. Set before there are other threads.
void before_driver(std::function<void()> prepare);
/// The driver is about to start: calls that, where nobody has yet. For who starts a thread for it.
void announce_driver();
/// announce_driver(), and the driver's library is there, some milliseconds later; it is not started.
void load_driver();

}  // namespace countpm
