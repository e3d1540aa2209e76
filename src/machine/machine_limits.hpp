#pragma once
// What of the machine this process may use: the least of what the system has and of what control groups
// (containers), ulimit and Slurm allow.
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace countpm {

/// Bytes, and whose they are: for messages.
struct MemoryRoom {
  std::uint64_t bytes = std::numeric_limits<std::uint64_t>::max();
  std::string source = "no limit";
};

/// Memory that this process can still take: the least of
///   MemAvailable of /proc/meminfo;
///   control groups of version 2 (memory.max and memory.high less memory.current) and of version 1
///   (memory.limit_in_bytes less memory.usage_in_bytes), of this process's group and of all above it; file
///   pages that nothing has used lately (inactive_file of memory.stat) count as free, for the system takes
///   them back;
///   RLIMIT_AS and RLIMIT_DATA, less what is mapped already;
///   Slurm's SLURM_MEM_PER_NODE, or SLURM_MEM_PER_CPU times the job's cores here, less this process's own.
/// root: the folder that /proc and /sys are in: "" but for tests.
MemoryRoom available_memory(const std::string& root = "");

/// Of that, what RLIMIT_AS and RLIMIT_DATA leave. It does not vary with what other processes do.
MemoryRoom room_in_limits(const std::string& root = "");

/// How many cores' worth of time the control groups allow (cpu.max, or cpu.cfs_quota_us over
/// cpu.cfs_period_us), rounded up; nothing where they set no limit.
std::optional<int> core_quota(const std::string& root = "");

/// The least of the cores that this process may run on, the quota, and SLURM_CPUS_PER_TASK; at least 1.
int available_cores(const std::string& root = "");

/// What each thread of OpenMP maps for its stack.
std::uint64_t thread_stack_bytes();

/// Bytes of data that this process has mapped, as RLIMIT_DATA counts them.
std::uint64_t data_bytes(const std::string& root = "");

}  // namespace countpm
