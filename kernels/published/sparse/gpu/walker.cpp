// The walks on a GPU that is there, or on the CPU executor.
#include "kernels/published/sparse/gpu/walker.hpp"

#include "kernels/gpu/cpu_executor.hpp"
#include "kernels/published/sparse/gpu/skipper_walker_on.hpp"
#include "kernels/published/sparse/gpu/sparyser_walker_on.hpp"

namespace countpm::gray {

bool sparyser_fits(const GpuInfo& gpu, const PackedForm& form, unsigned columns) {
  return with_packed_form(form, [&](auto packed, auto width) {
    using Kernel = SparyserKernel<typename decltype(packed)::type, width.value>;
    return Kernel::shared_bytes(columns) <= gpu.shared_bytes;
  });
}

bool skipper_fits(const GpuInfo& gpu, const PackedForm& form, unsigned columns) {
  return with_packed_form(form, [&](auto packed, auto width) {
    using Kernel = SkipperKernel<typename decltype(packed)::type, width.value>;
    return Kernel::shared_bytes(columns, std::min(columns, Kernel::most_fast)) <= gpu.shared_bytes;
  });
}

std::unique_ptr<IntegerWalker> make_sparyser_walker(const GpuInfo& gpu, const Walk<std::int64_t>& walk,
                                                    const PackedForm& form) {
  return gpu.emulated ? sparyser_walker_on<CpuDevice>(gpu, walk, form)
                      : on_cuda::sparyser_walker(gpu, walk, form);
}

std::unique_ptr<SkipWalker> make_skipper_walker(const GpuInfo& gpu, const Walk<std::int64_t>& walk,
                                                const PackedForm& form, const SkipCut& cut) {
  return gpu.emulated ? skipper_walker_on<CpuDevice>(gpu, walk, form, cut)
                      : on_cuda::skipper_walker(gpu, walk, form, cut);
}

}  // namespace countpm::gray
