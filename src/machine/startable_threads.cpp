#include "src/machine/startable_threads.hpp"

#include <fmt/format.h>
#include <mpfr.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <new>
#include <system_error>
#include <utility>
#include <vector>

#include "graph/errors.hpp"
#include "graph/look_out.hpp"
#include "src/machine/machine_limits.hpp"

namespace countpm {
namespace {

// Those that report progress, write a journal and fetch signals.
constexpr std::size_t others = 3;

/// Threads that wait here until the last one is there.
struct Gate {
  std::mutex mutex;
  std::condition_variable opened;
  bool open = false;

  static void* wait(void* gate) {
    auto& self = *static_cast<Gate*>(gate);
    std::unique_lock lock(self.mutex);
    self.opened.wait(lock, [&self] { return self.open; });
    return nullptr;
  }
};

/// How many of `wanted` more threads could be started.
std::size_t start_and_end(std::size_t wanted) {
  std::vector<pthread_t> started;
  started.reserve(wanted);
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return 0;
  pthread_attr_setstacksize(&attributes, thread_stack_bytes());
  Gate gate;
  for (pthread_t thread{}; started.size() < wanted;) {
    if (pthread_create(&thread, &attributes, Gate::wait, &gate) != 0) break;
    started.push_back(thread);
  }
  {
    const std::lock_guard lock(gate.mutex);
    gate.open = true;
  }
  gate.opened.notify_all();
  for (const pthread_t thread : started) pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  return started.size();
}

}  // namespace

int try_threads(int wanted) {
  if (one_thread || wanted <= 1) return 1;
  const std::size_t started = start_and_end(static_cast<std::size_t>(wanted) - 1 + others);
  return started > others ? static_cast<int>(started - others) + 1 : 1;
}

int startable_threads(int wanted) {
  static std::atomic<int> proven{1};
  if (wanted <= proven.load()) return std::max(wanted, 1);
  const int threads = try_threads(wanted);
  if (threads == wanted) proven.store(std::max(proven.load(), wanted));
  return threads;
}

std::thread start_thread(std::function<void()> work) {
  if constexpr (one_thread)
    throw UnableError("this build of countpm has one thread alone, as WebAssembly has in a page",
                      "countpm as installed on a machine has more");
  try {
    return std::thread([work = std::move(work)] {
      work();
      // Not by the destructor of a thread_local: where no memory is left, the C library aborts when one is
      // registered.
      mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE);
    });
  } catch (const std::bad_alloc&) {
    // As where the stack has no room: callers go on with the threads that there are.
    throw UnableError("the system starts no more threads: no memory", "a larger --memory-limit");
  } catch (const std::system_error& error) {
    throw UnableError(fmt::format("the system starts no more threads: {}", error.code().message()),
                      "try a larger limit on processes (ulimit -u), or more memory (ulimit -v)");
  }
}

}  // namespace countpm
