#pragma once
// The walks of subsets/gpu/walker.hpp on one kind of device each. Compiles without nvcc.
#include "kernels/subsets/gpu/walker.hpp"

namespace countpm::gray {

// ryser/gpu/launch.cu; without CUDA ryser/gpu/launch_without_cuda.cpp, which throws UnableError.
namespace on_cuda {
std::unique_ptr<IntegerWalker> integer_walker(const GpuInfo& gpu, const Walk<std::int64_t>& walk,
                                              const IntegerLimits& limits, const ForcedPlaces& places);
std::unique_ptr<IntegerWalker> prime_walker(const GpuInfo& gpu, const Walk<std::int64_t>& walk,
                                            std::uint64_t prime, const ForcedPlaces& places);
/// Value: as of make_floating_walker.
template <class Value>
std::unique_ptr<FloatingWalker<Value>> floating_walker(const GpuInfo& gpu, const Walk<Value>& walk,
                                                       double spread, const ForcedPlaces& places);
}  // namespace on_cuda

}  // namespace countpm::gray
