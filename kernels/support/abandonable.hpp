#pragma once
// Work of other people's code, which looks at no stop signal: left alone where it is told to stop.
#include <chrono>
#include <future>
#include <memory>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>

#include "graph/look_out.hpp"
#include "graph/stop_signal.hpp"

namespace countpm {

/// Where so much is to be done that the signal of the thread could wait for it, the work is done on a thread
/// of its own. When the signal is requested, Stopped is thrown within some 10 ms; the other thread ends when
/// the work is done, drops the result and frees what it has, or goes with the process. So the work must own
/// all that it touches, but for what lives as long as the process. Done right here where the thread has no
/// signal, or the system starts no thread, and where there is one thread. Throws what the work throws.
template <class Work>
std::invoke_result_t<Work&> done_or_abandoned(Work work) {
  using Result = std::invoke_result_t<Work&>;
  const StopSignal* const stop = current_stop_signal();
  if (stop == nullptr) return work();
  stop->check();
  if constexpr (one_thread) return work();
  // Work is moved, not copied, and std::thread copies nothing of a shared pointer's.
  const auto task = std::make_shared<std::packaged_task<Result()>>(std::move(work));
  std::future<Result> result = task->get_future();
  try {
    std::thread([task] { (*task)(); }).detach();
  } catch (const std::system_error&) {
    (*task)();
  }
  constexpr std::chrono::milliseconds tick(10);
  while (result.wait_for(tick) != std::future_status::ready) stop->check();
  return result.get();
}

}  // namespace countpm
