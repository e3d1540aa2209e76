#pragma once
// What a GPU makes of a frontier job: the elimination that it runs, whether that fits, and how long it may
// take.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/cuda/device_info.hpp"
#include "kernels/frontier/branching.hpp"
#include "kernels/frontier/elimination.hpp"

namespace countpm {

/// GPUs run eliminations without joins only.
struct FrontierDevicePlan {
  Elimination elimination;
  double log2_work = 0;        // state transitions of all units
  double log2_states = 0;      // bounds what is alive at once in a unit, of those looked at
  double rounds = 0;           // of all units
  std::uint32_t key_bits = 0;  // of the whole elimination
};

/// `linear` where given, else `best` with its joins left out: then every class is eliminated in the one table
/// there is. paths: the job's units. O(elimination), and some milliseconds for some of many paths.
FrontierDevicePlan frontier_device_plan(const ClassGraph& graph, const Elimination& best,
                                        const Elimination* linear, const std::vector<BranchPath>& paths);

/// A device's memory, cut up: states of all tables alive at once, and records of a slice.
struct FrontierRoom {
  std::uint64_t states = 0;
  std::uint64_t records = 0;
};
/// value_bytes: of a state's values modulo all moduli.
FrontierRoom frontier_room(const GpuInfo& gpu, std::uint64_t key_bytes, std::uint64_t value_bytes);
/// 8 or 16; nothing where keys are wider than GPUs sort them.
std::optional<std::uint64_t> device_key_bytes(std::uint32_t key_bits);

/// Why the GPU cannot run the plan, as the end of a sentence; empty where it can.
std::string frontier_device_obstacle(const FrontierDevicePlan& plan, const GpuInfo& gpu,
                                     std::uint64_t value_bytes);
/// UnableError: so many states of so many bytes are alive at once, a step has so many streams, keys so many
/// bits. (nvcc 13 does not compile the messages.)
[[noreturn]] void refuse_states(std::uint64_t states, std::uint64_t state_bytes, const FrontierRoom& room,
                                const GpuInfo& gpu);
[[noreturn]] void refuse_streams(std::uint64_t streams, const GpuInfo& gpu);
[[noreturn]] void refuse_keys(std::uint32_t key_bits);

/// Seconds for the whole plan by nominal figures.
double frontier_device_seconds(const FrontierDevicePlan& plan, const GpuInfo& gpu, std::uint64_t value_bytes);

}  // namespace countpm
