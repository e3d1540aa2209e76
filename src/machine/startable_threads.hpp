#pragma once
// Threads, where the system may refuse to start them: 'ulimit -u', a control group's pids.max, or no memory
// for their stacks.
#include <functional>
#include <thread>

namespace countpm {

/// How many of `wanted` threads, this one among them, can be had side by side, beside the few that watch and
/// write: at least 1. libgomp ends the process where one of its threads cannot be started, so that this is
/// asked before: it starts so many, and ends them. Asked again for no more than before it answers at once.
int startable_threads(int wanted);
/// The same, tried in any case.
int try_threads(int wanted);

/// A thread that does this, and leaves nothing of MPFR's behind. Throws UnableError where the system starts
/// none.
std::thread start_thread(std::function<void()> work);

}  // namespace countpm
