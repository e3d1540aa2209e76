#pragma once
// What of `ryser` runs on a GPU, as the CPU side sees it: Gray-code walks from prefixes, and the jobs whose
// units they are.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "graph/refusal.hpp"
#include "kernels/gpu/launch.hpp"
#include "kernels/subsets/floating_sums.hpp"
#include "kernels/subsets/gpu/job.hpp"
#include "kernels/subsets/gpu/walker.hpp"
#include "kernels/subsets/integer_columns.hpp"
#include "kernels/subsets/subset_plan.hpp"

namespace countpm {
namespace gray {

/// The kernel of a walk: `best` but for tests, benchmarks and settings. built_in: as best, but none that is
/// compiled at run time, for just these rows, as at_run_time is (exact sums: rows <= 64, bound <= 64).
/// registers: as best, but none with sums elsewhere. ..._plain, shared_matrix, shared_apart: for study
/// (SumsIn, RyserKernel).
enum class WhichKernel {
  best,
  built_in,
  at_run_time,
  registers,
  shared_sums,
  shared_plain,
  shared_matrix,
  shared_apart,
  global_sums,
  global_plain
};
WhichKernel kernel_of(const Settings& settings);

/// What an integer walk needs to know beside its columns.
struct IntegerLimits {
  std::int64_t bound = 0;  // of the row sums' magnitudes, wherever the walk goes; < 2^62
  double log2_sum = 0;     // of the magnitude of the largest sum that it will be asked for
};
/// Whether sums within these limits fit into the words that a walk can have; beyond, walks go modulo primes.
bool fits_words(const IntegerLimits& limits);

template <class Device>
struct IntegerWalkForm {
  static std::unique_ptr<IntegerWalker> make(const Walk<std::int64_t>& walk, const IntegerLimits& limits,
                                             WhichKernel which, const GpuInfo& gpu);
};
template <class Device>
struct PrimeWalkForm {
  static std::unique_ptr<IntegerWalker> make(const Walk<std::int64_t>& walk, std::uint64_t prime,
                                             WhichKernel which, const GpuInfo& gpu);
};
/// Value: double, DoubleDouble, TripleDouble or a Complex of one of them.
template <class Value>
struct FloatingWalks {
  template <class Device>
  struct Form {
    static std::unique_ptr<FloatingWalker<Value>> make(const Walk<Value>& walk, double spread,
                                                       WhichKernel which, const GpuInfo& gpu);
  };
};

extern template struct IntegerWalkForm<CudaDevice>;
extern template struct PrimeWalkForm<CudaDevice>;

/// The exact sum. Precondition: fits_words.
inline std::unique_ptr<IntegerWalker> make_integer_walker(const GpuInfo& gpu, const Walk<std::int64_t>& walk,
                                                          const IntegerLimits& limits,
                                                          WhichKernel which = WhichKernel::best) {
  return on_gpu<IntegerWalkForm>(gpu, walk, limits, which);
}
/// The sum modulo a prime, in [0, prime). Its row sums are never in registers.
inline std::unique_ptr<IntegerWalker> make_prime_walker(const GpuInfo& gpu, const Walk<std::int64_t>& walk,
                                                        std::uint64_t prime,
                                                        WhichKernel which = WhichKernel::best) {
  return on_gpu<PrimeWalkForm>(gpu, walk, prime, which);
}
/// spread: RunningSum's.
template <class Value>
std::unique_ptr<FloatingWalker<Value>> make_floating_walker(const GpuInfo& gpu, const Walk<Value>& walk,
                                                            double spread,
                                                            WhichKernel which = WhichKernel::best) {
  return on_gpu<FloatingWalks<Value>::template Form>(gpu, walk, spread, which);
}

}  // namespace gray

/// Why there is no such job: equal columns are counted together modulo a power of two, or a power of two and
/// primes beyond 512 bits come together. Empty where there is one.
/// With settings also: where the row sums are not to be had, as far as that does not depend on the GPU.
std::optional<Refusal> ryser_device_obstacle(const IntegerColumns<std::int64_t>& columns,
                                             const SubsetPlan& plan, const Arithmetic& arithmetic,
                                             const Settings& settings);
/// Exact: integer sums in words where their bound allows (up to 512 bits), one walk a prime beyond, and with
/// classes of equal columns (subsets/lanes/gpu). Empty where there is an obstacle. O(columns * rows) memory
/// beside the prefixes. `columns` and `plan` must outlive it.
std::unique_ptr<DeviceJob> make_ryser_device_job(const GpuInfo& gpu,
                                                 const IntegerColumns<std::int64_t>& columns,
                                                 const SubsetPlan& plan, const Arithmetic& arithmetic,
                                                 const Settings& settings);
/// Where another kernel counts, of equal columns together or of weights beyond 64 bits, and row-sums is set.
std::optional<Refusal> row_sums_obstacle(const Settings& settings, bool another);
/// Subsets a second; 0 where make_ryser_device_job has none.
double nominal_ryser_device_rate(const GpuInfo& gpu, const IntegerColumns<std::int64_t>& columns,
                                 const SubsetPlan& plan, const Arithmetic& arithmetic);
/// In floating point.
extern const FloatingGpu ryser_floating_gpu;

}  // namespace countpm
