// codegen's kernels for CUDA: compiled, loaded and launched.
#include <string>

#include "kernels/gpu/cuda_device.cuh"
#include "kernels/gpu/loaded_kernel.cuh"
#include "kernels/gpu/runtime_compiler.hpp"
#include "kernels/published/codegen/floating_source.hpp"
#include "kernels/published/codegen/gpu/floating_walker_on.hpp"
#include "kernels/published/codegen/gpu/walker_on.hpp"
#include "kernels/published/codegen/source.hpp"
#include "kernels/subsets/gpu/generated_source.hpp"

namespace countpm::codegen::on_cuda {

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

std::unique_ptr<Walker> make_walker(const GpuInfo& gpu, const Program& program) {
  return std::make_unique<WalkerOn<CompiledLauncher>>(gpu, program);
}

template <class Value>
std::unique_ptr<FloatingWalker<Value>> make_floating_walker(const GpuInfo& gpu,
                                                            const FloatingProgram& program, double spread) {
  using Result = std::unique_ptr<FloatingWalker<Value>>;
  return with_product<Value>(program, [&](auto one) -> Result {
    return std::make_unique<FloatingWalkerOn<CompiledLauncher, decltype(one)>>(gpu, program, spread);
  });
}

#else

namespace {

[[noreturn]] void refuse() {
  throw UnableError("kernels are loaded at run time from CUDA 12.8 on, and this was built with an older one",
                    "--method ryser needs no compiler");
}

}  // namespace

std::unique_ptr<Walker> make_walker(const GpuInfo&, const Program&) {
  refuse();
}

template <class Value>
std::unique_ptr<FloatingWalker<Value>> make_floating_walker(const GpuInfo&, const FloatingProgram&, double) {
  refuse();
}

#endif

#include "kernels/published/codegen/gpu/walker_instances.inc"

}  // namespace countpm::codegen::on_cuda
