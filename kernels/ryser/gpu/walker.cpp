// The walks on a GPU that is there, or on the CPU executor.
#include "kernels/subsets/gpu/walker.hpp"

#include "kernels/gpu/cpu_executor.hpp"
#include "kernels/ryser/gpu/launch.hpp"
#include "kernels/ryser/gpu/walker_on.hpp"

namespace countpm::gray {
namespace {

void refuse_to_compile(const GpuInfo& gpu, const ForcedPlaces& places) {
  if (gpu.emulated && places && places->at_run_time)
    throw UnableError("kernels that are compiled at run time run on GPUs alone", "there are others");
}

}  // namespace

bool fits_words(const IntegerLimits& limits) {
  return limits.log2_sum + 2 <= 64 * Integers::words && limits.bound < std::int64_t{1} << 62;
}

std::unique_ptr<IntegerWalker> make_integer_walker(const GpuInfo& gpu, const Walk<std::int64_t>& walk,
                                                   const IntegerLimits& limits, ForcedPlaces places) {
  refuse_to_compile(gpu, places);
  return gpu.emulated ? integer_walker_on<CpuDevice>(gpu, walk, limits, places)
                      : on_cuda::integer_walker(gpu, walk, limits, places);
}

std::unique_ptr<IntegerWalker> make_prime_walker(const GpuInfo& gpu, const Walk<std::int64_t>& walk,
                                                 std::uint64_t prime, ForcedPlaces places) {
  return gpu.emulated ? prime_walker_on<CpuDevice>(gpu, walk, prime, places)
                      : on_cuda::prime_walker(gpu, walk, prime, places);
}

template <class Value>
std::unique_ptr<FloatingWalker<Value>> make_floating_walker(const GpuInfo& gpu, const Walk<Value>& walk,
                                                            double spread, ForcedPlaces places) {
  refuse_to_compile(gpu, places);
  return gpu.emulated ? floating_walker_on<CpuDevice>(gpu, walk, spread, places)
                      : on_cuda::floating_walker(gpu, walk, spread, places);
}

template std::unique_ptr<FloatingWalker<double>> make_floating_walker(const GpuInfo&, const Walk<double>&,
                                                                      double, ForcedPlaces);
template std::unique_ptr<FloatingWalker<DoubleDouble>> make_floating_walker(const GpuInfo&,
                                                                            const Walk<DoubleDouble>&, double,
                                                                            ForcedPlaces);
template std::unique_ptr<FloatingWalker<Complex<double>>> make_floating_walker(const GpuInfo&,
                                                                               const Walk<Complex<double>>&,
                                                                               double, ForcedPlaces);
template std::unique_ptr<FloatingWalker<Complex<DoubleDouble>>> make_floating_walker(
    const GpuInfo&, const Walk<Complex<DoubleDouble>>&, double, ForcedPlaces);
template std::unique_ptr<FloatingWalker<TripleDouble>> make_floating_walker(const GpuInfo&,
                                                                            const Walk<TripleDouble>&, double,
                                                                            ForcedPlaces);
template std::unique_ptr<FloatingWalker<Complex<TripleDouble>>> make_floating_walker(
    const GpuInfo&, const Walk<Complex<TripleDouble>>&, double, ForcedPlaces);

}  // namespace countpm::gray
