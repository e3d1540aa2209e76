// Threads that are late, for tests (scripts/test-timing): preloaded (LD_PRELOAD), it holds threads up at
// random where they meet others: as they start, before and after they take a lock, before they wake others,
// and after they slept or waited. So whoever is first otherwise is last now and then. COUNTPM_TEST_DELAYS is
// the seed; empty, or not there: nothing is delayed. By chance a thread is one that is hardly ever late,
// sometimes or often; none is for longer, all in all, than it has lived otherwise and 50 ms, so that programs
// take about twice their time at most.
#include <dlfcn.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <utility>

namespace {

using Nanoseconds = std::int64_t;
constexpr Nanoseconds a_second = 1'000'000'000;
constexpr Nanoseconds a_millisecond = 1'000'000;
// At most, of one delay.
constexpr Nanoseconds at_starts = 50 * a_millisecond;
constexpr Nanoseconds at_locks = 4 * a_millisecond;
constexpr Nanoseconds at_waits = 30 * a_millisecond;

template <class Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

/// 0: nothing is delayed.
std::uint64_t seed_of_all() {
  static const std::uint64_t seed = [] {
    const char* const text = std::getenv("COUNTPM_TEST_DELAYS");
    return text == nullptr || *text == '\0' ? 0 : std::strtoull(text, nullptr, 10) * 2 + 1;
  }();
  return seed;
}

std::uint64_t mixed(std::uint64_t value) {
  value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27U)) * 0x94d049bb133111ebU;
  return value ^ (value >> 31U);
}

Nanoseconds now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * a_second + time.tv_nsec;
}

/// What a thread knows of itself. Trivial, so that it is there before and after everything else.
struct Self {
  std::uint64_t state;
  Nanoseconds born;
  Nanoseconds late;
  unsigned one_in;  // of the places where it might be late
};
thread_local Self self{};

std::uint64_t random_number() {
  self.state += 0x9e3779b97f4a7c15U;
  return mixed(self.state);
}

void begin() {
  static std::atomic<std::uint64_t> threads{0};
  const std::uint64_t number = threads++;
  self.state = mixed(seed_of_all() + (number << 32U) + static_cast<std::uint64_t>(getpid()));
  self.born = now();
  constexpr unsigned kinds[] = {500, 50, 5};
  self.one_in = kinds[random_number() % 3];
}

void be_late(Nanoseconds most) {
  if (seed_of_all() == 0) return;
  const int error = errno;
  if (self.born == 0) begin();
  if (random_number() % self.one_in == 0) {
    // Often short, seldom long.
    const Nanoseconds wanted =
        static_cast<Nanoseconds>(random_number() % static_cast<std::uint64_t>(most)) >> (random_number() % 6);
    const Nanoseconds lived = now() - self.born - self.late;
    if (self.late + wanted < lived + 50 * a_millisecond) {
      static auto* const next = real<int(const timespec*, timespec*)>("nanosleep");
      const timespec time{wanted / a_second, wanted % a_second};
      next(&time, nullptr);
      self.late += wanted;
    }
  }
  errno = error;
}

struct Start {
  void* (*work)(void*);
  void* argument;
};

void* start_late(void* given) {
  const Start start = *static_cast<Start*>(given);
  delete static_cast<Start*>(given);
  begin();
  // Most of them: there is no second start.
  const unsigned one_in = std::exchange(self.one_in, 2);
  be_late(at_starts);
  self.one_in = one_in;
  return start.work(start.argument);
}

}  // namespace

extern "C" {

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*work)(void*),
                   void* argument) noexcept {
  static auto* const next =
      real<int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create");
  if (seed_of_all() == 0) return next(thread, attributes, work, argument);
  auto* const start = new (std::nothrow) Start{work, argument};
  if (start == nullptr) return EAGAIN;
  const int result = next(thread, attributes, start_late, start);
  if (result != 0) delete start;
  return result;
}

int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  static auto* const next = real<int(pthread_mutex_t*)>("pthread_mutex_lock");
  be_late(at_locks);
  const int result = next(mutex);
  be_late(at_locks);
  return result;
}

int pthread_cond_signal(pthread_cond_t* condition) noexcept {
  static auto* const next = real<int(pthread_cond_t*)>("pthread_cond_signal");
  be_late(at_waits);
  return next(condition);
}

int pthread_cond_broadcast(pthread_cond_t* condition) noexcept {
  static auto* const next = real<int(pthread_cond_t*)>("pthread_cond_broadcast");
  be_late(at_waits);
  return next(condition);
}

// Threads are cancelled in them.
int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  static auto* const next = real<int(pthread_cond_t*, pthread_mutex_t*)>("pthread_cond_wait");
  const int result = next(condition, mutex);
  be_late(at_waits);
  return result;
}

int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* until) {
  static auto* const next =
      real<int(pthread_cond_t*, pthread_mutex_t*, const timespec*)>("pthread_cond_timedwait");
  const int result = next(condition, mutex, until);
  be_late(at_waits);
  return result;
}

int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                           const timespec* until) {
  static auto* const next =
      real<int(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*)>("pthread_cond_clockwait");
  const int result = next(condition, mutex, clock, until);
  be_late(at_waits);
  return result;
}

int nanosleep(const timespec* time, timespec* left) {
  static auto* const next = real<int(const timespec*, timespec*)>("nanosleep");
  const int result = next(time, left);
  be_late(at_waits);
  return result;
}

int clock_nanosleep(clockid_t clock, int flags, const timespec* time, timespec* left) {
  static auto* const next = real<int(clockid_t, int, const timespec*, timespec*)>("clock_nanosleep");
  const int result = next(clock, flags, time, left);
  be_late(at_waits);
  return result;
}

}  // extern "C"
