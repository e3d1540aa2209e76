// ryser's kernels for CUDA.
#include "kernels/ryser/gpu/launch.hpp"

#include <string>

#include "kernels/gpu/cuda_device.cuh"
#include "kernels/gpu/loaded_kernel.cuh"
#include "kernels/gpu/runtime_compiler.hpp"
#include "kernels/ryser/gpu/exact_walker.hpp"
#include "kernels/ryser/gpu/walker_on.hpp"

namespace countpm::gray::on_cuda {
namespace {

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

std::unique_ptr<IntegerWalker> compiled_walker(const GpuInfo& gpu, const Walk<std::int64_t>& walk,
                                               const ExactSize& size) {
  return std::make_unique<ExactWalkerOn<CompiledLaunch>>(gpu, walk, size);
}

template <class Form, class Value>
std::unique_ptr<FloatingWalker<Value>> compiled_walker(const GpuInfo& gpu, const Walk<Value>& walk,
                                                       double spread) {
  using Launcher = ExactFloatingLauncher<CompiledLaunch, Form>;
  return std::make_unique<FloatingWalkerOn<Launcher>>(gpu, typename Launcher::Numbers(spread, walk.rows),
                                                      walk);
}

#else

constexpr const char* too_old =
    "kernels are loaded at run time from CUDA 12.8 on, and this was built with an older one";
constexpr const char* hint = "the sizes that are built in need no compiler";

std::unique_ptr<IntegerWalker> compiled_walker(const GpuInfo&, const Walk<std::int64_t>&, const ExactSize&) {
  throw UnableError(too_old, hint);
}

template <class Form, class Value>
std::unique_ptr<FloatingWalker<Value>> compiled_walker(const GpuInfo&, const Walk<Value>&, double) {
  throw UnableError(too_old, hint);
}

#endif

/// made(), or nothing where there is no NVRTC, or one that refuses: the sizes that are built in do the same.
template <class Make>
auto made_if_possible(const Make& make) -> decltype(make()) {
  try {
    return make();
  } catch (const UnableError&) {
    return nullptr;
  }
}

}  // namespace

std::unique_ptr<IntegerWalker> integer_walker(const GpuInfo& gpu, const Walk<std::int64_t>& walk,
                                              const IntegerLimits& limits, const ForcedPlaces& places) {
  if (places && places->at_run_time)
    return compiled_walker(gpu, walk, exact_size(walk.rows, limits, places->columns));
  if (!places && compiling_pays(gpu, walk, limits)) {
    auto own = made_if_possible(
        [&] { return compiled_walker(gpu, walk, exact_size(walk.rows, limits, ColumnsIn::shared)); });
    if (own) return own;
  }
  return integer_walker_on<CudaDevice>(gpu, walk, limits, places);
}

std::unique_ptr<IntegerWalker> prime_walker(const GpuInfo& gpu, const Walk<std::int64_t>& walk,
                                            std::uint64_t prime, const ForcedPlaces& places) {
  return prime_walker_on<CudaDevice>(gpu, walk, prime, places);
}

template <class Value>
std::unique_ptr<FloatingWalker<Value>> floating_walker(const GpuInfo& gpu, const Walk<Value>& walk,
                                                       double spread, const ForcedPlaces& places) {
  std::unique_ptr<FloatingWalker<Value>> own = with_form(walk, [&](auto form) {
    using Form = decltype(form);
    const auto compiled = [&] { return compiled_walker<Form>(gpu, walk, spread); };
    if (places) return places->at_run_time ? compiled() : nullptr;
    const bool pays =
        compiling_pays(gpu, {walk.rows, 1, ColumnsIn::shared, Form::kind}, walk.columns, walk.log2_subsets);
    return pays ? made_if_possible(compiled) : nullptr;
  });
  if (own) return own;
  return floating_walker_on<CudaDevice>(gpu, walk, spread, places);
}

#include "kernels/ryser/gpu/walker_instances.inc"

}  // namespace countpm::gray::on_cuda
