// ryser's kernels for CUDA.
#include "kernels/exact/ryser_launch.hpp"

#include "kernels/cuda/cuda_device.cuh"
#include "kernels/exact/ryser_walker_on.hpp"

namespace countpm::gray::on_cuda {

std::unique_ptr<IntegerWalker> integer_walker(const GpuInfo& gpu, const Walk<std::int64_t>& walk,
                                              const IntegerLimits& limits, const ForcedPlaces& places) {
  return integer_walker_on<CudaDevice>(gpu, walk, limits, places);
}

std::unique_ptr<IntegerWalker> prime_walker(const GpuInfo& gpu, const Walk<std::int64_t>& walk,
                                            std::uint64_t prime, const ForcedPlaces& places) {
  return prime_walker_on<CudaDevice>(gpu, walk, prime, places);
}

std::unique_ptr<FloatingWalker<double>> floating_walker(const GpuInfo& gpu, const Walk<double>& walk,
                                                        double spread, const ForcedPlaces& places) {
  return floating_walker_on<CudaDevice>(gpu, walk, spread, places);
}

std::unique_ptr<FloatingWalker<DoubleDouble>> floating_walker(const GpuInfo& gpu,
                                                              const Walk<DoubleDouble>& walk, double spread,
                                                              const ForcedPlaces& places) {
  return floating_walker_on<CudaDevice>(gpu, walk, spread, places);
}

}  // namespace countpm::gray::on_cuda
