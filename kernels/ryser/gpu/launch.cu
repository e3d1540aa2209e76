// ryser on CUDA's devices.
#include <string>

#include "kernels/gpu/cuda_device.cuh"
#include "kernels/gpu/loaded_kernel.cuh"
#include "kernels/gpu/runtime_compiler.hpp"
#include "kernels/ryser/gpu/job.hpp"
#include "kernels/subsets/gpu/embedded_headers.hpp"

namespace countpm::gray {

#if CUDART_VERSION >= 12080

class CompiledLaunch {
 public:
  using Device = CudaDevice;

  CompiledLaunch(const GpuInfo& gpu, const ExactSize& size, unsigned columns)
      : device_(gpu),
        rows_(size.rows),
        shared_bytes_(exact_shared_bytes(size, columns)),
        compiled_(compile_kernel(exact_source(size), gpu.major, gpu.minor, KernelCache::of_environment(),
                                 exact_headers())),
        kernel_(device_, compiled_.cubin, exact_kernel_name),
        threads_(exact_threads(size)),
        blocks_(kernel_.blocks(threads_, shared_bytes_)) {}

  const Device& device() const { return device_; }
  unsigned blocks() const { return blocks_; }
  std::string kernel() const { return how_compiled(std::to_string(rows_) + " rows", compiled_); }
  template <class Value, class Numbers, class Part>
  void launch(const RyserArguments<Value>& arguments, const Numbers& numbers, Part* totals) const {
    kernel_.launch(blocks_, threads_, shared_bytes_, arguments, numbers, totals);
  }

 private:
  Device device_;
  unsigned rows_;
  std::size_t shared_bytes_;
  CompiledKernel compiled_;
  LoadedKernel kernel_;
  unsigned threads_;
  unsigned blocks_;
};

template <>
struct RunTimeLaunch<CudaDevice> {
  using Type = CompiledLaunch;
};

#endif

template struct IntegerWalkForm<CudaDevice>;
template struct PrimeWalkForm<CudaDevice>;
template struct FloatingWalks<double>::Form<CudaDevice>;
template struct FloatingWalks<DoubleDouble>::Form<CudaDevice>;
template struct FloatingWalks<TripleDouble>::Form<CudaDevice>;
template struct FloatingWalks<Complex<double>>::Form<CudaDevice>;
template struct FloatingWalks<Complex<DoubleDouble>>::Form<CudaDevice>;
template struct FloatingWalks<Complex<TripleDouble>>::Form<CudaDevice>;

}  // namespace countpm::gray
