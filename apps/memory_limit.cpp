#include "apps/memory_limit.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <limits>
#include <thread>

namespace countpm::app {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif
#else
constexpr bool sanitized = false;
#endif

constexpr std::uint64_t program_bytes = std::uint64_t{64} << 20;

std::uint64_t stack_bytes() {
  rlimit stack{};
  constexpr std::uint64_t usual = std::uint64_t{8} << 20;
  if (getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur == RLIM_INFINITY) return usual;
  return std::min<std::uint64_t>(stack.rlim_cur, std::uint64_t{1} << 30);
}

}  // namespace

void apply_memory_limit(std::uint64_t bytes, int threads) {
  if (bytes == 0 || sanitized) return;
  // Three more than the counting threads: those that wait for signals, report progress and write the
  // checkpoint.
  const std::uint64_t stacks = (threads > 0 ? static_cast<std::uint64_t>(threads)
                                            : std::max(1U, std::thread::hardware_concurrency())) +
                               3;
  const std::uint64_t allowance = program_bytes + stacks * stack_bytes();
  if (bytes > std::numeric_limits<std::uint64_t>::max() / 2 - allowance) return;
  rlimit limit{};
  if (getrlimit(RLIMIT_DATA, &limit) != 0) return;
  limit.rlim_cur = std::min<rlim_t>(bytes + allowance, limit.rlim_max);
  setrlimit(RLIMIT_DATA, &limit);
}

}  // namespace countpm::app
