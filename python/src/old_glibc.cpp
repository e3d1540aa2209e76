// For wheels alone, which are to run with glibc 2.34 (RHEL 9, Ubuntu 22.04), older than that of the machine
// that builds them. Two functions are bound to newer versions of it there, and are not needed in those: the
// linker is told --wrap=hypot, and finds the other here.
#include <sys/random.h>

#include <cerrno>
#include <cstdint>

#ifdef __x86_64__
#define COUNTPM_FIRST_GLIBC "GLIBC_2.2.5"
#else
#define COUNTPM_FIRST_GLIBC "GLIBC_2.17"
#endif

extern "C" {

/// The hypot of every glibc; that of 2.35 differs in what it does to errno.
double hypot_of_any_glibc(double x, double y);
__asm__(".symver hypot_of_any_glibc, hypot@" COUNTPM_FIRST_GLIBC);
/// What --wrap=hypot calls in the place of hypot.
[[gnu::visibility("hidden")]] double countpm_hypot(double x, double y) __asm__("__wrap_hypot");
double countpm_hypot(double x, double y) {
  return hypot_of_any_glibc(x, y);
}

/// Since glibc 2.36, and what std::random_device asks.
[[gnu::visibility("hidden")]] std::uint32_t arc4random() noexcept;
std::uint32_t arc4random() noexcept {
  std::uint32_t value = 0;
  // So few bytes come all or not at all. Without an answer there is no going on, as in glibc.
  while (getrandom(&value, sizeof value, 0) != sizeof value) {
    if (errno != EINTR) __builtin_trap();
  }
  return value;
}

}  // extern "C"
