#pragma once
// Jobs in floating point, real or complex, with a rigorous error ball (running_error.hpp). Row sums are built
// afresh from the entries after 2^7 flips, so that their error stays bounded however long the walk is.
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "kernels/method.hpp"
#include "kernels/subsets/gpu/job.hpp"
#include "kernels/support/work_meter.hpp"

namespace countpm {

/// gray: every product from scratch (ryser). suffix: SortOrder and kept suffix products (sparyser); rounded
/// sums are not asked whether they are zero. jump: Ryser's own sums, a row being zero where none of its
/// entries is chosen, by integer count (skipper). generated: a GeneratedWalk, of at most
/// gray::most_floating_rows rows, no MPFR.
enum class FloatingWalk { gray, suffix, jump, generated };

/// GPU code for `gray`.
struct FloatingGpu {
  std::unique_ptr<DeviceJob> (*make)(const GpuInfo& gpu, AnyFloatingDevicePlan plan,
                                     const Arithmetic& arithmetic, const Settings& settings);
  /// Why there is no job with these settings; empty where there may be one.
  std::optional<Refusal> (*obstacle)(const Settings& settings, Index rows, Precision precision, bool complex,
                                     bool twins);
  /// Subsets a second.
  double (*nominal_rate)(const GpuInfo& gpu, Index rows, Precision precision, bool complex, bool exact_sums);
};

/// Precondition: arithmetic.kind is floating; not `generated`. Of the options: the seed (of the forecast of
/// `jump`), `jump`'s plan, and settings. gpu: of `gray`, where there is a form for GPUs.
std::unique_ptr<Job> make_floating_job(FloatingWalk walk, const AnyBlock& block, const Arithmetic& arithmetic,
                                       const MethodOptions& options, const FloatingGpu* gpu = nullptr);

/// Of compensated doubles or double-doubles.
using AnyGeneratedWalk = std::variant<gray::Walk<double>, gray::Walk<DoubleDouble>,
                                      gray::Walk<Complex<double>>, gray::Walk<Complex<DoubleDouble>>>;

/// A method's own walk, on the CPU and on GPUs: codegen's.
class GeneratedWalk {
 public:
  virtual ~GeneratedWalk() = default;
  /// Of the columns; asked first.
  virtual std::vector<Index> order(const IntegerColumns<std::int64_t>& columns) const = 0;
  /// Asked next: the walk as far as the places of the weights decide it, with 1 for every part of an entry
  /// that is not 0. What follows tells of it.
  virtual void look_at(const AnyGeneratedWalk& pattern) = 0;
  virtual std::string describe() const = 0;
  /// Subsets a second on one core of the CPU, and on a GPU that is asked for 2^log2_terms.
  virtual double nominal_rate() const = 0;
  virtual double nominal_device_rate(const GpuInfo& gpu, double log2_terms) const = 0;
  virtual std::unique_ptr<DeviceJob> on_device(const GpuInfo& gpu, AnyFloatingDevicePlan plan,
                                               const Arithmetic& arithmetic) const = 0;
  /// A unit on the CPU, as far as the meter's time goes.
  virtual Ball run(const AnyFloatingDevicePlan& plan, std::uint64_t unit, mpfr_prec_t bits,
                   WorkMeter& meter) const = 0;
};
std::unique_ptr<Job> make_floating_job(std::unique_ptr<GeneratedWalk> walk, const AnyBlock& block,
                                       const Arithmetic& arithmetic, const MethodOptions& options);

}  // namespace countpm
