#pragma once
// A job on one GPU: ranges of its units. GpuForm::on_device (kernels/method.hpp) makes one; src/run runs it
// from a host thread of its own, beside other GPUs and the CPU's threads.
#include <cstdint>
#include <string>

#include "graph/stop_signal.hpp"
#include "kernels/arithmetic/arithmetic.hpp"

namespace countpm {

class DeviceJob {
 public:
  virtual ~DeviceJob() = default;

  /// The sum of the shares of units first .. last - 1: in residues the CPU's own, bit for bit; in floating
  /// point a ball that holds the same number. Any range, in any order, twice if need be. One call at a time,
  /// from any thread. Looks at `stop` at least every 100 ms and throws Stopped. Throws CudaError, or
  /// UnableError where memory does not suffice.
  virtual Partial run(std::uint64_t first, std::uint64_t last, const StopSignal& stop) = 0;
  /// Operations (Job::log2_work) a second on the whole GPU, measured on a slice of this job for about
  /// `seconds`; 0 where that would take too long.
  virtual double measured_rate(double seconds) = 0;
  /// Device memory that the job holds or will hold.
  virtual std::uint64_t device_bytes() const = 0;
  /// How its kernel was chosen or made, for reports; empty where there is but one.
  virtual std::string kernel() const { return {}; }
};

}  // namespace countpm
