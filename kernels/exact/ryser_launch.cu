// ryser's kernels for CUDA.
#include "kernels/exact/ryser_launch.hpp"

#include "kernels/cuda/cuda_device.cuh"
#include "kernels/cuda/loaded_kernel.cuh"
#include "kernels/cuda/runtime_compiler.hpp"
#include "kernels/exact/ryser_exact_walker.hpp"
#include "kernels/exact/ryser_walker_on.hpp"

namespace countpm::gray::on_cuda {
namespace {

#if CUDART_VERSION >= 12080

class CompiledLaunch {
 public:
  using Device = CudaDevice;

  CompiledLaunch(const GpuInfo& gpu, const ExactSize& size, unsigned columns)
      : device_(gpu),
        shared_bytes_(exact_shared_bytes(size, columns)),
        kernel_(device_,
                compile_kernel(exact_source(size), gpu.major, gpu.minor, KernelCache::of_environment(),
                               exact_headers())
                    .cubin,
                exact_kernel_name),
        blocks_(kernel_.blocks(exact_threads(), shared_bytes_)) {}

  const Device& device() const { return device_; }
  unsigned blocks() const { return blocks_; }
  void launch(const RyserArguments<std::int32_t>& arguments, std::uint64_t* totals) const {
    kernel_.launch(blocks_, exact_threads(), shared_bytes_, arguments, totals);
  }

 private:
  Device device_;
  std::size_t shared_bytes_;
  LoadedKernel kernel_;
  unsigned blocks_;
};

std::unique_ptr<IntegerWalker> compiled_walker(const GpuInfo& gpu, const Walk<std::int64_t>& walk,
                                               const ExactSize& size) {
  return std::make_unique<ExactWalkerOn<CompiledLaunch>>(gpu, walk, size);
}

#else

std::unique_ptr<IntegerWalker> compiled_walker(const GpuInfo&, const Walk<std::int64_t>&, const ExactSize&) {
  throw UnableError("kernels are loaded at run time from CUDA 12.8 on, and this was built with an older one",
                    "the sizes that are built in need no compiler");
}

#endif

}  // namespace

std::unique_ptr<IntegerWalker> integer_walker(const GpuInfo& gpu, const Walk<std::int64_t>& walk,
                                              const IntegerLimits& limits, const ForcedPlaces& places) {
  if (places && places->at_run_time)
    return compiled_walker(gpu, walk, exact_size(walk.rows, limits, places->columns));
  if (!places && compiling_pays(gpu, walk.rows, walk.columns, limits)) {
    try {
      return compiled_walker(gpu, walk, exact_size(walk.rows, limits, ColumnsIn::shared));
    } catch (const UnableError&) {
      // No NVRTC, or one that refuses: the sizes that are built in do the same.
    }
  }
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
