#include "apps/memory_limit.hpp"

#include <fmt/format.h>
#include <gmp.h>
#include <malloc.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <new>

#include "graph/formats/input_bytes.hpp"
#include "kernels/gpu/wake_gpu.hpp"
#include "src/machine/channel.hpp"
#include "src/machine/machine_limits.hpp"
#include "src/text/format_quantity.hpp"

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

constexpr std::uint64_t kib = std::uint64_t{1} << 10U;
constexpr std::uint64_t mib = std::uint64_t{1} << 20U;

// Of 8 MiB, which is usual, threads touch some 30 KiB; but all of it counts. GMP takes up to 64 KiB from the
// stack at a time.
constexpr std::uint64_t stack_bytes = 512 * kib;
// The stacks of those that watch, report and write, and of one that counts beside the first; and some heap.
// With the program's own pages, up to 13 MiB (x86-64, Debian 12, 2026-11-24), and 16.2 with CUDA's code
// (2026-12-01), that is resident beside --memory-limit.
constexpr std::uint64_t program_bytes = 3 * mib;
// As the documents have it.
#ifdef COUNTPM_HAVE_CUDA
constexpr std::uint64_t beside_limit_bytes = 20 * mib;
#else
constexpr std::uint64_t beside_limit_bytes = 16 * mib;
#endif
// Mapped input is resident, too, and not counted.
constexpr std::uint64_t largest_mapping_bytes = mib;
// Left to the system where there is no --memory-limit: page tables, the kernel's own of a control group,
// other processes.
constexpr std::uint64_t reserve_bytes = 4 * mib;
constexpr std::uint64_t reserve_parts = 32;
// NVIDIA's driver maps some hundred MiB of host memory, and compiles on our threads' stacks.
constexpr std::uint64_t gpu_driver_bytes = 1024 * mib;
// MPI maps memory as ranks begin to talk, and holds what is under way: with 3 MiB for that, four ranks that
// shared a table under a limit of 30 MiB were out of memory (Open MPI 4.1, 2026-11-27).
constexpr std::uint64_t mpi_bytes = 16 * mib;
constexpr std::uint64_t mpi_bytes_a_rank = mib / 4;

constexpr std::uint64_t most_bytes = std::numeric_limits<std::uint64_t>::max() / 4;

struct Limit {
  std::uint64_t asked = 0;        // by --memory-limit
  bool asked_counts = false;      // being the lower of both
  MemoryRoom found;               // what can be had of the machine
  std::uint64_t set = 0;          // RLIMIT_DATA, as it is now
  std::uint64_t most = 0;         // by what can be had alone
  std::uint64_t usual_stack = 0;  // of a thread, before stacks were made small
};
Limit& limit() {
  static Limit limit;
  return limit;
}

/// As the process found it.
const rlimit& first_limit() {
  static const rlimit first = [] {
    rlimit now{RLIM_INFINITY, RLIM_INFINITY};
    getrlimit(RLIMIT_DATA, &now);
    return now;
  }();
  return first;
}

void set_soft_limit(std::uint64_t bytes) {
  rlimit now = first_limit();
  now.rlim_cur = std::min<rlim_t>(bytes, first_limit().rlim_cur);
  setrlimit(RLIMIT_DATA, &now);
}

std::uint64_t bytes_of_mpi(const Channel& channel) {
  return mpi_bytes + mpi_bytes_a_rank * static_cast<std::uint64_t>(channel.ranks());
}

/// Of threads that are started from now on.
void set_stacks(std::size_t bytes) {
  pthread_attr_t attributes;
  if (pthread_getattr_default_np(&attributes) != 0) return;
  if (pthread_attr_setstacksize(&attributes, bytes) == 0) pthread_setattr_default_np(&attributes);
  pthread_attr_destroy(&attributes);
}

void make_stacks_small() {
  if (limit().usual_stack == 0) limit().usual_stack = thread_stack_bytes();
  if (limit().usual_stack > stack_bytes) set_stacks(stack_bytes);
}

/// What NVIDIA's driver is about to take does not count, nor do the stacks that it may need.
void make_room_for_driver() {
  std::uint64_t bytes = gpu_driver_bytes;
  if (limit().usual_stack > stack_bytes) {
    set_stacks(limit().usual_stack);
    const long cores = std::max(sysconf(_SC_NPROCESSORS_ONLN), 1L);
    bytes += static_cast<std::uint64_t>(cores) * (limit().usual_stack - stack_bytes);
  }
  limit().set = std::min(limit().set + bytes, std::max(limit().set, limit().most));
  set_soft_limit(limit().set);
}

/// Every arena of malloc but the first reserves 64 MiB of addresses, which 'ulimit -v' counts.
void limit_arenas() {
  constexpr std::uint64_t arena_bytes = 64 * mib;
  constexpr std::uint64_t arenas_share = 16;
  rlimit addresses{};
  if (getrlimit(RLIMIT_AS, &addresses) != 0 || addresses.rlim_cur == RLIM_INFINITY) return;
  const std::uint64_t arenas = 1 + addresses.rlim_cur / arenas_share / arena_bytes;
  mallopt(M_ARENA_MAX, static_cast<int>(std::min<std::uint64_t>(arenas, 1024)));
}

/// Tables come and go, and leave holes in the heap, which count: with little room every table gets pages of
/// its own, and gives them back.
void keep_tables_off_the_heap(std::uint64_t room) {
  constexpr std::uint64_t little = 1024 * mib;
  if (room < little) mallopt(M_MMAP_THRESHOLD, static_cast<int>(mib));
}

/// GMP's own end the program where there is no memory. Its functions change nothing before they have what
/// they ask for, and are compiled with unwind tables where Debian or scripts/package compile them; what they
/// hold for a moment is lost, and the program is about to end.
void* allocate_for_gmp(std::size_t bytes) {
  if (void* const got = std::malloc(bytes)) return got;
  throw std::bad_alloc();
}

void* reallocate_for_gmp(void* old, std::size_t /*old_bytes*/, std::size_t bytes) {
  if (void* const got = std::realloc(old, bytes)) return got;
  throw std::bad_alloc();
}

void free_for_gmp(void* old, std::size_t /*bytes*/) {
  std::free(old);
}

}  // namespace

void apply_memory_limit(const CountOptions& options) {
  mp_set_memory_functions(allocate_for_gmp, reallocate_for_gmp, free_for_gmp);
  limit().asked = options.memory_limit_bytes;
  limit().asked_counts = options.memory_limit_bytes > 0;
  if (sanitized) return;
  make_stacks_small();
  limit_arenas();
  set_soft_limit(std::numeric_limits<std::uint64_t>::max());
  MemoryRoom& room = limit().found;
  room = available_memory();
  if (options.channel != nullptr) room.bytes /= static_cast<std::uint64_t>(options.channel->local_ranks());
  room.bytes = std::min(room.bytes, most_bytes);
  const std::uint64_t reserve = reserve_bytes + room.bytes / reserve_parts;
  std::uint64_t bytes = room.bytes > reserve ? room.bytes - reserve : 0;
  limit().most = data_bytes() + bytes;
  if (options.memory_limit_bytes > 0) {
    set_largest_mapping(largest_mapping_bytes);
    const std::uint64_t asked = std::min(options.memory_limit_bytes, most_bytes) + program_bytes +
                                (options.channel != nullptr ? bytes_of_mpi(*options.channel) : 0);
    limit().asked_counts = asked < bytes;
    bytes = std::min(asked, bytes);
  }
  keep_tables_off_the_heap(bytes);
  limit().set = data_bytes() + bytes;
  set_soft_limit(limit().set);
  before_driver(make_room_for_driver);
}

std::string out_of_memory_message() {
  if (limit().asked_counts) {
    return fmt::format(
        "out of memory: the limit is {}, beside {} for the program itself; raise --memory-limit, or use a "
        "machine with more memory",
        format_bytes(limit().asked), format_bytes(beside_limit_bytes));
  }
  return fmt::format(
      "out of memory: {} could be had when it began, by {}; try a machine, container or job with "
      "more",
      format_bytes(limit().found.bytes), limit().found.source);
}

LimitOfOthers::LimitOfOthers() {
  getrlimit(RLIMIT_DATA, &own_);
  set_soft_limit(std::numeric_limits<std::uint64_t>::max());
}

LimitOfOthers::~LimitOfOthers() {
  setrlimit(RLIMIT_DATA, &own_);
}

}  // namespace countpm::app
