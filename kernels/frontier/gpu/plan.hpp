#pragma once
// What a GPU makes of a frontier job: the elimination that it runs, whether that fits, and how long it may
// take.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/frontier/branching.hpp"
#include "kernels/frontier/gpu/dense_layout.hpp"
#include "kernels/frontier/gpu/dense_schedule.hpp"
#include "kernels/frontier/modulus_groups.hpp"
#include "kernels/frontier/order/elimination.hpp"
#include "kernels/gpu/device_info.hpp"
#include "kernels/memory_gap.hpp"

namespace countpm {

/// How a GPU keeps tables: the states that there are with their keys (frontier/gpu/sorted_kernel.hpp), or a
/// value for every set that the frontier allows (dense_kernel.hpp). automatic: by figures.
enum class TableForm : std::uint8_t { automatic, sorted, dense };

/// Of one program, or added up over several.
struct FrontierDeviceStatistics {
  std::uint64_t moves = 0;        // records sorted, or values pulled
  std::uint64_t states = 0;       // of all tables
  std::uint64_t peak_states = 0;  // of the largest
  std::uint64_t slices = 0;       // or launches
  std::uint64_t bytes = 0;        // of the device's memory
  std::uint32_t key_bits = 0;     // the most; 0: none was sorted
  std::uint64_t dense_programs = 0;
  std::uint64_t gpus = 0;          // that one whole table was on, at most
  std::uint64_t passes = 0;        // over one program each, with the values modulo some of the moduli
  std::uint64_t host_bytes = 0;    // in which slabs waited, at most
  std::uint64_t loaded_bytes = 0;  // from there
  std::uint64_t stored_bytes = 0;
};

/// Tables with keys are eliminated in a line, whole ones in a line or a tree.
struct FrontierDevicePlan {
  bool line = true;                 // whether a line will do
  std::optional<Elimination> tree;  // with joins, of the one unit; none where there are no whole tables
  std::optional<DenseFigures> in_a_tree;
  // The line:
  Elimination elimination;
  double log2_work = 0;               // state transitions of all units
  double log2_states = 0;             // bounds what is alive at once in a unit, of those looked at
  double rounds = 0;                  // of all units
  std::uint32_t key_bits = 0;         // of the whole elimination
  double log2_share = 0;              // of log2_work, likely: not all states are reached
  std::optional<DenseFigures> dense;  // of the one unit; none: there is no such form, or there are branches
  std::shared_ptr<const DenseProgram> program;     // the same
  std::shared_ptr<const WaitingForecast> waiting;  // of it
};

/// The eliminations that a plan is made of.
struct DeviceOrders {
  const Elimination* best = nullptr;
  const Elimination* linear = nullptr;  // null: the best with its joins left out, all in the one table
  const Elimination* tree = nullptr;    // with joins; null: there is none
  bool line_will_do = true;
};
/// paths: the job's units. O(elimination), and some milliseconds for some of many paths.
FrontierDevicePlan frontier_device_plan(const ClassGraph& graph, const DeviceOrders& orders,
                                        const std::vector<BranchPath>& paths);

/// A device's memory, cut up: states of all tables alive at once, and records of a slice.
struct FrontierRoom {
  std::uint64_t states = 0;
  std::uint64_t records = 0;
};
/// value_bytes: of a state's values modulo the moduli of a pass.
FrontierRoom frontier_room(const GpuInfo& gpu, std::uint64_t key_bytes, std::uint64_t value_bytes);
/// 8 or 16; nothing where keys are wider than GPUs sort them.
std::optional<std::uint64_t> device_key_bytes(std::uint32_t key_bits);

/// Bytes for all tables alive at once in the dense form, on one GPU.
std::uint64_t dense_memory(const GpuInfo& gpu);
/// Values of all tables alive at once in the dense form, on all GPUs that hold them together.
std::uint64_t dense_room(const GpuInfo& gpu, std::uint64_t value_bytes);

/// What of a program in the sorted form decides.
struct SortedFigures {
  std::uint32_t key_bits = 0;
  double log2_states = 0;  // alive at once, at most
  double log2_moves = 0;   // likely
  double rounds = 0;
};
/// How a program is run: in which form, and in how many passes, each with as many moduli as fit.
struct FormChoice {
  TableForm form = TableForm::automatic;
  std::vector<std::uint32_t> passes;  // moduli of each; all in one where nothing fits
  bool fits = false;
  bool tree = false;             // with joins
  double seconds = 0;            // of all passes, by nominal figures
  std::size_t gpus = 1;          // that hold each table together
  double bytes_on_a_gpu = 0;     // of the tables in the largest pass, where these are several
  bool waits = false;            // in slabs that wait in host memory while others are in work ...
  std::uint64_t host_bytes = 0;  // ... at most in so much of it
};
/// Several GPUs hold tables together in the dense form alone. The form that fits in the fewest passes that it
/// takes, and of two the one that is predicted to be faster; sorted where neither fits even one modulus at a
/// time. dense: null where there is no such form. waiting: of the same program; its slabs may wait in the
/// GPU's host_bytes, one modulus a pass, where the whole tables do not fit the GPU.
FormChoice choose_form(const SortedFigures& sorted, const DenseFigures* dense, const GpuInfo& gpu,
                       const ValueBytes& value_bytes, const WaitingForecast* waiting = nullptr);
FormChoice choose_form(const FrontierDevicePlan& plan, const GpuInfo& gpu, const ValueBytes& value_bytes);
/// Of the choice for a line (null: none will do) and whole tables in a tree the one that fits, or is
/// predicted to be faster.
FormChoice or_in_a_tree(const FormChoice* in_line, const DenseFigures* tree, const GpuInfo& gpu,
                        const ValueBytes& value_bytes);
/// The same of a form that is settled.
FormChoice sorted_form(const SortedFigures& sorted, const GpuInfo& gpu, const ValueBytes& value_bytes);
FormChoice dense_form(const DenseFigures& dense, const GpuInfo& gpu, const ValueBytes& value_bytes,
                      const WaitingForecast* waiting = nullptr);

/// What a job's description says of it behind a semicolon; joined: of an elimination with joins for the CPU.
std::string frontier_device_text(const FrontierDevicePlan& plan, const FormChoice& form, bool joined);

/// Why the GPU cannot run the plan, as the end of a sentence; empty where it can.
std::string frontier_device_obstacle(const FrontierDevicePlan& plan, const GpuInfo& gpu,
                                     const ValueBytes& value_bytes);
/// What the GPU lacks in the form that is nearest, with one modulus at a time; empty where it lacks nothing,
/// and where it has no form for the plan, whatever its memory. value_bytes: of the job's own passes.
std::optional<MemoryGap> frontier_memory_gap(const FrontierDevicePlan& plan, const GpuInfo& gpu,
                                             const std::vector<ValueBytes>& value_bytes);
/// UnableError: so many states of so many bytes are alive at once, a step has so many streams, keys so many
/// bits. (nvcc 13 does not compile the messages.)
[[noreturn]] void refuse_states(std::uint64_t states, std::uint64_t state_bytes, const FrontierRoom& room,
                                const GpuInfo& gpu);
[[noreturn]] void refuse_dense_states(std::uint64_t states, std::uint64_t value_bytes, std::uint64_t room,
                                      const GpuInfo& gpu);
[[noreturn]] void refuse_waiting(std::uint64_t host_bytes, const GpuInfo& gpu);
[[noreturn]] void refuse_dense_form();
[[noreturn]] void refuse_streams(std::uint64_t streams, const GpuInfo& gpu);
[[noreturn]] void refuse_keys(std::uint32_t key_bits);

/// Seconds for the whole plan by nominal figures, in the form and the passes that choose_form takes.
double frontier_device_seconds(const FrontierDevicePlan& plan, const GpuInfo& gpu,
                               const ValueBytes& value_bytes);

}  // namespace countpm
