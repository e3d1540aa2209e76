// codegen on CUDA's devices: kernels are compiled, loaded and launched.
#include <string>

#include "kernels/gpu/cuda_device.cuh"
#include "kernels/gpu/loaded_kernel.cuh"
#include "kernels/gpu/runtime_compiler.hpp"
#include "kernels/published/codegen/floating_source.hpp"
#include "kernels/published/codegen/gpu/floating_job.hpp"
#include "kernels/published/codegen/gpu/job.hpp"
#include "kernels/published/codegen/source.hpp"
#include "kernels/subsets/gpu/embedded_headers.hpp"

namespace countpm::codegen {

#if CUDART_VERSION >= 12080

namespace {

constexpr const char* kernel_name = "countpm_walk";

class CompiledLauncher {
 public:
  using Device = CudaDevice;

  CompiledLauncher(const GpuInfo& gpu, const Program& program) : CompiledLauncher(gpu, program, {}) {}
  CompiledLauncher(const GpuInfo& gpu, const FloatingProgram& program)
      : CompiledLauncher(gpu, program, gray::exact_headers()) {}

  const Device& device() const { return device_; }
  unsigned blocks() const { return blocks_; }
  unsigned threads() const { return threads_; }
  void launch(const KernelArguments& arguments) const {
    kernel_.launch(blocks_, threads_, 0, arguments.starts, arguments.minuses, arguments.globals,
                   arguments.first, arguments.last, arguments.totals);
  }
  template <class Numbers>
  void launch(const FloatingArguments<Numbers>& arguments, const Numbers& numbers) const {
    kernel_.launch(blocks_, threads_, 0, arguments.starts, arguments.minuses, arguments.globals,
                   arguments.first, arguments.last, numbers, arguments.totals);
  }
  std::string kernel() const { return how_compiled("this matrix", compiled_); }
  double compile_seconds() const { return compiled_.seconds; }
  bool from_cache() const { return compiled_.from_cache; }
  unsigned registers() const { return static_cast<unsigned>(attributes_.numRegs); }
  unsigned spilled_bytes() const { return static_cast<unsigned>(attributes_.localSizeBytes); }

 private:
  template <class AnyProgram>
  CompiledLauncher(const GpuInfo& gpu, const AnyProgram& program, const std::vector<KernelHeader>& headers)
      : device_(gpu),
        threads_(program.launch_shape().threads),
        compiled_(compile_kernel(cuda_source(program, kernel_name), gpu.major, gpu.minor,
                                 KernelCache::of_environment(), headers)),
        kernel_(device_, compiled_.cubin, kernel_name),
        blocks_(kernel_.blocks(threads_, 0)),
        attributes_(kernel_.attributes()) {}

  Device device_;
  unsigned threads_;
  CompiledKernel compiled_;
  LoadedKernel kernel_;
  unsigned blocks_;
  cudaFuncAttributes attributes_;
};

}  // namespace

template <>
struct ProgramLaunchers<CudaDevice> {
  using Integers = CompiledLauncher;
  template <class Product>
  using Floating = CompiledLauncher;
};

#endif

template struct ProgramForm<CudaDevice>;
template struct FloatingPrograms<double>::Form<CudaDevice>;
template struct FloatingPrograms<DoubleDouble>::Form<CudaDevice>;
template struct FloatingPrograms<Complex<double>>::Form<CudaDevice>;
template struct FloatingPrograms<Complex<DoubleDouble>>::Form<CudaDevice>;

}  // namespace countpm::codegen
