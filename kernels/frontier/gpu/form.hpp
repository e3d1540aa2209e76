#pragma once
// What of `frontier` runs on a GPU, as the CPU side sees it.
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "kernels/arithmetic/arithmetic.hpp"
#include "kernels/frontier/gpu/dense_layout.hpp"
#include "kernels/frontier/gpu/plan.hpp"
#include "kernels/frontier/gpu/tuning.hpp"
#include "kernels/frontier/modulus_groups.hpp"
#include "kernels/frontier/order/elimination.hpp"
#include "kernels/gpu/device_info.hpp"
#include "kernels/gpu/device_job.hpp"

namespace countpm {

/// The count of a graph by an elimination, 0 modulo the moduli that are not asked for: by the line or the
/// tree, whichever is faster. One of the two is given.
struct FrontierTables {
  const ClassGraph* graph = nullptr;
  const Elimination* elimination = nullptr;  // without joins; null: none will do
  std::vector<std::uint32_t> moduli;         // of the task's arithmetic, those whose values are wanted
  double log2_states = 0;                    // alive at once, as forecast
  double log2_moves = 0;                     // of the unit that it is part of, as forecast
  double log2_share = 0;                     // of them, likely: not all states are reached
  const Elimination* tree = nullptr;         // with joins; null: there is none
};

/// What of a frontier job goes to a device. The job outlives it.
struct FrontierDeviceTask {
  using RunTables = std::function<Partial(const FrontierTables& tables)>;

  const AnyBlock* block = nullptr;
  const Arithmetic* arithmetic = nullptr;  // residues
  ValueBytes value_bytes;                  // beside its moduli
  std::uint64_t units = 1;
  double log2_work = 0;                                         // of the whole job, in the CPU's elimination
  double nominal_rate = 0;                                      // of that, a second
  std::uint64_t most_records = frontier_tuning::slice_records;  // of a slice
  TableForm form = TableForm::automatic;
  std::uint32_t dense_low_bits = most_dense_low_bits;
  /// One unit: its tables are handed to `run`, and what they yield is joined.
  std::function<Partial(std::uint64_t unit, const StopSignal& stop, const RunTables& run)> run_unit;
};

class FrontierDeviceJob : public DeviceJob {
 public:
  /// Of all that has been run.
  virtual FrontierDeviceStatistics statistics() const = 0;
  /// From now on, for tests and benchmarks. A form that there is none of, or that does not fit, is refused
  /// by run().
  virtual void take_form(TableForm form) = 0;
};

template <class Device>
struct FrontierForm {
  static std::unique_ptr<FrontierDeviceJob> make(const FrontierDeviceTask& task, const GpuInfo& gpu);
};

}  // namespace countpm
