#include "apps/signals.hpp"

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <ctime>
#include <new>
#include <utility>

#include "apps/exit_codes.hpp"
#include "graph/look_out.hpp"
#include "src/machine/startable_threads.hpp"

namespace countpm::app {
namespace {

std::atomic<bool>& stop_flag() {
  static std::atomic<bool> flag{false};
  return flag;
}

std::atomic<bool>& spoken() {
  static std::atomic<bool> flag{false};
  return flag;
}

std::atomic<bool>& more_time() {
  static std::atomic<bool> flag{false};
  return flag;
}

std::atomic<bool>& told_to_end() {
  static std::atomic<bool> flag{false};
  return flag;
}

// Dies by the signal, as if it had never been caught.
[[noreturn]] void die_by(int number) {
  std::signal(number, SIG_DFL);
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, number);
  pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
  raise(number);
  _exit(128 + number);
}

/// Those of SIGINT and SIGTERM that nobody told the program to ignore.
bool signals_to_watch(sigset_t& signals) {
  sigemptyset(&signals);
  bool any = false;
  for (const int number : {SIGINT, SIGTERM}) {
    struct sigaction action {};
    if (sigaction(number, nullptr, &action) == 0 && action.sa_handler != SIG_IGN) {
      sigaddset(&signals, number);
      any = true;
    }
  }
  return any;
}

void wait_for(const sigset_t& signals, const std::function<void()>& last_words) {
  int number = 0;
  if (sigwait(&signals, &number) != 0) return;
  told_to_end().store(number == SIGTERM);
  stop_flag().store(true);
  // timeout(1) and schedulers signal the process and then its group: twice within a moment is once.
  const timespec moment{0, 50'000'000};
  for (int k = 0; k < 2 && sigtimedwait(&signals, nullptr, &moment) > 0; ++k) {
  }
  // As long as it takes until progress, and with it allow_time_to_stop(), is told of units that have begun.
  timespec patience{0, 200'000'000};
  int second = sigtimedwait(&signals, nullptr, &patience);
  if (second <= 0 && more_time().load()) {
    patience = {30, 0};
    second = sigtimedwait(&signals, nullptr, &patience);
  }
  if (second > 0) die_by(second);
  if (claim_final_message()) {
    try {
      last_words();
    } catch (const std::bad_alloc&) {
      // Then without.
    }
  } else {
    // The program is just ending by itself; it gets as long again.
    nanosleep(&patience, nullptr);
  }
  _exit(interruption_code());
}

}  // namespace

bool claim_final_message() {
  return !spoken().exchange(true);
}

void allow_time_to_stop() {
  more_time().store(true);
}

void hold_signals() {
  sigset_t signals;
  if (signals_to_watch(signals)) pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

void watch_signals(std::function<void()> last_words) {
  sigset_t signals;
  if (one_thread || !signals_to_watch(signals)) return;
  spoken().store(false);
  more_time().store(false);
  told_to_end().store(false);
  stop_flag().store(false);  // made before the thread, so that neither waits for the other's first use
  // Blocked here, and so in every thread that starts later; only the watcher takes them.
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  start_thread([signals, last_words = std::move(last_words)] { wait_for(signals, last_words); }).detach();
}

int interruption_code() {
  return told_to_end().load() ? exit_code::terminated : exit_code::interrupted;
}

bool stop_requested() {
  return stop_flag().load(std::memory_order_relaxed);
}

}  // namespace countpm::app
