#pragma once
// What a count may use of the machine.
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "kernels/gpu/device_info.hpp"
#include "src/api/entries.hpp"

namespace countpm {

struct Resources {
  int threads = 1;
  std::uint64_t memory_bytes = 0;
  /// For a plan that was made before, a journal's: a little more where --memory-limit leaves less than it
  /// says, for what reading and the like take differs from run to run.
  std::uint64_t most_memory_bytes = 0;
  int cores = std::numeric_limits<int>::max();  // more threads than that count no faster
  std::vector<GpuInfo> gpus = {};               // that counting may use
  bool all_gpus = false;                        // however little there is to do: --gpus says so
  bool cpu = true;                              // false: only GPUs count
  bool assumed_gpus = false;                    // they are not here: nothing is measured on them
  int machines = 1;                             // like this one, that count together
  int ranks = 1;                                // that may share a table with this one
  /// Of the rank that has the least memory; asked once, where it matters. Empty: all have as much as this
  /// one.
  std::function<std::uint64_t()> least_rank_bytes = {};
  std::optional<MachineLoad> load = {};  // while rates were measured, where that is known
  std::vector<std::string> notes = {};   // why there are fewer threads than were asked for
};

/// The GPUs that the options ask for: none where the device is the CPU; where it is `auto` what there is.
/// Throws UnableError where the device is the GPU and there is none, or --gpus asks for more than there are.
/// Looking for them takes a few tenths of a second where there is one.
std::vector<GpuInfo> choose_gpus(const CountOptions& options);

/// The most threads, whoever asks for them: --threads or OMP_NUM_THREADS.
inline constexpr int most_threads = 1024;

/// The options' threads, else as many as resources_for() has: none are started to see whether they can be.
int wanted_threads(const Options& options);

/// The options' figures, else as many threads as there are cores for this process (OMP_NUM_THREADS where it
/// is set) and the memory that it can have (machine_limits.hpp); never more memory than ulimit -v and -d
/// leave now, nor more threads than can be started. GPUs only where the options ask for them: with `auto` the
/// planner looks where a count is worth it (plan.hpp).
Resources resources_for(const CountOptions& options);

/// Adds what there is to say of the resources to a result's notes.
void add_notes(const Resources& resources, std::vector<std::string>& notes);
/// Lowers the threads to as many as fit the memory with so many bytes each, and notes it; false where not
/// even one does.
bool fit_threads(std::uint64_t bytes_each, Resources& resources, std::vector<std::string>& notes);
/// The note on fewer threads than there might be, for the memory's sake.
std::string note_on_threads(int threads, const Resources& resources);

}  // namespace countpm
