// Stands in for sparyser_launch.cu and skipper_launch.cu: part of the build exactly where those are not.
#include "graph/errors.hpp"
#include "kernels/published/sparse/gpu/walker.hpp"

namespace countpm::gray::on_cuda {
namespace {

[[noreturn]] void refuse() {
  throw UnableError("built without CUDA", "--device cpu counts without");
}

}  // namespace

std::unique_ptr<IntegerWalker> sparyser_walker(const GpuInfo&, const Walk<std::int64_t>&, const PackedForm&) {
  refuse();
}

std::unique_ptr<SkipWalker> skipper_walker(const GpuInfo&, const Walk<std::int64_t>&, const PackedForm&,
                                           const SkipCut&) {
  refuse();
}

}  // namespace countpm::gray::on_cuda
