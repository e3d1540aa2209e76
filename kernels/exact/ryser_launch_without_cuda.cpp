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

template <class Value>
std::unique_ptr<FloatingWalker<Value>> floating_walker(const GpuInfo&, const Walk<Value>&, double,
                                                       const ForcedPlaces&) {
  refuse();
}

template std::unique_ptr<FloatingWalker<double>> floating_walker(const GpuInfo&, const Walk<double>&, double,
                                                                 const ForcedPlaces&);
template std::unique_ptr<FloatingWalker<DoubleDouble>> floating_walker(const GpuInfo&,
                                                                       const Walk<DoubleDouble>&, double,
                                                                       const ForcedPlaces&);
template std::unique_ptr<FloatingWalker<Complex<double>>> floating_walker(const GpuInfo&,
                                                                          const Walk<Complex<double>>&,
                                                                          double, const ForcedPlaces&);
template std::unique_ptr<FloatingWalker<Complex<DoubleDouble>>> floating_walker(
    const GpuInfo&, const Walk<Complex<DoubleDouble>>&, double, const ForcedPlaces&);
template std::unique_ptr<FloatingWalker<TripleDouble>> floating_walker(const GpuInfo&,
                                                                       const Walk<TripleDouble>&, double,
                                                                       const ForcedPlaces&);
template std::unique_ptr<FloatingWalker<Complex<TripleDouble>>> floating_walker(
    const GpuInfo&, const Walk<Complex<TripleDouble>>&, double, const ForcedPlaces&);

}  // namespace countpm::gray::on_cuda
