// ryser/gpu/launch.cu's stand-in: part of the build exactly where that is not.
#include "graph/errors.hpp"
#include "kernels/ryser/gpu/launch.hpp"

namespace countpm::gray::on_cuda {
namespace {

[[noreturn]] void refuse() {
  throw UnableError("built without CUDA", "--device cpu counts without");
}

}  // namespace

std::unique_ptr<IntegerWalker> integer_walker(const GpuInfo&, const Walk<std::int64_t>&, const IntegerLimits&,
                                              const ForcedPlaces&) {
  refuse();
}

std::unique_ptr<IntegerWalker> prime_walker(const GpuInfo&, const Walk<std::int64_t>&, std::uint64_t,
                                            const ForcedPlaces&) {
  refuse();
}

template <class Value>
std::unique_ptr<FloatingWalker<Value>> floating_walker(const GpuInfo&, const Walk<Value>&, double,
                                                       const ForcedPlaces&) {
  refuse();
}

#include "kernels/ryser/gpu/walker_instances.inc"

}  // namespace countpm::gray::on_cuda
