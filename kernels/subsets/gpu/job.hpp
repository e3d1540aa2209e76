#pragma once
// Jobs over sets of columns on a GPU, for every method that walks from prefixes: a range of units becomes
// prefixes, and a walker of the method (subsets/gpu/walker.hpp) sums up from each.
#include <gmpxx.h>

#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "kernels/arithmetic/ball.hpp"
#include "kernels/arithmetic/complex_number.hpp"
#include "kernels/arithmetic/double_double.hpp"
#include "kernels/arithmetic/triple_double.hpp"
#include "kernels/gpu/device_info.hpp"
#include "kernels/gpu/device_job.hpp"
#include "kernels/subsets/gpu/walker.hpp"
#include "kernels/subsets/integer_columns.hpp"
#include "kernels/subsets/subset_plan.hpp"

namespace countpm {

/// Exact, by one walker, or several that share the moduli. `columns` and `plan` must outlive it.
class IntegerDeviceJob : public DeviceJob {
 public:
  struct Share {
    std::unique_ptr<gray::IntegerWalker> walker;
    Arithmetic arithmetic;  // its moduli
  };
  /// walked: inner columns that the walkers walk over, the first ones. scale: of the walkers' sums.
  IntegerDeviceJob(const IntegerColumns<std::int64_t>& columns, const SubsetPlan& plan, unsigned walked,
                   std::vector<Share> shares, mpz_class scale = 1);

  Partial run(std::uint64_t first, std::uint64_t last, const StopSignal& stop) override;
  double measured_rate(double seconds) override;
  std::uint64_t device_bytes() const override;
  std::string kernel() const override;

 private:
  const IntegerColumns<std::int64_t>& columns_;
  const SubsetPlan& plan_;
  unsigned walked_;
  std::vector<Share> shares_;
  mpz_class scale_;
};

/// A job in floating point, as far as walkers see it.
template <class Value>
struct FloatingDevicePlan {
  gray::Walk<Value> walk;
  double spread = 0;
  std::uint64_t units = 1;
  double log2_terms = 0;
  /// Calls take(its row sums, its weight) for every prefix of a unit, until one returns false.
  using TakePrefix = std::function<bool(const std::vector<Value>& start, const mpz_class& weight)>;
  std::function<void(std::uint64_t unit, const TakePrefix& take)> for_each_prefix;
  /// From the sum over some prefixes to its share of the permanent.
  std::function<Ball(const gray::FloatingParts<Value>& parts)> share;
};
using AnyFloatingDevicePlan =
    std::variant<FloatingDevicePlan<double>, FloatingDevicePlan<DoubleDouble>,
                 FloatingDevicePlan<TripleDouble>, FloatingDevicePlan<Complex<double>>,
                 FloatingDevicePlan<Complex<DoubleDouble>>, FloatingDevicePlan<Complex<TripleDouble>>>;

/// By a walker that was made for the plan's walk. Precondition: weights are 1 and -1.
template <class Value>
std::unique_ptr<DeviceJob> make_floating_device_job(FloatingDevicePlan<Value> plan,
                                                    const Arithmetic& arithmetic,
                                                    std::unique_ptr<gray::FloatingWalker<Value>> walker);

/// Subsets a second on a GPU of which a multiprocessor draws so many row sums into products a clock; an
/// emulated one is slow.
double rate_by_row_sums(const GpuInfo& gpu, Index rows, double sums_a_clock);

}  // namespace countpm
