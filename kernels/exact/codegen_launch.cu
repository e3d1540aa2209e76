// codegen's kernels for CUDA: compiled, loaded and launched.
#include "kernels/cuda/cuda_device.cuh"
#include "kernels/cuda/loaded_kernel.cuh"
#include "kernels/cuda/runtime_compiler.hpp"
#include "kernels/exact/codegen_source.hpp"
#include "kernels/exact/codegen_walker_on.hpp"

namespace countpm::codegen::on_cuda {

#if CUDART_VERSION >= 12080

namespace {

constexpr const char* kernel_name = "countpm_walk";

class CompiledLauncher {
 public:
  using Device = CudaDevice;

  CompiledLauncher(const GpuInfo& gpu, const Program& program)
      : device_(gpu),
        threads_(program.launch_shape().threads),
        compiled_(compile_kernel(cuda_source(program, kernel_name), gpu.major, gpu.minor,
                                 KernelCache::of_environment())),
        kernel_(device_, compiled_.cubin, kernel_name),
        blocks_(kernel_.blocks(threads_, 0)),
        attributes_(kernel_.attributes()) {}

  const Device& device() const { return device_; }
  unsigned blocks() const { return blocks_; }
  unsigned threads() const { return threads_; }
  void launch(const KernelArguments& arguments) const {
    kernel_.launch(blocks_, threads_, 0, arguments.starts, arguments.minuses, arguments.globals,
                   arguments.first, arguments.last, arguments.totals);
  }
  double compile_seconds() const { return compiled_.seconds; }
  bool from_cache() const { return compiled_.from_cache; }
  unsigned registers() const { return static_cast<unsigned>(attributes_.numRegs); }
  unsigned spilled_bytes() const { return static_cast<unsigned>(attributes_.localSizeBytes); }

 private:
  Device device_;
  unsigned threads_;
  CompiledKernel compiled_;
  LoadedKernel kernel_;
  unsigned blocks_;
  cudaFuncAttributes attributes_;
};

}  // namespace

std::unique_ptr<Walker> make_walker(const GpuInfo& gpu, const Program& program) {
  return std::make_unique<WalkerOn<CompiledLauncher>>(gpu, program);
}

#else

std::unique_ptr<Walker> make_walker(const GpuInfo&, const Program&) {
  throw UnableError("kernels are loaded at run time from CUDA 12.8 on, and this was built with an older one",
                    "--method ryser needs no compiler");
}

#endif

}  // namespace countpm::codegen::on_cuda
