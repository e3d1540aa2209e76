// A clock that someone sets, for tests: preloaded (LD_PRELOAD), it has the wall clock (CLOCK_REALTIME,
// gettimeofday, time) jump a day forwards and back and to 1970 from call to call. The monotonic clock stays,
// as kernels promise. COUNTPM_CLOCK_LOG names a file that gets a byte for every time that the wall clock was
// asked for.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <ctime>

namespace {

constexpr long day = 86400;

void log_call() {
  static const int descriptor = [] {
    const char* const name = std::getenv("COUNTPM_CLOCK_LOG");
    return name != nullptr ? open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644) : -1;
  }();
  if (descriptor >= 0 && write(descriptor, "x", 1) != 1) std::abort();
}

time_t jumped(time_t seconds) {
  static std::atomic<unsigned> calls{0};
  log_call();
  switch (calls++ % 4) {
    case 0:
      return seconds + day;
    case 1:
      return seconds - day;
    case 2:
      return 0;
    default:
      return seconds;
  }
}

template <class Function>
Function real(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

int clock_gettime(clockid_t clock, timespec* now) noexcept {
  static const auto next = real<int (*)(clockid_t, timespec*)>("clock_gettime");
  const int result = next(clock, now);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
    now->tv_sec = jumped(now->tv_sec);
  return result;
}

int gettimeofday(timeval* now, void* zone) noexcept {
  static const auto next = real<int (*)(timeval*, void*)>("gettimeofday");
  const int result = next(now, zone);
  if (result == 0) now->tv_sec = jumped(now->tv_sec);
  return result;
}

time_t time(time_t* now) noexcept {
  static const auto next = real<time_t (*)(time_t*)>("time");
  const time_t result = jumped(next(nullptr));
  if (now != nullptr) *now = result;
  return result;
}

}  // extern "C"
