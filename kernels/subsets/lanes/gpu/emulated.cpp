// Sums over classes on the emulated GPU.
#include "kernels/gpu/cpu_executor.hpp"
#include "kernels/gpu/launch.hpp"
#include "kernels/subsets/lanes/gpu/job.hpp"

namespace countpm::class_sums {

template struct PrimeClassForm<CpuDevice>;
template struct FloatingClassForm<CpuDevice>;

namespace {
const EmulatedForm<PrimeClassForm> emulated;
const EmulatedForm<FloatingClassForm> emulated_floating;
}  // namespace

}  // namespace countpm::class_sums
