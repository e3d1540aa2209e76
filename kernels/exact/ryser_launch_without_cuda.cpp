// ryser_launch.cu's stand-in: part of the build exactly where that is not.
#include "graph/errors.hpp"
#include "kernels/exact/ryser_launch.hpp"

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

std::unique_ptr<FloatingWalker<double>> floating_walker(const GpuInfo&, const Walk<double>&, double,
                                                        const ForcedPlaces&) {
  refuse();
}

std::unique_ptr<FloatingWalker<DoubleDouble>> floating_walker(const GpuInfo&, const Walk<DoubleDouble>&,
                                                              double, const ForcedPlaces&) {
  refuse();
}

}  // namespace countpm::gray::on_cuda
